# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a plan shown: to people, to programs, and to GitHub Actions?"""

import json
from collections.abc import Iterator, Sequence

from jdkmatrix.plan.selection import PlanRow
from jdkmatrix.texts import count_of, document_text

Shards = Sequence[Sequence[PlanRow]]


def plan_lines(shards: Shards) -> Iterator[str]:
    """The lines to print: the cells, and which shard each belongs to if there are several."""
    for index, rows in enumerate(shards, 1):
        for row in rows:
            shard = f"{index}/{len(shards)}  " if len(shards) > 1 else ""
            yield f"{shard}{row.build:<22} {row.test.path:<56} {row.expectation}"
    for index, rows in enumerate(shards, 1) if len(shards) > 1 else ():
        builds = len({row.spec for row in rows})
        cells = f"{count_of(len(rows), 'cell')} on {count_of(builds, 'build')}"
        size = f"{cells}, {_seconds(rows):.0f} s"
        yield f"shard {index}/{len(shards)}: {size} one after another"
    yield count_of(sum(map(len, shards)), "cell")


def plan_json(shards: Shards) -> str:
    """The document of `plan --format json` and of `run --dry-run --json`."""
    # Schema 1 had these in `plan`.
    return document_text(
        2,
        cells=[
            row.to_json() | ({"shard": f"{index}/{len(shards)}"} if len(shards) > 1 else {})
            for index, rows in enumerate(shards, 1)
            for row in rows
        ],
    )


def github_matrix(shards: Shards) -> str:
    """One line for `strategy.matrix` of a workflow: one job per shard."""
    jobs = [
        {
            "shard": f"{index}/{len(shards)}",
            "index": index,
            "cells": len(rows),
            "expected_seconds": round(_seconds(rows)),
            "builds": " ".join(dict.fromkeys(row.build for row in rows)),
        }
        for index, rows in enumerate(shards, 1)
    ]
    return json.dumps({"include": jobs})


def _seconds(rows: Sequence[PlanRow]) -> float:
    return sum(row.expected_s for row in rows)
