# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is each output in the documentation what the kit prints today of that real run?

A line `...` stands for lines that are left out. After a meant change of the kit's words, copy from
the failure what a page has to show.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from jdkmatrix.config.jdks import JdksFile
from tests.conftest import ROOT
from tests.docs.markdown import outputs, pages
from tests.docs.outputs import OUTPUTS
from tests.in_process import Capture, matrix

PAGES = pages(ROOT)
SHOWN = [
    (page, command.removeprefix("scripts/matrix").strip(), text)
    for page in PAGES
    for command, text in outputs(page.read_text("utf-8")).items()
]
# These run here: they need no build.
READ_BY_JAVA = "diagnose"
EXECUTED = ("plan", "bugs", READ_BY_JAVA)
LISTED = "jdks list"
LEFT_OUT = "..."


def missing_lines(excerpt: str, output: str) -> list[str]:
    """The parts of an excerpt, between lines left out, that the output does not have in that order.

    The first part begins the output, the last one ends it.
    """
    lines = [line.rstrip() for line in output.strip("\n").splitlines()]
    parts = re.split(rf"^{re.escape(LEFT_OUT)}\n", excerpt, flags=re.MULTILINE)
    missing, start = [], 0
    for number, part in enumerate(parts):
        rows = [line.rstrip() for line in part.splitlines()]
        starts = [*range(start, len(lines) + 1)] if number else [0]
        if rows and number == len(parts) - 1:
            starts = [line for line in starts if line + len(rows) == len(lines)]
        place = next((n for n in starts if lines[n : n + len(rows)] == rows), None)
        if place is None:
            missing.append(part)
        else:
            start = place + len(rows)
    return missing


def parameters_of(
    commands: Iterable[tuple[Path, str, str]], *, is_executed: bool
) -> list[ParameterSet]:
    """Parameters: those that run here, or those whose results are stored."""
    return [
        pytest.param(
            command,
            text,
            id=f"{page.relative_to(ROOT)}: {command}",
            marks=[pytest.mark.jdk] if command.startswith(READ_BY_JAVA) else [],
        )
        for page, command, text in commands
        if command != LISTED and command.startswith(EXECUTED) is is_executed
    ]


@pytest.mark.parametrize(("command", "excerpt"), parameters_of(SHOWN, is_executed=False))
def test_each_is_what_the_kit_prints_of_that_run(command: str, excerpt: str) -> None:
    assert command in OUTPUTS, "keep its results: tests/docs/outputs.py"
    output = OUTPUTS[command]()
    assert missing_lines(excerpt, output) == [], output


@pytest.mark.parametrize(("command", "excerpt"), parameters_of(SHOWN, is_executed=True))
def test_each_that_needs_no_build_is_what_the_kit_prints(
    command: str, excerpt: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    output = matrix(capsys, *command.split()).stdout
    assert missing_lines(excerpt, output) == [], output


def test_the_list_of_builds_has_entries_of_jdks_yaml(jdks: JdksFile) -> None:
    ids = {entry.id for entry in jdks.builds}
    lists = [text for _, command, text in SHOWN if command == LISTED]
    assert lists
    rows = [row.split()[0] for text in lists for row in text.splitlines() if row != LEFT_OUT]
    assert [row for row in rows if row not in ids] == []


def test_every_stored_run_is_shown() -> None:
    assert set(OUTPUTS) <= {command for _, command, _ in SHOWN}


@pytest.mark.parametrize(
    ("excerpt", "missing"),
    [
        ("a\nb\nc\n", []),
        ("a\n...\nc\n", []),
        ("...\nb\n...\n", []),
        ("...\nb\nc\n", []),
        ("a\nb\n", ["a\nb\n"]),
        ("b\nc\n", ["b\nc\n"]),
        ("a\n...\nd\n", ["d\n"]),
        ("...\nc\n...\nb\n...\n", ["b\n"]),
        ("...\nb\n", ["b\n"]),
    ],
)
def test_what_is_not_printed_is_named(excerpt: str, missing: list[str]) -> None:
    assert missing_lines(excerpt, "a\nb \nc\n\n") == missing
