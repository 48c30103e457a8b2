# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which changes by updates are known, and which bug explains each? `test/changes.yaml`"""

from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field, model_validator

from jdkmatrix.config.behaviour import fits_any
from jdkmatrix.config.ledger import BugId
from jdkmatrix.config.tags import TagsByTrain, has_change
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.config.yaml_model import StrictModel, load, wrong_at
from jdkmatrix.vocabulary import Metric

# What a change between vendors is called, which has no bug.
VENDORS = "vendors"


class Kind(StrEnum):
    """What has become of an item; a whole aspect is reordered."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    REORDERED = "reordered"


_REVERSED = {Kind.ADDED: Kind.REMOVED, Kind.REMOVED: Kind.ADDED}


@dataclass(frozen=True)
class DefaultChange:
    """One item that is different. `before` and `after` are its values, '' where it has none."""

    aspect: str
    kind: Kind
    item: str
    before: str = ""
    after: str = ""


class ChangePattern(StrictModel):
    """Changes of one kind whose aspect, item and values match these patterns (`*`, `?`).

    A changed or reordered item says from what to what; one that is removed may say from what, one
    that is added to what.
    """

    aspect: str
    kind: Kind
    item: str = "*"
    older: str | None = Field(default=None, alias="from")
    newer: str | None = Field(default=None, alias="to")

    @model_validator(mode="after")
    def _says_from_what_to_what(self) -> "ChangePattern":
        has_both = self.older is not None and self.newer is not None
        if self.kind in (Kind.CHANGED, Kind.REORDERED) and not has_both:
            raise wrong_at(("kind",), f"{self.kind}; accepted: with it from and to")
        if (self.kind is Kind.ADDED and self.older is not None) or (
            self.kind is Kind.REMOVED and self.newer is not None
        ):
            raise wrong_at(("kind",), "accepted: added, at most with to; removed, with from")
        return self

    def fits(self, change: DefaultChange) -> bool:
        """Whether this is such a change, in this direction."""
        return (
            change.kind is self.kind
            and fnmatchcase(change.aspect, self.aspect)
            and fnmatchcase(change.item, self.item)
            and fnmatchcase(change.before, self.older or "*")
            and fnmatchcase(change.after, self.newer or "*")
        )

    @property
    def reverse(self) -> "ChangePattern":
        """The same change from the newer build to the older one."""
        kind = _REVERSED.get(self.kind, self.kind)
        update = {"kind": kind, "older": self.newer, "newer": self.older}
        return self.model_copy(update=update)


class RowPattern(StrictModel):
    """Changes of rows of `test/behave`, whose ids match one of the globs, from and to texts that
    match these patterns (`*`, `?`).
    """

    rows: tuple[str, ...] = Field(min_length=1)
    older: str = Field(default="*", alias="from")
    newer: str = Field(default="*", alias="to")

    def fits(self, row: str, older_text: str, newer_text: str) -> bool:
        """Whether this is such a change, in this direction."""
        return (
            fits_any(row, self.rows)
            and fnmatchcase(older_text, self.older)
            and fnmatchcase(newer_text, self.newer)
        )


class CountPattern(StrictModel):
    """What a request of a client takes more of, up to `limit_percent`: a figure that counts."""

    figure: Metric
    client: str
    limit_percent: float = Field(gt=0)

    @property
    def most_loss(self) -> float:
        """The largest loss that this explains, as a share of the older build's figure."""
        return self.limit_percent / 100


class VendorVersion(NamedTuple):
    """What a known change depends on: a build's version, and its `java.vendor`."""

    version: JdkVersion
    vendor: str


class KnownChange(StrictModel):
    """A change that came with a `bug`, `since` a build of each train; or one between vendors. An
    `unreported` one has a `bug` only if it is a bug of the ledger, and excuses nothing.

    With `updates_alone` no train has it but those named in `since`.

    `by_vendor` is a pattern for `java.vendor`: builds of it have the change since then by no bug.

    `changes` are those of defaults, as the newer build shows them, or the vendor's; `rows` are
    globs for the ids of interoperability rows whose result changes, `behaviour` are changes of the
    rows of `test/behave`, `counts` what a request takes more of. `between_vendors` is a
    pattern (`*`, `?`) for `java.vendor`: builds that match it differ so from all others, whatever
    their versions, or, with `since`, only from older ones of the trains named there. `restore`
    says by which setting the old behaviour comes back.
    """

    bug: BugId | None = None
    title: str = Field(min_length=1)
    since: TagsByTrain = Field(default_factory=dict)
    updates_alone: bool = False
    unreported: bool = False
    between_vendors: str | None = None
    by_vendor: str | None = None
    changes: tuple[ChangePattern, ...] = ()
    rows: tuple[str, ...] = ()
    behaviour: tuple[RowPattern, ...] = ()
    counts: tuple[CountPattern, ...] = ()
    restore: str | None = None

    @model_validator(mode="after")
    def _has_one_reason(self) -> "KnownChange":
        is_of_update = bool(self.bug) or self.unreported
        reasons = (is_of_update, bool(self.by_vendor), bool(self.between_vendors))
        if sum(reasons) != 1 or not (self.since or self.between_vendors):
            raise wrong_at(
                ("bug",),
                "accepted: bug, unreported: true or both, with since; by-vendor with since; or "
                "between-vendors with a pattern",
            )
        if not (self.changes or self.rows or self.behaviour or self.counts):
            kinds = "changes, rows, behaviour, counts, or several"
            raise wrong_at(("changes",), f"missing; accepted: {kinds}")
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
        if self.by_vendor and not fnmatchcase(newer.vendor, self.by_vendor):
            return False
        is_in_older, is_in_newer = (self.is_in(build.version) for build in (older, newer))
        return not is_in_older and is_in_newer is not False

    def is_in(self, build: JdkVersion) -> bool | None:
        """Whether a build of that version has it; None if the version cannot tell."""
        if self.updates_alone and build.train not in self.since:
            return False
        return has_change(build, self.since)

    def changes_between(
        self, older: VendorVersion, newer: VendorVersion
    ) -> tuple[ChangePattern, ...]:
        """What it may have changed from the one build to the other; empty if it is not between."""
        if not self.is_between(older, newer):
            return ()
        if self.between_vendors and fnmatchcase(older.vendor, self.between_vendors):
            return tuple(pattern.reverse for pattern in self.changes)
        return self.changes

    @property
    def is_excuse(self) -> bool:
        """Whether a bug that is public explains it."""
        return self.bug is not None and not self.unreported

    @property
    def name(self) -> str:
        """The id of its bug, or that it has none."""
        return self.bug or ("unreported" if self.unreported else VENDORS)

    def changes_row(self, row: str, older_text: str, newer_text: str) -> bool:
        """Whether this changes that row of `test/behave`, from and to such texts."""
        return any(pattern.fits(row, older_text, newer_text) for pattern in self.behaviour)

    def _may_lack(self, build: JdkVersion) -> bool:
        tag = self.since.get(build.train)
        return tag is not None and not tag.is_in(build)

    def has_row(self, row: str) -> bool:
        """Whether this changes the result of that row of the interoperability suite."""
        return fits_any(row, self.rows)


class KnownChanges(StrictModel):
    """The whole of `test/changes.yaml`."""

    schema_: Literal[1] = Field(alias="schema")
    changes: tuple[KnownChange, ...] = Field(alias="known")


def load_known_changes(path: Path) -> tuple[KnownChange, ...]:
    """Read the file. Raises UsageError: `file:line: key: what is wrong; accepted`."""
    return load(path, KnownChanges).changes
