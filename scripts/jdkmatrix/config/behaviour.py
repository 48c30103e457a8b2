# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are two builds' rows of `test/behave` compared, and what must no build do?
`test/behave/behave.yaml`
"""

from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from jdkmatrix.config.ledger import BugId
from jdkmatrix.config.masks import Mask
from jdkmatrix.config.patterns import Pattern, compile_pattern
from jdkmatrix.config.tags import TagsByTrain, has_change
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.config.yaml_model import StrictModel, load, wrong_at
from jdkmatrix.vocabulary import ObservationStatus

Globs = tuple[str, ...]


# Each text of each row on each build asks again: of 1,500 rows, two fifths of a comparison's time.
@lru_cache(maxsize=1 << 16)
def fits_any(row: str, globs: Globs) -> bool:
    """Whether a row's id matches one of these globs."""
    return any(fnmatchcase(row, glob) for glob in globs)


class RowMask(Mask):
    """What makes no difference by itself in texts of these `rows`. A change that vanishes under it
    is counted under its `name`.
    """

    name: str = Field(min_length=1)
    rows: Globs = ("*",)

    def hide(self, row: str, text: str) -> str:
        """The text of that row without what the mask hides."""
        return self.apply(text) if fits_any(row, self.rows) else text


class KnownBreach(StrictModel):
    """Rows that are known to break a rule, by a `bug`, or by one that is `unreported`, or both.

    `since` has the first build of each train; without it, every build has it.
    """

    rows: Globs = Field(min_length=1)
    bug: BugId | None = None
    unreported: bool = False
    title: str = Field(min_length=1)
    since: TagsByTrain = Field(default_factory=dict)

    @model_validator(mode="after")
    def _has_a_reason(self) -> "KnownBreach":
        if not self.bug and not self.unreported:
            raise wrong_at(("bug",), "accepted: bug, unreported: true, or both")
        return self

    def explains(self, row: str, build: JdkVersion) -> bool:
        """Whether that row may break the rule on that build."""
        return fits_any(row, self.rows) and (
            not self.since or has_change(build, self.since) is not False
        )


class AbsoluteRule(StrictModel):
    """What no build must do: a row with this `status`, or whose text has the `pattern`.

    `rows` it looks at, `sentence` says what is broken, `known` who is known to break it.
    """

    name: str = Field(min_length=1)
    sentence: str = Field(min_length=1)
    rows: Globs = ("*",)
    status: ObservationStatus | None = None
    pattern: Pattern | None = None
    known_breaches: tuple[KnownBreach, ...] = Field(default=(), alias="known")

    @model_validator(mode="after")
    def _has_one_sign(self) -> "AbsoluteRule":
        if (self.status is None) == (self.pattern is None):
            raise wrong_at(("status",), "accepted: one of status and pattern")
        return self

    def is_broken_by(self, row: str, status: ObservationStatus, text: str) -> bool:
        """Whether a row with that status and text breaks it."""
        if not fits_any(row, self.rows):
            return False
        if self.status is not None:
            return status is self.status
        return status is ObservationStatus.SEEN and bool(
            compile_pattern(self.pattern or "").search(text)
        )


class Image(StrictModel):
    """An image of a JDK that `lacks` something, as the `pattern` in the text of a `row` shows."""

    lacks: str = Field(min_length=1)
    row: str = Field(min_length=1)
    pattern: Pattern

    def is_shown_by(self, text: str) -> bool:
        """Whether the row's text is that of such an image."""
        return bool(compile_pattern(self.pattern).search(text))


class Behaviour(StrictModel):
    """The whole of `test/behave/behave.yaml`."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    images: tuple[Image, ...] = ()
    masks: tuple[RowMask, ...] = ()
    rules: tuple[AbsoluteRule, ...] = ()


def load_behaviour(path: Path) -> Behaviour:
    """Read the file. Raises UsageError: `file:line: key: what is wrong; accepted`."""
    return load(path, Behaviour)
