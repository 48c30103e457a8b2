# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a program said, without what a build is called and where it lies; and whether it failed."""

from pathlib import Path

import pytest

from jdkmatrix.config.masks import load_masks
from jdkmatrix.evidence.program_answer import (
    TIMED_OUT,
    ProgramAnswer,
    outcome_by,
    read_answer,
    takes_too_long,
)
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.machine.user_patterns import PatternSearches
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import CellRecord
from jdkmatrix.records.request import ProgramRequest
from jdkmatrix.verdict.program_groups import Reply
from jdkmatrix.vocabulary import Outcome, Status
from jdkmatrix.words.programs import too_long_a_search
from tests.run.cells.test_runner import BUILD

MASKS = load_masks(Checkout.current().masks)
JDK = BUILD.model_copy(
    update={
        "home": "/opt/jdk",
        "train": 17,
        "facts": {"version": "17.0.9+9-Debian-1", "vendor": "Eclipse Adoptium"},
    }
)


def read(tmp_path: Path, text: str, status: str = "Passed. exit code 0") -> ProgramAnswer:
    (tmp_path / "output.txt").write_text(text)
    word = {"Passed": Status.PASSED, "Failed": Status.FAILED, "Not": Status.NOT_RUN}
    cell = CellRecord(
        build=JDK.id,
        test="Repro.java",
        ended=ChildEnd.FINISHED,
        status=word.get(status.split(".")[0].split(" ")[0], Status.ERROR),
        status_text=status,
        seconds=1,
        test_seconds=1,
        artifacts=(),
    )
    if status.startswith("Error. did not end"):
        cell = cell.model_copy(update={"ended": ChildEnd.TIMEOUT})
    return read_answer(cell, tmp_path, JDK, MASKS)


@pytest.mark.parametrize(
    "line, masked_line",
    [
        ("User-Agent: Java/17.0.9", "User-Agent: Java/<version>"),
        ("17.0.9+9-Debian-1", "<version>"),
        ("17.0.91", "17.0.91"),
        ("Java 17", "Java <version>"),
        ("User-Agent: Java-http-client/17", "User-Agent: Java-http-client/<version>"),
        ("java.vm.specification.version=17", "java.vm.specification.version=<version>"),
        ("java.options=17", "java.options=17"),
        ("chain of 17", "chain of 17"),
        ("# java: 17.0.9, Eclipse Adoptium", "# java: <version>, <vendor>"),
        ("in /opt/jdk/lib/security", "in <jdk>/lib/security"),
        ("at 127.0.0.1:43123", "at 127.0.0.1:<port>"),
    ],
)
def test_what_a_build_is_called_is_masked(tmp_path: Path, line: str, masked_line: str) -> None:
    assert read(tmp_path, f"{line}\n").answer.lines == (masked_line,)


def test_where_it_really_is_is_masked_too(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    answer = read(tmp_path / "link", f"{tmp_path}/real/scratch\n{tmp_path}/link/scratch\n").answer
    assert answer.lines == ("<folder>", "<folder>")


def test_frames_of_the_jdk_are_left_out_and_the_program_s_own_stay(tmp_path: Path) -> None:
    text = 'Exception in thread "main" x.Y: z\n\tat java.base/a.B.c(B.java:1)\n\tat R.m(R.java:2)\n'
    assert read(tmp_path, text, "Failed. exit code 1").answer == Reply(
        "exit code 1", ('Exception in thread "main" x.Y: z', "\tat R.m(R.java:2)")
    )


def test_a_thread_dump_of_a_late_jvm_is_none_of_its_output(tmp_path: Path) -> None:
    text = "begins\nFull thread dump OpenJDK\n..."
    answer = read(tmp_path, text, "Error. did not end within 60 s").answer
    assert answer == Reply(TIMED_OUT, ("begins",))


def test_what_could_not_run_says_why(tmp_path: Path) -> None:
    assert read(tmp_path, "", "Not selected: it needs Java 25").lack == "it needs Java 25"


def said_by(text: str, ending: str = "exit code 0") -> ProgramAnswer:
    return ProgramAnswer(Reply(ending, tuple(text.splitlines())), text)


@pytest.mark.parametrize(
    "options, text, ending, outcome",
    [
        ({}, "", "exit code 0", Outcome.NOT_REPRODUCED),
        ({}, "", "exit code 125", Outcome.INCONCLUSIVE),
        ({}, "", "exit code 1", Outcome.REPRODUCED),
        ({}, "", "killed by SIGSEGV", Outcome.REPRODUCED),
        ({}, "", TIMED_OUT, Outcome.REPRODUCED),
        ({"fails_with": "CR exp"}, "a CR expected", "exit code 0", Outcome.REPRODUCED),
        ({"fails_with": "CR exp"}, "", "exit code 1", Outcome.NOT_REPRODUCED),
        ({"fails_with": "CR exp"}, "", TIMED_OUT, Outcome.INCONCLUSIVE),
        ({"fails_with": "does not end"}, "", TIMED_OUT, Outcome.REPRODUCED),
        ({"fails_with": "^b$"}, "a\nb\nc", "exit code 0", Outcome.REPRODUCED),
        ({"passes_with": "200"}, "HTTP 200", "exit code 1", Outcome.NOT_REPRODUCED),
        ({"passes_with": "200"}, "", TIMED_OUT, Outcome.REPRODUCED),
    ],
)
def test_whether_it_failed(
    options: dict[str, str], text: str, ending: str, outcome: Outcome
) -> None:
    request = ProgramRequest.model_validate({"path": "/R.java", **options})
    assert outcome_by(said_by(text, ending), request, PatternSearches()) is outcome


@pytest.mark.parametrize("option", ["fails_with", "passes_with"])
def test_a_pattern_that_is_searched_for_too_long_says_nothing(
    option: str,
) -> None:
    searches = PatternSearches(most_s=1)
    request = ProgramRequest.model_validate({"path": "/R.java", option: "(a+)+$"})
    answer = said_by("a" * 40 + "b")
    assert outcome_by(answer, request, searches) is Outcome.INCONCLUSIVE
    assert takes_too_long(answer, request, searches)
    reason = too_long_a_search(request)
    assert reason.startswith(f"--{option.replace('_', '-')} (a+)+$: no match within ")
    assert "\n" not in reason and "; accepted: " in reason
    quick = ProgramRequest.model_validate({"path": "/R.java", option: "^a+b$"})
    assert not takes_too_long(answer, quick, searches)


def test_what_could_not_run_has_no_verdict() -> None:
    lacking = ProgramAnswer(Reply("", ()), "", "no module")
    assert (
        outcome_by(lacking, ProgramRequest(path="/R.java"), PatternSearches())
        is Outcome.NOT_APPLICABLE
    )
