# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a run store of what it compares?"""

from typing import Any

from pydantic import Field, field_serializer, model_validator

from jdkmatrix.config.scenarios import Scenario
from jdkmatrix.records.model import BuildId, InsidePath, Record
from jdkmatrix.records.older_marks import COPY, strip_mark

# More than anybody can wait for, as each takes seconds; a record may come from a stranger.
_MOST_BLOCKS = 1_000_000


class ComparisonRecord(Record):
    """One comparison as it was planned. The scenario is kept whole: grades need no other file.

    `scenario_name` is `neighbour`, `neighbour/tls12` for a control, `gap@rtt-ms=2` for a point of a
    sweep; `client` is the client or service that is measured, and `layer` is its. `most_loss` is
    what a validation asks of its headline alone, in place of what it asks of all figures. With
    `if_slower` it is measured only where another one of the scenario is slower. `lacks` says what
    the comparison could not do. `blocks` is how many it had when the run ended, 0 before. `copies`
    are the names in `builds` under which the baseline is compared with itself.
    """

    scenario_name: InsidePath
    scenario: Scenario
    client: InsidePath
    layer: str
    builds: tuple[BuildId, ...]
    baseline: BuildId
    copies: tuple[BuildId, ...] = ()
    sweep: dict[str, bool | int | float | str] = Field(default_factory=dict)
    most_loss: float | None = None
    if_slower: bool = False
    lacks: str | None = None
    blocks: int = Field(default=0, ge=0, le=_MOST_BLOCKS)

    @model_validator(mode="before")
    @classmethod
    def _of_earlier_kits(cls, document: Any) -> Any:
        """In their records only a copy's name says that it is one."""
        if not isinstance(document, dict) or "copies" in document:
            return document
        builds = document.get("builds")
        names = builds if isinstance(builds, list | tuple) else ()
        copies = [
            name for name in names if isinstance(name, str) and strip_mark(name, COPY) != name
        ]
        return {**document, "copies": copies}

    @field_serializer("scenario")
    def _as_in_the_file(self, scenario: Scenario) -> dict[str, Any]:
        return scenario.model_dump(by_alias=True, mode="json")

    @property
    def name(self) -> str:
        """Its name in messages and folders, with the baseline last, as each train has its own."""
        return f"{self.scenario_name}/{self.client}/{self.baseline}"

    def build_of(self, name: str) -> str:
        """The id of the build that the arm of a build or copy of that name runs."""
        return self.baseline if name in self.copies else name


class ThroughputRecord(Record):
    """What a run compares, and how. `blocks` is the maximum per comparison.

    `validates` is the build that the run was asked to judge, with its baseline if there is one;
    `left_out` says what can't be judged of it.
    """

    seed: int
    blocks: int
    minimum_effect: float
    validates: tuple[str, str | None] | None = None
    left_out: tuple[str, ...] = ()
    comparisons: tuple[ComparisonRecord, ...] = ()

    @property
    def builds(self) -> tuple[str, ...]:
        """The ids of all builds that are compared, each once."""
        return tuple(
            dict.fromkeys(
                comparison.build_of(name)
                for comparison in self.comparisons
                for name in comparison.builds
            )
        )
