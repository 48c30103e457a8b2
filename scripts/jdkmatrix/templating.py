# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the kit fill its templates, with texts that may hold anything?"""

import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from jdkmatrix.texts import count_of, without_controls

# What means something within a line of Markdown (CommonMark 0.31, section 6; GFM's tables,
# strikethrough and bare links, GitHub's formulas). An underscore within a word means nothing, nor
# does < before a blank, as between the frames of a stack.
_INLINE = re.compile(
    r"[\\`*\[\]|~$]|<(?!\s)|:(?=//)|(?<=www)\.|&(?=#|\w)|(?<![^\W_])_|_(?![^\W_])",
    re.IGNORECASE,
)
# At a line's start: a heading, a quotation, a list, a rule, an underline.
_BLOCK = re.compile(r"^(\s*)(?=[#>]|[-+=](?:[-+=\s]|$))|^(\s*\d+)(?=[.)](?:\s|$))")
# GitHub tells whom a text names, escaped or not, and links an address of mail. An object of Java
# is neither: Thread@1f32e575.
_MENTION = re.compile(r"(?<!\w)@(?=\w)|@(?=[\w-]+\.\w)")
_WORD_JOINER = "&#8288;"


class Verbatim(str):
    """What already fits the place in a template that it is for."""


def templates(folder: Path, *, is_html: bool) -> Environment:
    """Those of a folder. A name that a template does not get is an error.

    What is filled in is escaped, in those that are not HTML as a part of a line of Markdown;
    `code` and `fenced` are for what stands there as code; `3 | count_of("cell")` is `3 cells`.
    """
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=is_html,
        finalize=_in_html if is_html else _in_markdown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"code": code, "count_of": count_of, "fenced": fenced}
    return environment


def markdown(text: str) -> str:
    """A text of one line that Markdown shows as it is."""
    line = re.sub(r"\s+", " ", without_controls(text))
    shown = _BLOCK.sub(r"\1\2\\", _INLINE.sub(r"\\\g<0>", line))
    return _MENTION.sub(f"@{_WORD_JOINER}", shown)


def code(text: str, *, in_table: bool = False) -> Verbatim:
    """A text of one line as code in Markdown. In a table a bar would end its column."""
    line = re.sub(r"\s+", " ", without_controls(text))
    fence = _fence(line, 1)
    if line.startswith("`") or line.endswith("`"):
        line = f" {line} "
    return Verbatim(fence + (line.replace("|", r"\|") if in_table else line) + fence)


def fenced(text: str) -> Verbatim:
    """A text of lines as a block of code in Markdown."""
    shown = without_controls(text)
    fence = _fence(shown, 3)
    return Verbatim(f"{fence}\n{shown}\n{fence}")


def _fence(text: str, least: int) -> str:
    return "`" * max(least, 1 + max(map(len, re.findall("`+", text)), default=0))


def _in_markdown(value: Any) -> Any:
    return markdown(value) if isinstance(value, str) and not isinstance(value, Verbatim) else value


def _in_html(value: Any) -> Any:
    if isinstance(value, Markup):
        return Markup(without_controls(value))
    return without_controls(value) if isinstance(value, str) else value
