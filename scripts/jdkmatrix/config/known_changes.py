# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which changes by updates are known, and which bug explains each? `test/changes.yaml`"""

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field, model_validator

from jdkmatrix.config.tags import TagsByTrain, has_change
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.config.yaml_model import StrictModel, load, wrong_at


class ChangePattern(StrictModel):
    """Changes whose aspect and item match these patterns (`*`, `?`)."""

    aspect: str
    item: str = "*"

    def fits(self, aspect: str, item: str) -> bool:
        """Whether that item of that aspect matches."""
        return fnmatchcase(aspect, self.aspect) and fnmatchcase(item, self.item)


class VendorVersion(NamedTuple):
    """What a known change depends on: a build's version, and its `java.vendor`."""

    version: JdkVersion
    vendor: str


class KnownChange(StrictModel):
    """A change that came with a `bug`, `since` a build of each train; or one between vendors.

    `changes` are those of defaults; `rows` are globs for the ids of interoperability rows whose
    result changes. `between_vendors` is a pattern (`*`, `?`) for `java.vendor`: builds that match
    it differ so from all others, whatever their versions, or, with `since`, only from older ones
    of the trains named there. `restore` says by which setting the old behaviour comes back.
    """

    bug: str | None = Field(default=None, pattern=r"^JDK-\d{7}$")
    title: str = Field(min_length=1)
    since: TagsByTrain = Field(default_factory=dict)
    between_vendors: str | None = None
    changes: tuple[ChangePattern, ...] = ()
    rows: tuple[str, ...] = ()
    restore: str | None = None

    @model_validator(mode="after")
    def _has_one_reason(self) -> "KnownChange":
        if bool(self.bug) == bool(self.between_vendors) or (self.bug and not self.since):
            raise wrong_at(("bug",), "accepted: bug with since, or between-vendors with a pattern")
        if not self.changes and not self.rows:
            raise wrong_at(("changes",), "missing; accepted: changes or rows, or both")
        return self

    def is_between(self, older: VendorVersion, newer: VendorVersion) -> bool:
        """Whether the newer build may have it and the older not; between vendors, either one."""
        if self.between_vendors:
            builds = (older, newer)
            other_builds = [
                build for build in builds if not fnmatchcase(build.vendor, self.between_vendors)
            ]
            return len(other_builds) == 1 and (
                not self.since or self._may_lack(other_builds[0].version)
            )
        is_in_older, is_in_newer = (
            has_change(build.version, self.since) for build in (older, newer)
        )
        return not is_in_older and is_in_newer is not False

    def _may_lack(self, build: JdkVersion) -> bool:
        tag = self.since.get(build.train)
        return tag is not None and not tag.is_in(build)

    def has_row(self, row: str) -> bool:
        """Whether this changes the result of that row of the interoperability suite."""
        return any(fnmatchcase(row, pattern) for pattern in self.rows)


class KnownChanges(StrictModel):
    """The whole of `test/changes.yaml`."""

    schema_: Literal[1] = Field(alias="schema")
    changes: tuple[KnownChange, ...] = Field(alias="known")


def load_known_changes(path: Path) -> tuple[KnownChange, ...]:
    """Read the file. Raises UsageError: `file:line: key: what is wrong; accepted`."""
    return load(path, KnownChanges).changes
