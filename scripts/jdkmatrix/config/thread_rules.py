# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a thread do that has certain frames in its stack?

The model of `jtreg/rules/threads/*.yaml`.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from jdkmatrix.config.yaml_model import StrictModel, UniqueIds, load_folder


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
