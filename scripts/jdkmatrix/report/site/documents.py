# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do the site's JSON documents hold? Their schemas are made from these types.

`bugs.json` is what `scripts/matrix bugs --json` prints; `changes.json` has its list `changes` of
all known changes. A scanner needs no more than `fixed`: the first fixed build of each line.
"""

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from jdkmatrix.vocabulary import Severity


class _SiteDocument(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="forbid")


class BugEntry(_SiteDocument):
    """A bug. `fixed` has the first build with the fix by release line; A..B: not in A, but in B."""

    id: str
    title: str
    symptom: str | None
    severity: Severity | None
    areas: list[str]
    first_fixes: dict[str, str] = Field(alias="fixed")
    workaround: str | None
    workaround_seen: str | None
    workaround_tried: str | None
    tests: list[str]
    links: list[str]


class ChangedItem(_SiteDocument):
    """One item of one aspect of a JDK, and what became of it."""

    aspect: str
    pattern: str = Field(alias="item")
    kind: str


class ChangeEntry(_SiteDocument):
    """A change. Its first tags are as `fixed` of a bug; `restore` is the setting against it."""

    id: str | None
    title: str
    first_tags: dict[str, str] = Field(alias="since")
    changes: list[ChangedItem]
    rows: list[str]
    restore: str | None
    is_sure: bool


class LeftOutEntry(_SiteDocument):
    """A bug that the ledger leaves out, and why."""

    id: str | None
    title: str
    reason: str


class BugsDocument(_SiteDocument):
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


class ChangesDocument(_SiteDocument):
    """`changes.json`."""

    schema_: Literal[2] = Field(alias="schema")
    changes: list[ChangeEntry]


def schema_text(document: type[BaseModel]) -> str:
    """The JSON Schema (2020-12) of a document."""
    body: dict[str, Any] = TypeAdapter(document).json_schema(by_alias=True)
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return json.dumps({"$schema": dialect, **body}, indent=1, ensure_ascii=False) + "\n"
