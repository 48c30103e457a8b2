# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the kit fill its templates?"""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def templates(folder: Path, *, is_html: bool) -> Environment:
    """Those of a folder. A name that a template does not get is an error; HTML is escaped."""
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=is_html,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
