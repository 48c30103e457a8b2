# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The help is a contract (DESIGN.md section 4): a change of it must be meant.

After a meant change: UPDATE_HELP=1 scripts/test tests/cli/test_help.py
"""

import os
import re
from pathlib import Path

import pytest

from jdkmatrix.cli.app import main

COMMANDS = [
    "",
    "run",
    "throughput",
    "validate",
    "bisect",
    "planted",
    "plan",
    "merge",
    "report",
    "diagnose",
    "doctor",
    "completion",
    "jdks",
    "jdks list",
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
    assert text == frozen.read_text()
    assert "Example: scripts/matrix" in text or command == "jdks"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    out = capsys.readouterr().out
    assert re.fullmatch(r"matrix \d+\.\d+\.\d+( [0-9a-f]{12}(-dirty)?)?\n", out)
