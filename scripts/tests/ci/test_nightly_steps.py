# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The nightly workflow's own shell lines, run as a runner does: plan, merge, compare, exit."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.flow.shard_kit import store_shards

pytestmark = pytest.mark.slow


class Runner:
    """Plays the runner in a copy of the checkout: each step is `bash -e` with its outputs."""

    def __init__(self, root: Path, workspace: Path) -> None:
        self.workspace = workspace
        text = (root / ".github" / "workflows" / "nightly.yml").read_text()
        self._jobs = YAML(typ="safe").load(text)["jobs"]

    def step(self, job: str, named: str, **environment: str) -> tuple[int, str, dict[str, str]]:
        """Run the step with that name or id: exit code, output, and what it set."""
        (script,) = (
            step["run"]
            for step in self._jobs[job]["steps"]
            if "run" in step and named in (step.get("id"), step.get("name"))
        )
        output, summary = self.workspace / "output", self.workspace / "summary"
        output.write_text("")
        files = {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)}
        done = subprocess.run(
            ["bash", "-e", "-c", script],
            cwd=self.workspace,
            env={**os.environ, **files, **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        pairs = (line.partition("=") for line in output.read_text().splitlines())
        return done.returncode, done.stdout + done.stderr, {key: value for key, _, value in pairs}


@pytest.fixture(scope="module")
def checkout(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of it, as it is before the first night."""
    workspace = tmp_path_factory.mktemp("night") / "workspace"
    for name in ("scripts", "test", "jtreg"):
        ignored = shutil.ignore_patterns("tests", ".*_cache")  # compiled it starts in half the time
        shutil.copytree(root / name, workspace / name, ignore=ignored)
    for name in ("jdks.yaml", "jdks.lock"):
        shutil.copy(root / name, workspace)
    (workspace / "reports").mkdir()
    return workspace


@pytest.fixture(scope="module")
def first_night(root: Path, checkout: Path) -> Path:
    """The same after its first night, which found a surprise and could not be compared."""
    runner = Runner(root, checkout.with_name("first"))
    shutil.copytree(checkout, runner.workspace)
    assert night(runner) == (1, 1, "No night before to compare with.\n", "1")
    assert (runner.workspace / "summary").read_text().count("## Flagged") == 1
    return runner.workspace


@pytest.fixture
def runner(root: Path, first_night: Path, tmp_path: Path) -> Runner:
    workspace = tmp_path / "workspace"
    shutil.copytree(first_night, workspace, symlinks=True)
    return Runner(root, workspace)


def night(runner: Runner, kept: int = 3, arguments: str = "") -> tuple[int, int, str, str]:
    """Merge and compare: their two codes, what was said, and the last step's exit code."""
    shards = runner.workspace / "shards"
    shutil.rmtree(shards, ignore_errors=True)
    for place in store_shards(shards)[kept:]:
        shutil.rmtree(place)
    code, output, merged = runner.step("merge", "merge")
    assert code == 0, output
    code, output, compared = runner.step(
        "merge", "compare", MERGED=merged["code"], ARGUMENTS=arguments
    )
    assert code == 0, output
    last, _, _ = runner.step(
        "merge", "Fail if something changed, or a shard was lost", CODE=compared["code"]
    )
    changes = (runner.workspace / "changes.txt").read_text()
    return int(merged["code"]), int(compared["code"]), changes, str(last)


def test_a_plan_becomes_the_matrix_of_jobs(root: Path, checkout: Path) -> None:
    runner = Runner(root, checkout)
    code, output, outputs = runner.step(
        "plan", "plan", BUILDS="temurin-17* debian-8", BUGS="8170305", SHARDS="2"
    )
    assert code == 0, output
    arguments = outputs["arguments"].split()
    assert arguments == ["--build=temurin-17*", "--build=debian-8", "--bug=8170305"]
    assert [job["shard"] for job in json.loads(outputs["matrix"])["include"]] == ["1/2", "2/2"]
    code, output, _ = runner.step("plan", "plan", BUILDS="nix; touch x", BUGS="", SHARDS="2")
    assert code == 4
    assert not (runner.workspace / "x").exists()


def test_a_surprise_is_told_the_first_night_and_quiet_the_next(runner: Runner) -> None:
    merged, compared, changes, last = night(runner)
    assert (merged, compared, last) == (1, 0, "0")
    assert changes.startswith("0 changes since ")


def test_one_change_fails_the_night_and_is_counted(runner: Runner) -> None:
    place = runner.workspace / "reports" / "before.json"
    before = json.loads(place.read_text())
    before["cells"] = [cell for cell in before["cells"] if not cell["flags"]]
    place.write_text(json.dumps(before))
    _, compared, changes, last = night(runner)
    assert (compared, last) == (1, "1")
    assert "\n1 change since " in changes


def test_a_part_chosen_by_hand_is_not_compared_and_is_no_measure_for_the_next_night(
    runner: Runner,
) -> None:
    before = (runner.workspace / "reports" / "before.json").read_bytes()
    told = (1, 1, "Not compared: a part of the matrix, chosen by hand.\n", "1")
    assert night(runner, arguments=" --bug=8170305") == told
    assert (runner.workspace / "reports" / "before.json").read_bytes() == before
    assert night(runner)[1] == 0


def test_a_lost_shard_is_no_measure_for_the_next_night(runner: Runner) -> None:
    before = (runner.workspace / "reports" / "before.json").read_bytes()
    merged, compared, _, last = night(runner, kept=2)
    assert (merged, compared, last) == (2, 2, "2")
    assert (runner.workspace / "reports" / "before.json").read_bytes() == before
    assert night(runner)[1] == 0
