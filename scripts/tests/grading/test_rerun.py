# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The command that runs or measures a build again names the very JDKs that were compared, and has
no more words than it shall, whatever a run, a suite or a JDK calls them.
"""

import shlex
from pathlib import Path

import pytest
from pydantic import ValidationError

from jdkmatrix.grading.cell_results import suite_cell
from jdkmatrix.grading.rerun import rerun_command
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.plan.blocks import copies_of
from jdkmatrix.records.record import CellRecord, OverlayRecord
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.case import Case, CaseStatus
from jdkmatrix.texts import quote_again, without_controls
from jdkmatrix.vocabulary import Status
from tests.flow.test_resumed_throughput import make_plan
from tests.report.conftest import make_build

OLD, NEW = make_build("temurin-17.0.7+7"), make_build("temurin-17.0.9+9")
LOCAL = NEW.model_copy(update={"id": f"{NEW.id}@jdk", "source": "local", "home": "/my jdk"})
PATCH = OverlayRecord(
    name="fix", option="--overlay-patch fix.diff", sha256="aa", java_options=(), note=""
)
MOVING = NEW.model_copy(update={"id": f"{NEW.id}@temurin-17", "entry": "temurin-17"})
LAID = NEW.model_copy(update={"id": f"{NEW.id}+overlay-fix", "overlay": PATCH})
LOCAL_LAID = LOCAL.model_copy(update={"id": f"{LOCAL.id}+overlay-fix", "overlay": PATCH})
BUILDS = {build.id: build for build in (OLD, NEW, LOCAL, MOVING, LAID, LOCAL_LAID)}
(COPY,) = copies_of(OLD.id, 1)
(LOCAL_COPY,) = copies_of(LOCAL.id, 1)
THROUGHPUT = "throughput --scenario reuse/brief --client "


@pytest.mark.parametrize(
    ("baseline", "build", "command"),
    [
        (OLD.id, NEW.id, f" --build {OLD.id} --build {NEW.id} --baseline {OLD.id} --blocks "),
        (OLD.id, MOVING.id, f" --build {OLD.id} --build temurin-17 --baseline {OLD.id} --blocks "),
        (MOVING.id, OLD.id, f" --build temurin-17 --build {OLD.id} --baseline temurin-17 "),
        (OLD.id, COPY, f" --build {OLD.id} --baseline {OLD.id} --copies 1 --blocks "),
        (LOCAL.id, LOCAL_COPY, " --jdk '/my jdk' --baseline '/my jdk' --copies 1 --blocks "),
        (NEW.id, LAID.id, f" --build {NEW.id} --overlay-patch fix.diff --blocks "),
        (LOCAL.id, LOCAL_LAID.id, " --jdk '/my jdk' --overlay-patch fix.diff --blocks "),
        (OLD.id, LOCAL.id, f" --build {OLD.id} --jdk '/my jdk' --baseline {OLD.id} --blocks "),
        (LOCAL.id, OLD.id, f" --jdk '/my jdk' --build {OLD.id} --baseline '/my jdk' --blocks "),
    ],
)
def test_the_jdks_that_were_compared(baseline: str, build: str, command: str) -> None:
    plan = make_plan(baseline=baseline, builds=(baseline, build))
    (comparison,) = plan.comparisons
    line = rerun_command(comparison, build, plan, BUILDS)
    assert command in line
    assert THROUGHPUT in line


HOSTILE = ["x; touch /tmp/y #", "$(id)", "a`id`", "'; id; '", "a b --out /home", "a\nid", "\x1b[2J"]


def words_of(line: str) -> list[str]:
    assert line.isprintable()
    return shlex.split(line)


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_a_run_names_is_obeyed_by_a_shell(text: str) -> None:
    """As a build's entry, home and overlay, and as a test's name: each is one word."""
    word = without_controls(text.replace("\n", " "))
    entry = NEW.model_copy(update={"entry": text})
    assert words_of(entry.options) == ["--build", word]
    home = LOCAL.model_copy(update={"home": text})
    assert words_of(home.options) == ["--jdk", word]
    plan = make_plan(baseline=OLD.id, builds=(OLD.id, "odd"))
    line = rerun_command(plan.comparisons[0], "odd", plan, {OLD.id: OLD, "odd": entry})
    assert words_of(line)[:2] == ["scripts/matrix", "throughput"]
    assert words_of(line).count(word) == 1
    request = Request(jdks=(text,), suite=text)
    line = request.resumed_by(Path(text))
    assert words_of(line)[:3] == ["scripts/matrix", "run", "--resume"]
    assert words_of(line)[3:] == ["--jdk", word, "--suite", word, "--out", word]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_cell_is_run_again_by(text: str, tmp_path: Path) -> None:
    test = text.replace("\n", "").replace("\x1b", "").replace("/", "-")
    cell = CellRecord(
        build=NEW.id,
        test=test,
        ended=ChildEnd.FINISHED,
        status=Status.PASSED,
        status_text="Passed.",
        seconds=1,
        test_seconds=1,
        artifacts=(),
    )
    line = suite_cell(cell, RunFolder(tmp_path), NEW, text).rerun
    word = without_controls(text.replace("\n", " "))
    options = ["--suite", word, "--build", NEW.id, "--test", test]
    assert words_of(line) == ["scripts/matrix", "run", *options]


@pytest.mark.parametrize(
    "option", ["--overlay x; id", "--overlay", "--out x", "$(id)", "--overlay 'x", "--overlay a b"]
)
def test_an_overlay_whose_option_is_none_is_a_damaged_record(option: str) -> None:
    with pytest.raises(ValidationError):
        OverlayRecord(name="a", option=option, sha256="aa", java_options=(), note="")


@pytest.mark.parametrize("text", [*HOSTILE, "scripts/matrix run; id", "'", ""])
def test_a_command_of_a_stored_result_is_quoted_again(text: str) -> None:
    case = Case(
        kind="cell",
        build="a",
        group="a",
        subject="a",
        status=next(iter(CaseStatus)),
        grade="a",
        sentence="a",
        rerun=text,
    )
    words = words_of(str(case.rerun))
    assert case.rerun == shlex.join(words)
    assert words_of("scripts/matrix run --jdk '/my jdk'") == words_of(
        quote_again("scripts/matrix run --jdk '/my jdk'")
    )
