# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is known of each bug: where it is fixed, what it needs to show, which tests show it?

The model of `test/bugs.yaml`, the ledger.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from jdkmatrix.config import version
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.config.yaml_model import StrictModel, load, wrong_at
from jdkmatrix.errors import UsageError


def _parsed(tag: object) -> JdkVersion:
    return version.parse(str(tag))


def _tags_match_their_trains(tags: dict[int, JdkVersion]) -> dict[int, JdkVersion]:
    for train, tag in tags.items():
        if tag.train != train:
            raise ValueError(f"tag {tag} does not belong to train {train}")
    return tags


Tag = Annotated[JdkVersion, BeforeValidator(_parsed)]
TagsByTrain = Annotated[
    dict[int, Tag], Field(min_length=1), AfterValidator(_tags_match_their_trains)
]


class LedgerModel(StrictModel, arbitrary_types_allowed=True):
    """A ledger model may hold versions."""


class Condition(LedgerModel):
    """A property of builds that a bug needs to show, and the first build tag that has it."""

    id: str
    title: str
    bug: str
    since: TagsByTrain


class EvidenceRule(LedgerModel):
    """Which blocked time in a recording is this bug's?

    Threads wait in one of `blocked_in` (`class.method`) for at least `min_blocked_ms` in all,
    while a thread is inside one of `held_in`. A wait that delays nobody but
    its own thread counts inside one of `slow_in`, from `min_slow_ms` on. `bound_source` says where
    the bounds are from.
    """

    blocked_in: tuple[str, ...] = Field(min_length=1)
    held_in: tuple[str, ...] = ()
    min_blocked_ms: int = Field(gt=0)
    slow_in: tuple[str, ...] = ()
    min_slow_ms: int = Field(default=1000, gt=0)
    bound_source: str = Field(min_length=1)


class Bug(LedgerModel):
    """One JBS bug. `fixed` holds, per train, the first build tag that contains the fix."""

    id: str = Field(pattern=r"^JDK-\d{7}$")
    title: str
    component: str
    fixed: TagsByTrain
    needs: tuple[str, ...] = ()
    tests: tuple[str, ...] = Field(min_length=1)
    evidence: EvidenceRule | None = None
    links: tuple[str, ...] = ()


class Ledger(LedgerModel):
    """The whole of `test/bugs.yaml`."""

    schema_: Literal[1] = Field(alias="schema")
    conditions: tuple[Condition, ...] = ()
    bugs: tuple[Bug, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ids_are_unique_and_known(self) -> "Ledger":
        conditions = [condition.id for condition in self.conditions]
        seen: set[str] = set()
        for n, bug in enumerate(self.bugs):
            if bug.id in seen:
                raise wrong_at(("bugs", n, "id"), f"duplicate id '{bug.id}'")
            seen.add(bug.id)
            for k, need in enumerate(bug.needs):
                if need not in conditions:
                    raise wrong_at(
                        ("bugs", n, "needs", k),
                        f"no condition '{need}'; accepted: {', '.join(conditions)}",
                    )
        return self

    def bug(self, text: str) -> Bug:
        """The bug `JDK-8293562` or `8293562`. Raises UsageError naming the known ones."""
        wanted = text if text.startswith("JDK-") else f"JDK-{text}"
        for bug in self.bugs:
            if bug.id == wanted:
                return bug
        known = ", ".join(bug.id for bug in self.bugs)
        raise UsageError(f"--bug {text}: not in the ledger; accepted: {known}")

    def conditions_of(self, bug: Bug) -> tuple[Condition, ...]:
        """What a build must have for the bug to show."""
        return tuple(c for c in self.conditions if c.id in bug.needs)


def load_ledger(path: Path) -> Ledger:
    """Read and check the ledger, and that its tests exist beside it. Raises UsageError."""
    ledger = load(path, Ledger)
    for bug in ledger.bugs:
        for test in bug.tests:
            if not (path.parent / test).is_file():
                raise UsageError(f"{path}: {bug.id}: no test {test} beside the ledger")
    return ledger
