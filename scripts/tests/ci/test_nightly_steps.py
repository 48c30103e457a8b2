# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The nightly workflow's own shell lines, run as a runner does: plan, merge, compare, exit."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.flow.shard_kit import store_shards

pytestmark = pytest.mark.slow

SOURCES = ("scripts", "test", "jtreg")


class Runner:
    """Plays the runner in a copy of the checkout: each step is `bash -e` with its outputs."""

    def __init__(self, root: Path, workspace: Path) -> None:
        self.workspace = workspace
        text = (root / ".github" / "workflows" / "nightly.yml").read_text()
        self._jobs = YAML(typ="safe").load(text)["jobs"]

    def step(
        self, job: str, name_or_id: str, **environment: str
    ) -> tuple[int, str, dict[str, str]]:
        """Run the step with that name or id: exit code, output, and what it set."""
        (script,) = (
            step["run"]
            for step in self._jobs[job]["steps"]
            if "run" in step and name_or_id in (step.get("id"), step.get("name"))
        )
        output, summary = self.workspace / "output", self.workspace / "summary"
        output.write_text("")
        files = {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)}
        process = subprocess.run(
            ["bash", "-e", "-c", script],
            cwd=self.workspace,
            env={**os.environ, **files, **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        pairs = (line.partition("=") for line in output.read_text().splitlines())
        return (
            process.returncode,
            process.stdout + process.stderr,
            {key: text for key, _, text in pairs},
        )


@pytest.fixture(scope="module")
def checkout(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of it, as it is before the first night."""
    workspace = tmp_path_factory.mktemp("night") / "workspace"
    for name in SOURCES:
        ignore = shutil.ignore_patterns("tests", ".*_cache")  # compiled it starts in half the time
        shutil.copytree(root / name, workspace / name, ignore=ignore)
    for name in ("jdks.yaml", "jdks.lock"):
        shutil.copy(root / name, workspace)
    (workspace / "reports").mkdir()
    return workspace


@dataclass(frozen=True)
class NightOutcome:
    """What came of a comparison: its code, what was said, and the last step's exit code."""

    code: int
    changes: str
    last: int


@dataclass(frozen=True)
class Nights:
    """The first one found a surprise, the next lost a shard, the third was a part of the matrix.

    In `workspace` the third one's shards, which are all, are merged and not compared.
    """

    workspace: Path
    first: tuple[int, NightOutcome]
    shard_lost: tuple[int, NightOutcome]
    part: tuple[int, NightOutcome]
    summary_of_first: str
    measures: tuple[bytes, ...]
    """What each of the three left for the next night to be compared with."""


@pytest.fixture(scope="module")
def nights(root: Path, checkout: Path) -> Nights:
    runner = Runner(root, copy_workspace(checkout, checkout.with_name("nights")))
    measure = runner.workspace / "reports" / "before.json"
    codes, outcomes, measures, summaries = [], [], [], []
    for count, arguments in ((3, ""), (2, ""), (3, " --bug=8170305")):
        codes.append(merge(runner, count))
        outcomes.append(compare(runner, codes[-1], arguments))
        measures.append(measure.read_bytes())
        summaries.append((runner.workspace / "summary").read_text())
    first, shard_lost, part = zip(codes, outcomes, strict=True)
    return Nights(runner.workspace, first, shard_lost, part, summaries[0], tuple(measures))


@pytest.fixture
def runner(root: Path, nights: Nights, tmp_path: Path) -> Runner:
    return Runner(root, copy_workspace(nights.workspace, tmp_path / "workspace"))


def copy_workspace(workspace: Path, target: Path) -> Path:
    """A copy that shares the files that no step writes."""

    def name_shared(folder: str, _: list[str]) -> set[str]:
        return set(SOURCES) if Path(folder) == workspace else set()

    shutil.copytree(workspace, target, symlinks=True, ignore=name_shared)
    for name in SOURCES:
        shutil.copytree(workspace / name, target / name, copy_function=os.link)
    return target


def merge(runner: Runner, count: int) -> int:
    shards = runner.workspace / "shards"
    shutil.rmtree(shards, ignore_errors=True)
    for place in store_shards(shards)[count:]:
        shutil.rmtree(place)
    code, output, outputs = runner.step("merge", "merge")
    assert code == 0, output
    return int(outputs["code"])


def compare(runner: Runner, merge_code: int, arguments: str = "") -> NightOutcome:
    code, output, outputs = runner.step(
        "merge", "compare", MERGED=str(merge_code), ARGUMENTS=arguments
    )
    assert code == 0, output
    last, _, _ = runner.step(
        "merge", "Fail if something changed, or a shard was lost", CODE=outputs["code"]
    )
    changes = (runner.workspace / "changes.txt").read_text()
    return NightOutcome(int(outputs["code"]), changes, last)


def test_what_is_no_change_of_the_night_is_not_among_the_changes(runner: Runner) -> None:
    """A line on the caller's variables, and one on how to go on."""
    lines = (
        "matrix: not handed on, as each JVM or Python would heed it: JAVA_TOOL_OPTIONS",
        "matrix: interrupted; resume it: scripts/matrix run --resume",
        "matrix: shard 3/3 is missing",
        "else",
    )
    (runner.workspace / "told.txt").write_text("\n".join(lines) + "\n")
    outcome = compare(runner, 2)
    assert outcome.changes.startswith("shard 3/3 is missing\n")
    assert "handed on" not in outcome.changes
    assert "resume" not in outcome.changes


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


def test_a_surprise_is_told_the_first_night_and_quiet_the_next(
    nights: Nights, runner: Runner
) -> None:
    assert nights.first == (1, NightOutcome(1, "No night before to compare with.\n", 1))
    assert nights.summary_of_first.count("**flagged**") == 1
    outcome = compare(runner, nights.part[0])
    assert (outcome.code, outcome.last) == (0, 0)
    assert outcome.changes.startswith("0 changes since ")


def test_one_change_fails_the_night_and_is_counted(nights: Nights, runner: Runner) -> None:
    place = runner.workspace / "reports" / "before.json"
    measure = json.loads(place.read_text())
    measure["cells"] = [cell for cell in measure["cells"] if not cell["flags"]]
    place.write_text(json.dumps(measure))
    outcome = compare(runner, nights.part[0])
    assert (outcome.code, outcome.last) == (1, 1)
    assert "\n1 change since " in outcome.changes


def test_a_part_chosen_by_hand_is_not_compared_and_is_no_measure_for_the_next_night(
    nights: Nights,
) -> None:
    """That the next is quiet is what a surprise asks, which follows this one."""
    assert nights.part == (
        1,
        NightOutcome(1, "Not compared: a part of the matrix, chosen by hand.\n", 1),
    )
    assert nights.measures[2] == nights.measures[1]


def test_a_lost_shard_is_named_and_is_no_measure_for_the_next_night(nights: Nights) -> None:
    """The next is quiet, too."""
    merge_code, outcome = nights.shard_lost
    assert (merge_code, outcome.code, outcome.last) == (2, 2, 2)
    assert outcome.changes.startswith("shard 3/3 is missing: 1 cell was not run\n")
    assert " since " in outcome.changes.splitlines()[-1]
    assert nights.measures[1] == nights.measures[0]
