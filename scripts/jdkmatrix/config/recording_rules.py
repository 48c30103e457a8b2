# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which waiting in a recording is worth reporting although no known bug explains it, and what does
a thread do that has certain frames in its stack?

The models of `jtreg/rules/*.yaml` and `jtreg/rules/threads/*.yaml`. The rule of a known bug is in
the ledger instead.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from jdkmatrix.config.yaml_model import StrictModel, UniqueIds, load_folder
from jdkmatrix.errors import UsageError, one_line

# The digest's names; the third is the lock of the keep-alive stream cleaner, of either kind.
LockKind = Literal["monitor", "lock", "cleaner-queue"]
HolderEvent = Literal[
    "jdk.SocketRead",
    "jdk.SocketWrite",
    "jdk.FileRead",
    "jdk.FileWrite",
    "jdk.FileForce",
    "jdk.JavaMonitorEnter",
    "jdk.ThreadPark",
    "jdk.ThreadSleep",
    "jdk.JavaMonitorWait",
    "jdk.VirtualThreadPinned",
]


class GenericRule(StrictModel):
    """Waiting at one place of the code (`blocked_in`: globs of `package.Class.method`).

    It fires if at least `min_threads` threads waited at least `min_blocked_ms` in all. With
    `held_over`, waiting counts only while a holder is in such an event. With `times_baseline`, a
    baseline is needed, and waiting per second of recording must be more than that many times the
    baseline's, and at least LEAST_MS_PER_S of `evidence/recording_difference.py`, as for any
    change: recordings may be hours long. If threads queued only once each, they must have waited
    `min_single_wait_ms` on average. `bound_source` says where the bounds are from.
    """

    id: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    title: str = Field(min_length=1)
    kinds: tuple[LockKind, ...] = Field(default=("monitor", "lock", "cleaner-queue"), min_length=1)
    blocked_in: tuple[str, ...] = Field(min_length=1)
    held_over: tuple[HolderEvent, ...] = ()
    min_blocked_ms: int = Field(gt=0)
    min_threads: int = Field(default=1, gt=0)
    times_baseline: float | None = Field(default=None, gt=1)
    min_single_wait_ms: int = Field(default=0, ge=0)
    bound_source: str = Field(min_length=1)


class RulesFile(StrictModel):
    """One file of generic rules."""

    schema_: Literal[1] = Field(alias="schema")
    rules: Annotated[tuple[GenericRule, ...], UniqueIds] = Field(min_length=1)


def load_rules(folder: Path) -> tuple[GenericRule, ...]:
    """The rules of every `*.yaml` in `folder`, in the order of the files' names.

    Raises UsageError: `file:line: key: what is wrong; accepted`.
    """
    origin: dict[str, Path] = {}
    rules: list[GenericRule] = []
    for file, content in load_folder(folder, RulesFile):
        for rule in content.rules:
            if rule.id in origin:
                text = f"{file}: duplicate id '{rule.id}', also in {origin[rule.id]}"
                raise UsageError(one_line(text))
            origin[rule.id] = file
            rules.append(rule)
    return tuple(rules)


def _has_no_full_stop(text: str) -> str:
    if text.endswith("."):
        raise ValueError("accepted: text without a full stop")
    return text


Phrase = Annotated[str, AfterValidator(_has_no_full_stop)]


class ActivityRule(StrictModel):
    """What a thread does that has one of `frames` (globs of `package.Class.method`) in its stack.

    `says` goes on after the frame's name and `note` stands by itself, both without a full stop.
    With `for_peer` it applies only to reads and writes of a socket; with `for_lock`, to threads
    that want a lock in `frames`, of which only the note is told; with `states`, only where a dump
    has a state that begins so. An `idle` thread waits for work. `helper_gone` is said, too, if no
    thread of the dump has the frame `helper`.
    """

    id: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    frames: tuple[str, ...] = Field(min_length=1)
    for_peer: bool = False
    for_lock: bool = False
    states: tuple[Literal["RUNNABLE", "BLOCKED", "WAITING", "TIMED_WAITING"], ...] = ()
    idle: bool = False
    says: Phrase = Field(min_length=1)
    helper: str | None = None
    helper_gone: Phrase | None = None
    note: Phrase | None = None

    @model_validator(mode="after")
    def _says_what_a_helper_is_for(self) -> "ActivityRule":
        if (self.helper is None) != (self.helper_gone is None):
            raise ValueError("accepted: helper and helper-gone together")
        return self


class ActivitiesFile(StrictModel):
    """One file of rules; the first that a stack meets counts."""

    schema_: Literal[1] = Field(alias="schema")
    activities: Annotated[tuple[ActivityRule, ...], UniqueIds] = Field(min_length=1)


def load_activities(folder: Path) -> tuple[ActivityRule, ...]:
    """The rules of every `*.yaml` in `folder`, in the order of the files' names.

    Raises UsageError: `file:line: key: what is wrong; accepted`.
    """
    files = load_folder(folder, ActivitiesFile)
    return tuple(rule for _, file in files for rule in file.activities)
