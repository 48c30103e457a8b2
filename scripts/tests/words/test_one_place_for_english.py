# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does `evidence/` return data, and leave each sentence to `words/`?

A refusal is no sentence about evidence: what is raised says what is wrong with a file.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

# Four words in a row, as no key, pattern, name of an event or option has them.
_PROSE = re.compile(r"(?:[A-Za-z']+[,;:]? ){3}[A-Za-z']")


def sentences(source: str) -> Iterator[tuple[int, str]]:
    """Each text of four words or more, with its line, that is neither documentation nor raised."""
    yield from _sentences(ast.parse(source))


def _sentences(node: ast.AST) -> Iterator[tuple[int, str]]:
    for child in ast.iter_child_nodes(node):
        is_documentation = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if is_documentation or isinstance(child, ast.Raise):
            continue
        if isinstance(child, ast.Constant | ast.JoinedStr):
            text = _text_of(child)
            if _PROSE.search(text):
                yield child.lineno, text
        else:
            yield from _sentences(child)


def _text_of(node: ast.Constant | ast.JoinedStr) -> str:
    """A text; where something is put in, a word stands."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    parts = (_text_of(part) if isinstance(part, ast.Constant) else "xx" for part in node.values)
    return "".join(parts)


def test_evidence_has_no_sentence(root: Path) -> None:
    files = sorted((root / "scripts/jdkmatrix/evidence").glob("*.py"))
    assert len(files) > 15
    for file in files:
        assert not list(sentences(file.read_text())), file.name


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ('text = f"{count} threads waited {ms} ms to enter {frame}"', 1),
        ('TEXTS = {KIND: "The recording was never closed."}', 1),
        ('def wait() -> str:\n    """What is not a sentence."""\n    return "jdk.ThreadPark"', 0),
        ('raise UsageError("accepted: a file with some")', 0),
        ('text += ", waiting for the peer"', 1),
        ('STATES = {"TIMED_WAITING (sleeping": 1}', 0),
    ],
)
def test_what_is_a_sentence(source: str, count: int) -> None:
    assert len(list(sentences(source))) == count
