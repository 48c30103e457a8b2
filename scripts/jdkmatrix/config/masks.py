# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What differs between two runs of one program though it did the same? `jtreg/masks.yaml`."""

import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from jdkmatrix.config.patterns import Pattern, compile_pattern
from jdkmatrix.config.yaml_model import StrictModel, UniqueIds, load


class Mask(StrictModel):
    """One mask: what matches `pattern` is replaced. `hides` has lines with what is left of each,
    `keeps` lines that it must not change.
    """

    id: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    pattern: Pattern = Field(min_length=1)
    replacement: str
    hides: dict[str, str] = Field(min_length=1)
    keeps: tuple[str, ...] = Field(min_length=1)

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return compile_pattern(self.pattern)

    def apply(self, line: str) -> str:
        """The line with what this mask hides replaced."""
        return self.regex.sub(self.replacement, line)


class MasksFile(StrictModel):
    """`jtreg/masks.yaml`; the masks apply in its order."""

    schema_: Literal[1] = Field(alias="schema")
    masks: Annotated[tuple[Mask, ...], UniqueIds] = Field(min_length=1)


def load_masks(path: Path) -> tuple[Mask, ...]:
    """The masks of a file. Raises UsageError: `file:line: key: what is wrong; accepted`."""
    return load(path, MasksFile).masks


def mask_line(line: str, masks: Iterable[Mask]) -> str:
    """The line without what these masks hide."""
    for mask in masks:
        line = mask.apply(line)
    return line
