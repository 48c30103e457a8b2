# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the model of a document become its published JSON Schema?"""

import json
from typing import Any

from pydantic import ConfigDict

from jdkmatrix.machine.json_models import Frozen


class PublishedPart(Frozen):
    """A part of a document whose JSON Schema is published."""

    model_config = ConfigDict(populate_by_name=True)


class PublishedDocument(PublishedPart):
    """A whole document, with its JSON Schema."""

    def to_json(self) -> str:
        """The document as it is stored and printed."""
        return self.model_dump_json(indent=1, by_alias=True) + "\n"

    @classmethod
    def published_schema(cls) -> dict[str, Any]:
        """The JSON Schema of what the model writes."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **cls.model_json_schema(by_alias=True, mode="serialization"),
        }

    @classmethod
    def schema_text(cls) -> str:
        """The schema as it stands in its file."""
        return json.dumps(cls.published_schema(), indent=1) + "\n"
