# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What was a throughput run asked for, and where do the blocks of its comparisons lie?"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_serializer

from jdkmatrix.config.scenarios import Scenario
from jdkmatrix.run.record import Record
from jdkmatrix.run.sample_record import BlockRecord
from jdkmatrix.run.store import read_record, write_atomically

_PLAN_FILE = "throughput.json"


class ComparisonRecord(Record):
    """One comparison as it was planned. The scenario is kept whole: grades need no other file.

    `scenario_name` is `neighbour`, `neighbour/tls12` for a control, `gap@rtt-ms=2` for a point of
    a sweep; `layer` is the client's. `most_loss` is what a validation asks of its headline alone,
    in place of what it asks of all figures. `lacks` says what the comparison could not do.
    """

    scenario_name: str
    scenario: Scenario
    client: str
    layer: str
    builds: tuple[str, ...]
    baseline: str
    sweep: dict[str, bool | int | float | str] = Field(default_factory=dict)
    most_loss: float | None = None
    lacks: str | None = None

    @field_serializer("scenario")
    def _as_in_the_file(self, scenario: Scenario) -> dict[str, Any]:
        return scenario.model_dump(by_alias=True, mode="json")

    @property
    def name(self) -> str:
        """How messages and folders call it, its baseline last, as each train has its own."""
        return f"{self.scenario_name}/{self.client}/{self.baseline}"


class ThroughputRecord(Record):
    """The throughput part of a run, `throughput.json`. `blocks` is the most of a comparison.

    `validates` is the build that the run was asked to judge, with `baseline`; `left_out` says what
    it can't be asked.
    """

    schema_: Literal[1] = Field(alias="schema")
    seed: int
    blocks: int
    minimum_effect: float
    validates: tuple[str, str] | None = None
    left_out: tuple[str, ...] = ()
    comparisons: tuple[ComparisonRecord, ...] = ()


def write_plan(run: Path, record: ThroughputRecord) -> None:
    """Store what is compared in a run."""
    write_atomically(run / _PLAN_FILE, record.model_dump_json(by_alias=True, indent=1))


def read_plan(run: Path) -> ThroughputRecord | None:
    """What is compared in a run, None if nothing is. Raises UsageError for a damaged record."""
    path = run / _PLAN_FILE
    return read_record(path, ThroughputRecord) if path.is_file() else None


def comparison_folder(run: Path, comparison: ComparisonRecord) -> Path:
    """Where the samples of a comparison lie."""
    return run / "throughput" / comparison.name


def read_blocks(folder: Path) -> Iterator[BlockRecord]:
    """The finished blocks, in order. Raises UsageError for a damaged one."""
    for path in sorted(folder.glob("block-*.json")):
        yield read_record(path, BlockRecord)
