# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a Markdown page has, as GitHub reads it: headings, links, fenced blocks, commands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(
    r"^(?P<mark>```+)[^\n]*\n(?P<text>.*?)^(?P=mark)[ \t]*$", re.MULTILINE | re.DOTALL
)
_INDENTED = re.compile(r"(?:^ {4}.*\n)+", re.MULTILINE)
_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_SOURCE = re.compile(r"<img[^>]*? src=\"([^\"]+)\"")
_HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
_LINK_TEXT = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_BEHIND_COMMAND = re.compile(r"\s(?:#|\||>|&&|2>|;)(?:\s|$).*")


@dataclass(frozen=True)
class Link:
    """A link of a page: to a file relative to it, an anchor, or both."""

    target: str
    anchor: str


def pages(root: Path) -> list[Path]:
    """Every Markdown file of the checkout; of `reports/` those that belong to it."""
    files = sorted(root.rglob("*.md"))
    return [file for file in files if _is_kept(file.relative_to(root))]


def _is_kept(path: Path) -> bool:
    if any(part.startswith(".") for part in path.parts):
        return False
    return path.parts[0] != "reports" or path.parts[1].startswith("sample")


def links(text: str) -> list[Link]:
    """Those to places of the checkout."""
    prose = _CODE.sub("", _FENCE.sub("", _COMMENT.sub("", text)))
    targets = [*_LINK.findall(prose), *_SOURCE.findall(prose)]
    parts = [target.partition("#") for target in targets if not re.match(r"\w+:", target)]
    return [Link(target, anchor) for target, _, anchor in parts]


def anchors(text: str) -> set[str]:
    """The anchors that GitHub makes of a page's headings; of equal ones each has a number."""
    names: dict[str, int] = {}
    slugs = set()
    for heading in _HEADING.findall(_FENCE.sub("", text)):
        plain = _LINK_TEXT.sub(r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        count = names.get(name, 0)
        names[name] = count + 1
        slugs.add(f"{name}-{count}" if count else name)
    return slugs


def blocks(text: str) -> list[str]:
    """The texts of fenced blocks, and of indented ones."""
    fences = [match["text"] for match in _FENCE.finditer(text)]
    paragraphs = _INDENTED.findall(_FENCE.sub("", text))
    return [*fences, *(re.sub(r"^ {4}", "", block, flags=re.MULTILINE) for block in paragraphs)]


def outputs(text: str) -> dict[str, str]:
    """By command, what a block shows as its output: those that begin with `$ scripts/matrix`."""
    texts = {}
    for match in _FENCE.finditer(text):
        head, _, output = match["text"].partition("\n")
        if head.startswith("$ scripts/matrix") and output:
            texts[without_end(head.removeprefix("$ "))] = output
    return texts


def commands(text: str) -> Iterator[str]:
    """The calls of `scripts/matrix` in blocks and in the text, without what is behind them."""
    for block in blocks(text):
        for line in block.replace("\\\n", " ").splitlines():
            command = line.strip().removeprefix("$ ")
            if command.startswith("scripts/matrix"):
                yield without_end(command)
    prose = _FENCE.sub("", text).replace("\n", " ")
    for _, code in _CODE.findall(prose):
        if code.startswith("scripts/matrix "):
            yield without_end(code)


def without_end(line: str) -> str:
    """A command without its comment, redirection or pipe."""
    return _BEHIND_COMMAND.sub("", line).strip()
