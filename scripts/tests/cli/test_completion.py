# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What the shells are told, by the script that they get: bash itself; zsh and fish by protocol."""

import os
import subprocess
from pathlib import Path

import pytest

from jdkmatrix.cli import complete
from jdkmatrix.cli.app import main

pytestmark = pytest.mark.slow

BASH = """
source <("$0" completion bash)
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 ))
_matrix_completion "$0"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def test_bash_completes_commands_and_ids(root: Path) -> None:
    matrix = str(root / "scripts" / "matrix")
    for words, offered in (
        (["matrix", "mer"], ["merge"]),
        (["matrix", "run", "--build", "temurin-17.0.3"], ["temurin-17.0.3+7"]),
        (["matrix", "plan", "--bug", "829356"], ["8293562"]),
    ):
        done = subprocess.run(
            ["bash", "-c", BASH, matrix, *words],
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        assert done.stdout.split() == offered
        assert done.stderr == ""


@pytest.mark.parametrize(
    ("shell", "environment", "offered"),
    [
        ("zsh", {}, '"temurin-17.0.3+7"'),
        ("fish", {"_TYPER_COMPLETE_FISH_ACTION": "get-args"}, "temurin-17.0.3+7"),
    ],
)
def test_other_shells_get_the_same(
    root: Path, shell: str, environment: dict[str, str], offered: str
) -> None:
    asked = {
        "_MATRIX_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": "matrix run --build temurin-17.0.3",
    }
    done = subprocess.run(
        [str(root / "scripts" / "matrix")],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**os.environ, **asked, **environment},
    )
    assert offered in done.stdout
    assert "temurin-17.0.7" not in done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_names_the_program_by_its_path(
    root: Path, shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "_MATRIX_COMPLETE=complete_" in script
    if shell != "bash":  # which hands the word over that the user typed
        assert f" {root}/scripts/matrix" in script


def test_bugs_are_completed_as_they_were_begun() -> None:
    assert [value for value, _ in complete.bugs("829356")] == ["8293562"]
    assert [value for value, _ in complete.bugs("JDK-829356")] == ["JDK-8293562"]


def test_tests_have_their_groups() -> None:
    found = [value for value, _ in complete.tests(":")]
    assert {":full", ":tier1"} <= set(found)
    assert complete.tests("keepalive/Dis") == [("keepalive/DisconnectWaitsForSilentPeer.java", "")]
