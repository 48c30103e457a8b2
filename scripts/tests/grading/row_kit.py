# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A stored run of one interoperability test, for the tests of what becomes of its rows."""

import json
from collections.abc import Mapping
from pathlib import Path

from jdkmatrix.config import version
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.records.record import (
    BuildRecord,
    CellRecord,
    KitRecord,
    MachineRecord,
    PlannedCell,
    RunRecord,
)
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import ROWS_FILE, RunFolder
from jdkmatrix.vocabulary import Status

TEST = "interop/ClientRows.java"

# What became of each row, by its id. A capital letter: it must fail.
Ends = Mapping[str, str]
_STATUSES = {"p": "passed", "f": "failed", "u": "unsupported", "l": "lacking", "e": "error"}


def build(text: str, vendor: str = "Eclipse Adoptium") -> BuildRecord:
    """A build of that version, or `local:VERSION` for a JDK of the user's own."""
    local, _, number = text.rpartition("local:")
    return BuildRecord(
        id=text.replace(":", "-"),
        entry=text,
        version=number,
        vendor="temurin",
        train=version.parse(number).train,
        source="local" if text.startswith("local:") else "wheel",
        sha256="0" * 64,
        home="/nowhere" + local,
        facts={"vendor": vendor},
    )


def store_run(
    folder: Path, *builds: tuple[BuildRecord, Ends | None]
) -> tuple[RunRecord, RunFolder]:
    """A run of the test on these builds, in this order."""
    run = RunFolder.create(folder, folder / "run")
    for build_record, ends in builds:
        store_attempt(run, build_record, ends)
    record = RunRecord(
        run="run",
        started="2026-11-21T08:00:00Z",
        finished="2026-11-21T08:03:00Z",
        request=Request(tests=(TEST,)),
        machine=MachineRecord(
            os="x", kernel="6", architecture="x", cores=2, memory_mib=1, load_1min=0
        ),
        kit=KitRecord(version="0", commit=None),
        builds=tuple(build_record for build_record, _ in builds),
        cells=tuple(PlannedCell(build=build_record.id, test=TEST) for build_record, _ in builds),
    )
    return record, run


def store_attempt(
    run: RunFolder, build_record: BuildRecord, ends: Ends | None, attempt: int = 1
) -> None:
    """An attempt at the test on that build; None is one that was killed before its first row."""
    home = run.cell_folder(PlannedCell(build=build_record.id, test=TEST), attempt)
    home.mkdir(parents=True)
    has_failure = ends is None or any(letter.lower() == "f" for letter in ends.values())
    if ends is not None:
        write_rows(home, build_record.id, ends)
    run.write_cell(
        CellRecord(
            build=build_record.id,
            test=TEST,
            attempt=attempt,
            ended=ChildEnd.FINISHED if ends is not None else ChildEnd.TIMEOUT,
            status=Status.FAILED if has_failure else Status.PASSED,
            status_text="x",
            seconds=1,
            test_seconds=1,
            artifacts=(ROWS_FILE,) if ends is not None else (),
        )
    )


def write_rows(home: Path, build: str, ends: Ends) -> None:
    """What the test leaves that came to its end."""
    lines = [
        {
            "row": row,
            "must_fail": letter.isupper(),
            "status": _STATUSES[letter.lower()],
            "said": f"said by {build}",
            "alert": "",
            "ms": 1,
        }
        for row, letter in ends.items()
    ]
    text = "\n".join(json.dumps(line) for line in (*lines, {"rows": len(lines)}))
    (home / ROWS_FILE).write_text(text)
