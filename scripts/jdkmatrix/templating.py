# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the kit fill its templates with texts that may contain anything?"""

import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from jdkmatrix.texts import count_of, without_controls

# What has a meaning within a line of Markdown (CommonMark 0.31, section 6; GFM's tables,
# strikethrough and bare links, GitHub's formulas). An underscore within a word has none, nor has <
# before a blank, as between stack frames.
_INLINE = re.compile(
    r"[\\`*\[\]|~$]|<(?!\s)|:(?=//)|(?<=www)\.|&(?=#|\w)|(?<![^\W_])_|_(?![^\W_])",
    re.IGNORECASE,
)
# At a line's start: a heading, a quotation, a list, a rule, an underline.
_BLOCK = re.compile(r"^(\s*)(?=[#>]|[-+=](?:[-+=\s]|$))|^(\s*\d+)(?=[.)](?:\s|$))")
# GitHub notifies whoever a text mentions, escaped or not, and links mail addresses. A Java object
# is neither: Thread@1f32e575.
_MENTION = re.compile(r"(?<!\w)@(?=\w)|@(?=[\w-]+\.\w)")
_WORD_JOINER = "&#8288;"


class Verbatim(str):
    """A text that is already escaped for its place in a template."""


def templates(folder: Path, *, is_html: bool) -> Environment:
    """The templates of a folder. A name that a template is not given is an error.

    Values are escaped, in templates that are not HTML as a part of a line of Markdown; the filters
    `code` and `fenced` show a value as code there; `3 | count_of("cell")` is `3 cells`.
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
    environment.filters |= {"code": code, "count_of": count_of, "fenced": fence_text}
    return environment


def markdown(text: str) -> str:
    """The text as one line that Markdown shows literally."""
    line = re.sub(r"\s+", " ", without_controls(text))
    literal = _BLOCK.sub(r"\1\2\\", _INLINE.sub(r"\\\g<0>", line))
    return _MENTION.sub(f"@{_WORD_JOINER}", literal)


def code(text: str, *, in_table: bool = False) -> Verbatim:
    """The text as one line of code in Markdown. In a table a bar would end its column."""
    line = re.sub(r"\s+", " ", without_controls(text))
    fence = _fence(line, 1)
    if line.startswith("`") or line.endswith("`"):
        line = f" {line} "
    return Verbatim(fence + (line.replace("|", r"\|") if in_table else line) + fence)


def fence_text(text: str) -> Verbatim:
    """The text as a fenced code block in Markdown."""
    literal = without_controls(text)
    fence = _fence(literal, 3)
    return Verbatim(f"{fence}\n{literal}\n{fence}")


def _fence(text: str, minimum: int) -> str:
    return "`" * max(minimum, 1 + max(map(len, re.findall("`+", text)), default=0))


def _in_markdown(content: Any) -> Any:
    return (
        markdown(content)
        if isinstance(content, str) and not isinstance(content, Verbatim)
        else content
    )


def _in_html(content: Any) -> Any:
    if isinstance(content, Markup):
        return Markup(without_controls(content))
    return without_controls(content) if isinstance(content, str) else content
