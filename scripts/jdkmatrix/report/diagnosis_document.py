# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does `matrix diagnose --json` print?

Its JSON Schema is published beside this file as `diagnosis.schema.json`.
"""

from typing import Literal

from pydantic import Field

from jdkmatrix.evidence.digest import Unreadable
from jdkmatrix.grading.diagnosis import Diagnosis
from jdkmatrix.results.published import PublishedDocument


class DiagnosisDocument(PublishedDocument):
    """One entry per recording, in the order in which they were given.

    `baseline` is the file that they are compared with, None if there is none.
    """

    schema_: Literal[2] = Field(default=2, alias="schema")
    baseline: str | None
    recordings: tuple[Diagnosis | Unreadable, ...]
