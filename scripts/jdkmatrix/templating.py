# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the kit fill its templates?"""

import unicodedata
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

# Unicode's Bidi_Control (UAX #9).
_DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def templates(folder: Path, *, is_html: bool) -> Environment:
    """Those of a folder. A name that a template does not get is an error; HTML is escaped.

    In the others control characters are shown, see `without_controls`.
    """
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=is_html,
        finalize=None if is_html else _shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def without_controls(text: str) -> str:
    """A text with its control and direction characters as escapes; new lines and tabs stay.

    A terminal obeys ESC, and U+202E and its like turn what is read around.
    """
    return "".join(c if _is_harmless(c) else ascii(c)[1:-1] for c in text)


def _is_harmless(c: str) -> bool:
    return c in "\n\t" or not (unicodedata.category(c) == "Cc" or c in _DIRECTIONS)


def _shown(value: Any) -> Any:
    return without_controls(value) if isinstance(value, str) else value
