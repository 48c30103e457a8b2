# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The help is a contract: a change of it must be meant.

After a meant change: UPDATE_HELP=1 scripts/test tests/cli/test_help.py
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.cli.commands import SUMMARIES

COMMANDS = [
    "",
    *SUMMARIES,
    "reports list",
    "reports prune",
    "jdks list",
    "jdks discover",
    "jdks fetch",
    "jdks lock",
    "jdks verify",
    "jdks add",
    "jdks prune",
]
FOLDER = Path(__file__).with_name("help")


@pytest.mark.parametrize("command", COMMANDS)
def test_help(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "dumb")
    assert main([*command.split(), "--help"]) == 0
    text = capsys.readouterr().out
    frozen = FOLDER / f"{command.replace(' ', '-') or 'matrix'}.txt"
    if os.environ.get("UPDATE_HELP"):
        frozen.write_text(text)
    assert text == (frozen.read_text() if frozen.exists() else ""), "UPDATE_HELP=1"
    assert "Example: scripts/matrix" in text or command in ("jdks", "reports")


@pytest.mark.parametrize("command", ["", "jdks", "reports"])
def test_a_list_of_commands_is_whole_in_80_columns(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*command.split(), "--help"]) == 0
    lines = capsys.readouterr().out.partition("Commands:\n")[2].split("\n\n")[0].splitlines()
    assert lines
    assert [line for line in lines if line.endswith("...")] == []


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    out = capsys.readouterr().out
    assert re.fullmatch(r"matrix \d+\.\d+\.\d+( [0-9a-f]{12}(-dirty)?)?\n", out)


def test_the_list_of_commands_says_what_each_says_of_itself() -> None:
    for name, summary in SUMMARIES.items():
        assert f"\n\n  {summary}\n" in (FOLDER / f"{name}.txt").read_text()


def test_help_imports_no_command() -> None:
    """Half a second of CPU time at the most: pydantic alone takes as much."""
    code = (
        "import sys; from jdkmatrix.cli.app import main; main(['--help']);"
        "print([name for name in ('pydantic', 'rich', 'yaml', 'jinja2') if name in sys.modules])"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert process.stdout.splitlines()[-1] == "[]"
