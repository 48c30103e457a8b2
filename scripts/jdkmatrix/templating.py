# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the kit fill its templates with texts that may contain anything?"""

import re
from collections.abc import Callable
from functools import partial
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
# What has a meaning within a line of Jira's markup: links, macros, images, cells, quotations, signs
# that stand for a picture, and what marks a phrase where it is not within a word. Of these a
# backslash takes the meaning (Text Formatting Notation, "Misc"); the others become an entity.
_JIRA_INLINE = re.compile(
    r"[\[{|^~]|!(?=\S)|\?(?=\?)|(?<![^\W_])[*_+-](?=\S)|(?<=\S)[*_+-](?![^\W_])"
    r"|\((?=(?:[-!+?/*iynx]|on|off|\*[rgby]|flag(?:off)?)\))|(?<=[:;])[()]",
    re.IGNORECASE,
)
_JIRA_ENTITIES = re.compile(r"\\|&(?=#|\w)|:(?=//|[PD]\b)|(?<=mailto):", re.IGNORECASE)
# At a line's start: a list, a heading, a quotation.
_JIRA_BLOCK = re.compile(r"^(\s*)(?:([-*])(?=[-*#\s]|$)|(#)|((?:h[1-6]|bq)(?=\.)))", re.IGNORECASE)
_JIRA_VERBATIM = "{noformat}"
_END_OF_VERBATIM = re.compile(r"\{(?=noformat)", re.IGNORECASE)
# What the plain text of a form heads each of its boxes with.
_FIELD = re.compile(r"^(?===)", re.MULTILINE)


class Verbatim(str):
    """A text that is already escaped for its place in a template."""


def markdown(text: str) -> str:
    """The text as one line that Markdown shows literally."""
    literal = _BLOCK.sub(r"\1\2\\", _INLINE.sub(r"\\\g<0>", _one_line(text)))
    return _MENTION.sub(f"@{_WORD_JOINER}", literal)


def jira(text: str) -> str:
    """The text as one line that Jira's markup shows literally."""
    literal = _JIRA_ENTITIES.sub(_entity, _one_line(text))
    return _JIRA_BLOCK.sub(_without_block, _JIRA_INLINE.sub(r"\\\g<0>", literal))


def templates(
    folder: Path, *, is_html: bool, escape: Callable[[str], str] = markdown
) -> Environment:
    """The templates of a folder. A name that a template is not given is an error.

    Values are escaped, in templates that are not HTML by `escape`, as a part of a line; the filters
    `code` and `fenced` show a value as code in Markdown, `noformat` in Jira's markup, `boxed` as
    lines of a plain text; `3 | count_of("cell")` is `3 cells`.
    """
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=is_html,
        finalize=_in_html if is_html else partial(_escape_text, escape),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"code": code, "count_of": count_of, "fenced": fence_text}
    environment.filters |= {"noformat": show_in_jira, "boxed": show_in_form}
    return environment


def code(text: str, *, in_table: bool = False) -> Verbatim:
    """The text as one line of code in Markdown. In a table a bar would end its column."""
    line = _one_line(text)
    fence = _fence(line, 1)
    if line.startswith("`") or line.endswith("`"):
        line = f" {line} "
    return Verbatim(fence + (line.replace("|", r"\|") if in_table else line) + fence)


def fence_text(text: str) -> Verbatim:
    """The text as a fenced code block in Markdown."""
    literal = without_controls(text)
    fence = _fence(literal, 3)
    return Verbatim(f"{fence}\n{literal}\n{fence}")


def show_in_jira(text: str) -> Verbatim:
    """The text as a block without markup in Jira's."""
    # No escape ends the meaning of its end; a word joiner, which is not seen, does.
    literal = _END_OF_VERBATIM.sub("{\u2060", without_controls(text))
    return Verbatim(f"{_JIRA_VERBATIM}\n{literal}\n{_JIRA_VERBATIM}")


def show_in_form(text: str) -> Verbatim:
    """The text as the lines of one box of a form, none of which looks like the next one's head."""
    return Verbatim(_FIELD.sub(" ", without_controls(text)))


def form(text: str) -> str:
    """The text as one line of a plain text, or a part of one."""
    return _FIELD.sub(" ", _one_line(text))


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", without_controls(text))


def _entity(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"


def _without_block(match: re.Match[str]) -> str:
    blanks, dash, number, word = match.groups()
    if dash:
        return f"{blanks}\\{dash}"
    return f"{blanks}&#35;" if number else f"{blanks}{word[0]}&#8288;{word[1:]}"


def _fence(text: str, minimum: int) -> str:
    return "`" * max(minimum, 1 + max(map(len, re.findall("`+", text)), default=0))


def _escape_text(escape: Callable[[str], str], content: Any) -> Any:
    is_text = isinstance(content, str) and not isinstance(content, Verbatim)
    return escape(content) if is_text else content


def _in_html(content: Any) -> Any:
    if isinstance(content, Markup):
        return Markup(without_controls(content))
    return without_controls(content) if isinstance(content, str) else content
