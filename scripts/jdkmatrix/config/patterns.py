# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A regular expression that a user or a file gives, compiled or refused in one line."""

import re
import warnings
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator

from jdkmatrix.errors import one_line

# What `re` raises besides its own error: of a count with 5,000 digits or one beyond 32 bits, and
# of a thousand brackets in each other.
_REFUSALS = (re.error, ValueError, OverflowError, RecursionError)


@lru_cache
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """The compiled pattern. Raises ValueError, which says what is wrong and what is accepted."""
    try:
        with warnings.catch_warnings():  # of what a later Python may take in another way
            warnings.simplefilter("ignore", FutureWarning)
            return re.compile(pattern)
    except _REFUSALS as error:
        text = f"not a regular expression: {one_line(str(error))}"
        raise ValueError(f"{one_line(pattern)}: {text}; accepted: Python's `re`") from None


def check_pattern(pattern: str) -> str:
    """The same pattern. Raises ValueError for what is none."""
    compile_pattern(pattern)
    return pattern


Pattern = Annotated[str, AfterValidator(check_pattern)]
