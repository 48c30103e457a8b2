# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do `bugs --json` and the site's JSON documents hold? Schemas are made from these types.

`bugs.json` is what `scripts/matrix bugs --json` prints; `changes.json` has its list `changes` of
all known changes. A scanner needs no more than `fixed`: the first fixed build of each line.
"""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from jdkmatrix.config.known_changes import KnownChange
from jdkmatrix.config.tags import TagsByTrain
from jdkmatrix.results.published import PublishedDocument, PublishedPart
from jdkmatrix.vocabulary import Severity


def _tag_texts(tags: TagsByTrain) -> dict[str, str]:
    return {str(train): str(tag) for train, tag in tags.items()}


TagTexts = Annotated[dict[str, str], BeforeValidator(_tag_texts)]


class BugEntry(PublishedPart):
    """A bug. `fixed` has the first build with the fix by release line; A..B: not in A, but in B."""

    id: str
    title: str
    symptom: str | None
    severity: Severity | None
    areas: list[str]
    first_fixes: TagTexts = Field(alias="fixed")
    workaround: str | None
    workaround_seen: str | None
    workaround_tried: str | None
    tests: list[str]
    links: list[str]


class ChangedItem(PublishedPart):
    """One item of one aspect of a JDK, and what became of it."""

    aspect: str
    pattern: str = Field(alias="item")
    kind: str


class ChangeEntry(PublishedPart):
    """A change. Its first tags are as `fixed` of a bug; `restore` is the setting against it."""

    id: str | None
    title: str
    first_tags: dict[str, str] = Field(alias="since")
    changes: list[ChangedItem]
    rows: list[str]
    restore: str | None
    is_sure: bool

    @classmethod
    def from_change(cls, change: KnownChange, *, is_sure: bool = True) -> "ChangeEntry":
        """What is published of a known change."""
        return cls(
            id=change.bug,
            title=change.title,
            since=_tag_texts(change.since),
            changes=[
                ChangedItem.model_validate(part, from_attributes=True) for part in change.changes
            ],
            rows=list(change.rows),
            restore=change.restore,
            is_sure=is_sure,
        )


class LeftOutEntry(PublishedPart):
    """A bug that the ledger leaves out, and why."""

    id: str | None
    title: str
    reason: str


class BugsDocument(PublishedDocument):
    """`bugs.json`."""

    schema_: Literal[2] = Field(alias="schema")
    version: str | None
    update: str | None
    words: str
    area: str | None
    newest_with_data: str | None
    bugs: list[BugEntry]
    changes: list[ChangeEntry]
    left_out: list[LeftOutEntry]


class ChangesDocument(PublishedDocument):
    """`changes.json`."""

    schema_: Literal[2] = Field(alias="schema")
    changes: list[ChangeEntry]
