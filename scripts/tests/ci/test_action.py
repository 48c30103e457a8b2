# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The action's own shell lines, run as a runner does, with a kit that tells how it was called."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

CALLED = """#!/bin/sh
printf '%s\\n' "$@" > "$0.called"
exit "$PLAYED_CODE"
"""


def action(root: Path) -> dict[str, Any]:
    document: dict[str, Any] = YAML(typ="safe").load((root / "action.yml").read_text())
    return document


def script(root: Path) -> str:
    (step,) = action(root)["runs"]["steps"]
    return str(step["run"])


def call_action(
    root: Path, kit: Path, played_code: int = 0, **options: str
) -> tuple[int, list[str], dict[str, str]]:
    """Run it with these inputs: exit code, what the kit was called with, and the outputs."""
    (kit / "scripts").mkdir()
    matrix = kit / "scripts" / "matrix"
    matrix.write_text(CALLED)
    matrix.chmod(0o755)
    (step,) = action(root)["runs"]["steps"]
    defaults = {name: option["default"] for name, option in action(root)["inputs"].items()}
    inputs = {f"${{{{ inputs.{name} }}}}": text for name, text in {**defaults, **options}.items()}
    environment = {name: inputs.get(text, str(kit)) for name, text in step["env"].items()}
    output = kit / "output"
    output.write_text("")
    process = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
        cwd=kit,
        env={
            **os.environ,
            **environment,
            "GITHUB_OUTPUT": str(output),
            "PLAYED_CODE": str(played_code),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert process.stderr == ""
    outputs = dict(line.split("=", 1) for line in output.read_text().splitlines())
    return process.returncode, Path(f"{matrix}.called").read_text().splitlines(), outputs


def test_inputs_become_options(root: Path, tmp_path: Path) -> None:
    code, words, outputs = call_action(
        root,
        tmp_path,
        jdk="/opt/my jdk",
        builds="temurin-17* $(touch x)",
        bugs="8293562 8170305",
        tests=":tier1",
        shard="2/4",
        record="true",
        out="shard",
    )
    assert (code, outputs) == (0, {"verdict": "as-expected", "report": "shard"})
    assert words == [
        *("run", "--out", "shard", "--jdk=/opt/my jdk"),
        *("--build=temurin-17*", "--build=$(touch", "--build=x)"),
        *("--bug=8293562", "--bug=8170305", "--test=:tier1", "--shard", "2/4", "--record"),
    ]
    assert not (tmp_path / "x").exists()


def test_without_inputs_it_is_the_kits_own_choice(root: Path, tmp_path: Path) -> None:
    _, words, outputs = call_action(root, tmp_path)
    assert words == ["run", "--out", outputs["report"]]
    assert outputs["report"].startswith(f"{tmp_path}/reports/2")


@pytest.mark.parametrize(
    ("exit_code", "tolerance", "code", "verdict"),
    [
        (1, "", 1, "surprise"),
        (1, "1 3", 0, "surprise"),
        (3, "1 3", 0, "nothing-ran"),
        (2, "1 3", 2, "incomplete"),
        (4, "", 4, "bad-arguments"),
        (137, "1 3", 137, "incomplete"),
    ],
)
def test_the_verdict_is_told_and_fails_the_step(
    root: Path, tmp_path: Path, exit_code: int, tolerance: str, code: int, verdict: str
) -> None:
    step_code, _, outputs = call_action(root, tmp_path, exit_code, tolerate=tolerance)
    assert (step_code, outputs["verdict"]) == (code, verdict)


def test_its_lines_pass_shellcheck(root: Path) -> None:
    process = subprocess.run(
        [Path(sys.executable).with_name("shellcheck"), "--shell=bash", "-"],
        input=script(root),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert process.stdout == ""
