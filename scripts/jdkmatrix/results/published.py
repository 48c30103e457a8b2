# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the model of a document become its published JSON Schema?"""

import json
from typing import Any

from pydantic import BaseModel, ConfigDict

from jdkmatrix.machine.json_models import Frozen


class PublishedPart(Frozen):
    """A part of a document whose JSON Schema is published."""

    model_config = ConfigDict(populate_by_name=True)


def schema_of(document: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of what the model writes."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **document.model_json_schema(by_alias=True, mode="serialization"),
    }


def text_of(schema: dict[str, Any]) -> str:
    """The schema as it stands in its file."""
    return json.dumps(schema, indent=1) + "\n"
