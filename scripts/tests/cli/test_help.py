# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The help is a contract: a change of it must be meant. docs/reference/commands.md is all of it.

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
PAGE = Path(__file__).parents[3] / "docs" / "reference" / "commands.md"
HEAD = """<!-- SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors -->
<!-- SPDX-License-Identifier: Apache-2.0 -->

# Commands

What each command says with `--help`. This page is written by
`UPDATE_HELP=1 scripts/test tests/cli/test_help.py`.
"""


def help_of(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main([*command.split(), "--help"]) == 0
    return capsys.readouterr().out


def test_the_page_is_the_help_of_each_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "dumb")
    parts = [
        f"\n## {command or 'scripts/matrix'}\n\n```text\n{help_of(command, capsys)}```\n"
        for command in COMMANDS
    ]
    text = "".join([HEAD, *parts])
    if os.environ.get("UPDATE_HELP"):
        PAGE.write_text(text)
    assert text == (PAGE.read_text() if PAGE.exists() else ""), "UPDATE_HELP=1"


@pytest.mark.parametrize(
    "command", [command for command in COMMANDS if command not in ("jdks", "reports")]
)
def test_each_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Example: scripts/matrix" in help_of(command, capsys)


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
    text = PAGE.read_text()
    for name, summary in SUMMARIES.items():
        usage, summary_line = text.split(f"\n## {name}\n\n", 1)[1].split("\n\n")[:2]
        assert usage.startswith(f"```text\nUsage: scripts/matrix {name} ")
        assert summary_line == f"  {summary}"


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
