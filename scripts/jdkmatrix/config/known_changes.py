# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which changes of updates are known, and by which bug? `test/changes.yaml`"""

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from jdkmatrix.config.tags import TagsByTrain, has_change
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.config.yaml_model import StrictModel, load, wrong_at


class Explained(StrictModel):
    """Changes of one aspect: those whose item fits the pattern (`*`, `?`)."""

    aspect: str
    item: str = "*"

    def fits(self, aspect: str, item: str) -> bool:
        """Is that item of that aspect meant?"""
        return fnmatchcase(aspect, self.aspect) and fnmatchcase(item, self.item)


class KnownChange(StrictModel):
    """A change that came with a `bug`, in `since` of each train; or one between vendors.

    `changes` are those of defaults, `rows` globs of the ids of rows of the interoperability suite
    that end otherwise since. `between_vendors` is why builds of different vendors differ there,
    whatever their versions.
    """

    bug: str | None = Field(default=None, pattern=r"^JDK-\d{7}$")
    title: str = Field(min_length=1)
    since: TagsByTrain = Field(default_factory=dict)
    between_vendors: bool = False
    changes: tuple[Explained, ...] = ()
    rows: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _has_one_reason(self) -> "KnownChange":
        if (self.bug is None) != self.between_vendors or bool(self.since) == self.between_vendors:
            raise wrong_at(("bug",), "accepted: bug with since, or between-vendors: true")
        if not self.changes and not self.rows:
            raise wrong_at(("changes",), "missing; accepted: changes or rows, or both")
        return self

    def is_between(self, older: JdkVersion, newer: JdkVersion) -> bool:
        """May the newer build have it, and not the older one?"""
        return not has_change(older, self.since) and has_change(newer, self.since) is not False

    def has_row(self, row: str) -> bool:
        """Does that row of the interoperability suite end otherwise since?"""
        return any(fnmatchcase(row, pattern) for pattern in self.rows)


class KnownChanges(StrictModel):
    """The file."""

    schema_: Literal[1] = Field(alias="schema")
    known: tuple[KnownChange, ...]


def load_known_changes(path: Path) -> tuple[KnownChange, ...]:
    """Read the file. Raises UsageError: `file:line: key: what is wrong; accepted`."""
    return load(path, KnownChanges).known
