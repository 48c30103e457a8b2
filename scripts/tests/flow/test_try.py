# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A program on each build, from the request to the exit code. Without Java."""

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from jdkmatrix.cli.app import main
from jdkmatrix.cli.options import request_of
from jdkmatrix.cli.run import exit_code
from jdkmatrix.cli.try_program import tried_request
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.config.version import parse
from jdkmatrix.errors import ExitCode, UsageError
from jdkmatrix.evidence.cause import CauseSource
from jdkmatrix.evidence.digest import Digest
from jdkmatrix.flow.tools import Tools
from jdkmatrix.grading.cell_recordings import subject_recording
from jdkmatrix.grading.whole_run import assemble
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.selection import Selection
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.request import ProgramRequest, Request
from jdkmatrix.records.store import RunFolder
from jdkmatrix.report.ci.junit import junit_xml
from jdkmatrix.report.console.summary import print_summary
from jdkmatrix.report.written_reports import render
from jdkmatrix.results.document import Results
from jdkmatrix.run.cells.execution import Execution
from jdkmatrix.supply.build import Build
from jdkmatrix.vocabulary import Status
from tests.evidence.test_cause import make_blocked, make_recording
from tests.flow.run_kit import PLAIN, Stage, StandInSupplier, resume, run

BUILDS = ("temurin-17.0.3+7", "temurin-17.0.7+7", "temurin-17.0.9+9", "temurin-21.0.4+7")
NAME = "Repro.java"


class FourBuilds(StandInSupplier):
    """Has each build that it is asked for, in no order of versions."""

    def stream_outcomes(self, build_entries: Iterable[Any]) -> Iterator[Build]:
        for entry in reversed([*build_entries]):
            version = parse(entry.id.partition("-")[2])
            yield replace(
                PLAIN, id=entry.id, entry_id=entry.id, version=version, train=version.train
            )


@dataclass
class PlayedProgram:
    """Says on each build, in turn, what `texts` has for it; `codes` has exit codes but 0."""

    texts: Mapping[str, tuple[str, ...]]
    codes: Mapping[str, int]
    runs: Counter[str]

    def __call__(self, build: BuildRecord, _: str, folder: Path, **__: Any) -> Execution:
        text = self.texts.get(build.id, ("ok\n",))
        (folder / "output.txt").write_text(text[self.runs[build.id] % len(text)])
        self.runs[build.id] += 1
        code = self.codes.get(build.id, 0)
        if code < 0:
            return Execution(
                ChildEnd.FINISHED, Status.NOT_RUN, "Not selected: it needs a display", None
            )
        status = Status.FAILED if code else Status.PASSED
        return Execution(ChildEnd.FINISHED, status, f"{status.title()}. exit code {code}", 1.0)


def try_it(
    out: Path,
    texts: Mapping[str, tuple[str, ...]] | None = None,
    codes: Mapping[str, int] | None = None,
    **options: Any,
) -> tuple[Results, Counter[str]]:
    program = PlayedProgram(texts or {}, codes or {}, Counter())
    request = Request(
        builds=BUILDS,
        tests=(NAME,),
        suite="/home/me",
        program=ProgramRequest(path=f"/home/me/{NAME}", **options),
    )
    stage = Stage(supplier=FourBuilds(), run=program)
    return run(out, request, stage=stage), program.runs


def print_it(results: Results, out: Path) -> str:
    console_text = io.StringIO()
    print_summary(Console(file=console_text, width=200), results, out)
    return console_text.getvalue()


def test_builds_that_say_the_same(tmp_path: Path) -> None:
    results, runs = try_it(tmp_path)
    assert exit_code(results, strict=False) is ExitCode.OK
    assert "Repro.java: alike on 4 builds." in print_it(results, tmp_path)
    assert set(runs.values()) == {1}


def test_builds_that_differ_are_asked_twice_and_grouped(tmp_path: Path) -> None:
    texts = dict.fromkeys(BUILDS[:2], ("HTTP/1.1 200\n",))
    texts |= {BUILDS[2]: ("java.net.ProtocolException: CR expected\n",)}
    texts |= {BUILDS[3]: ("HTTP/1.1 200\n",)}
    results, runs = try_it(tmp_path, texts)
    assert exit_code(results, strict=False) is ExitCode.SURPRISE
    assert set(runs.values()) == {2}
    text = print_it(results, tmp_path)
    assert text.startswith(
        "Repro.java: 2 groups on 4 builds.\n"
        "A  temurin-17.0.3+7, temurin-17.0.7+7, temurin-21.0.4+7\n"
    )
    sentence = (
        "17: prints `HTTP/1.1 200` up to 17.0.7+7, throws `ProtocolException: CR expected` from "
        "17.0.9+9 on"
    )
    assert sentence in text and "21: prints `HTTP/1.1 200` on 21.0.4+7" in text
    for report in (*render(results).values(), junit_xml(results), results.to_json()):
        assert "CR expected" in report


def test_what_varies_on_each_build_is_no_difference(tmp_path: Path) -> None:
    texts = {build: (f"at {n}1234\n", f"at {n}1235\n") for n, build in enumerate(BUILDS, 1)}
    results, _ = try_it(tmp_path, texts)
    assert exit_code(results, strict=False) is ExitCode.OK
    text = print_it(results, tmp_path)
    assert "alike on 4 builds, but differs from run to run." in text
    assert "differs from run to run: `at 11234`, `at 11235`" in text


def test_what_varies_on_some_builds_is_asked_more_often_and_is_undecided(
    tmp_path: Path,
) -> None:
    texts = {BUILDS[0]: ("b c\n", "a\n", "a\n"), BUILDS[1]: ("a\n", "a\n", "a\n", "b c\n", "a\n")}
    results, runs = try_it(tmp_path, {**texts, BUILDS[2]: ("a\n",), BUILDS[3]: ("a\n",)})
    assert set(runs.values()) == {5}
    (program,) = results.programs
    assert [group.varying for group in program.groups] == [BUILDS[:2]]
    assert exit_code(results, strict=False) is ExitCode.MACHINE  # neither alike nor different
    text = print_it(results, tmp_path)
    assert "undecided: on 2 of 4 builds it differs from run to run." in text
    assert (
        "differs from run to run on temurin-17.0.3+7, temurin-17.0.7+7: `b c`, `a`; 5 runs of each "
        "are too few to tell that from the others: --times 20"
    ) in text


def test_many_runs_tell_it_from_the_others(tmp_path: Path) -> None:
    texts = dict.fromkeys(BUILDS[1:], ("a\n",))
    results, _ = try_it(tmp_path, {**texts, BUILDS[0]: ("b\n", "a\n")}, times=20)
    (program,) = results.programs
    assert [group.builds for group in program.groups] == [BUILDS[:1], BUILDS[1:]]
    assert exit_code(results, strict=False) is ExitCode.SURPRISE
    assert "differs from run to run: `b`, `a`" in print_it(results, tmp_path)


def test_with_a_pattern_builds_pass_or_fail(tmp_path: Path) -> None:
    results, _ = try_it(tmp_path, {BUILDS[0]: ("CR expected\n",)}, fails_with="CR expected")
    assert exit_code(results, strict=False) is ExitCode.SURPRISE
    assert "Repro.java: fails on 1 of 4 builds." in print_it(results, tmp_path)


def test_builds_may_differ_and_all_pass(tmp_path: Path) -> None:
    results, _ = try_it(tmp_path, {BUILDS[0]: ("ok then\n",)}, passes_with="^ok")
    assert exit_code(results, strict=False) is ExitCode.OK
    assert "Repro.java: passes on 4 builds." in print_it(results, tmp_path)


def test_a_rate_has_its_interval(tmp_path: Path) -> None:
    texts = {BUILDS[0]: ("bad\n", "ok\n", "ok\n", "ok\n", "ok\n")}
    results, runs = try_it(tmp_path, texts, fails_with="bad", times=5)
    assert set(runs.values()) == {5}
    assert "temurin-17.0.3+7: failed in 1 of 5 runs (1% to 72%, at 95 %)" in print_it(
        results, tmp_path
    )


def test_a_build_that_cannot_run_it_is_no_difference(tmp_path: Path) -> None:
    results, _ = try_it(tmp_path, codes={BUILDS[1]: -1})
    assert exit_code(results, strict=False) is ExitCode.OK
    assert "could not run on temurin-17.0.7+7: it needs a display" in print_it(results, tmp_path)


def test_no_build_could_run_it(tmp_path: Path) -> None:
    results, _ = try_it(tmp_path, codes=dict.fromkeys(BUILDS, -1))
    assert exit_code(results, strict=False) is ExitCode.MACHINE
    assert "Repro.java: no build could run it." in print_it(results, tmp_path)


def test_it_fails_everywhere(tmp_path: Path) -> None:
    results, _ = try_it(tmp_path, codes=dict.fromkeys(BUILDS, 1))
    assert exit_code(results, strict=False) is ExitCode.OK
    assert "alike on 4 builds.\n" in print_it(results, tmp_path)
    judged_results, _ = try_it(
        tmp_path / "judged", codes=dict.fromkeys(BUILDS, 1), by_exit_code=True
    )
    assert exit_code(judged_results, strict=False) is ExitCode.SURPRISE


def test_an_interrupted_run_is_resumed(tmp_path: Path) -> None:
    def interrupt(*_: Any, **__: Any) -> Execution:
        raise KeyboardInterrupt

    request = Request(
        builds=BUILDS,
        tests=(NAME,),
        suite="/home/me",
        program=ProgramRequest(path=f"/home/me/{NAME}", arguments=("-v",)),
    )
    results = run(tmp_path, request, stage=Stage(supplier=FourBuilds(), run=interrupt))
    assert not results.complete
    line = request.resumed_by(tmp_path)
    assert line == f"scripts/matrix try --resume --out {tmp_path} /home/me/{NAME} -- -v"
    program = PlayedProgram({}, {}, Counter())
    assert resume_try(tmp_path, program).complete


def resume_try(out: Path, program: PlayedProgram) -> Results:
    return resume(out, Stage(supplier=FourBuilds(), run=program), "try")


def test_a_folder_of_programs_is_a_suite(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    suite.mkdir()
    (suite / "A.java").write_text("class A { public static void main(String... a) { } }")
    (suite / "B.java").write_text("class B { static public final void main(String[] a) { } }")
    (suite / "Helper.java").write_text("class Helper { }")
    request = request_of([*BUILDS], suite=str(suite))
    assert request.program and not request.tries and request.command == "run"
    texts = {BUILDS[0]: ("x\n",)}
    stage = Stage(supplier=FourBuilds(), run=PlayedProgram(texts, {}, Counter()))
    results = run(tmp_path / "out", request, stage=stage)
    assert [program.test for program in results.programs] == ["A.java", "B.java"]
    assert "2 of 2 programs differ between builds." in print_it(results, tmp_path)
    (suite / "TEST.ROOT").touch()
    assert request_of([*BUILDS], suite=str(suite)).program is None


def test_a_command_needs_no_compiler(tmp_path: Path) -> None:
    """And one in a folder that is too large to copy is refused, unless it runs there itself."""
    request = Request(
        builds=BUILDS[:1],
        tests=("java",),
        suite=str(tmp_path),
        program=ProgramRequest(command=("{java}",)),
    )
    selection = Selection.resolve(Checkout.current(), request)
    assert not Tools(Checkout.current()).programs(selection, request, PLAIN).programs
    for number in range(2001):
        (tmp_path / str(number)).touch()
    with pytest.raises(UsageError, match=r"too large to be copied for each run .* --in-place"):
        Tools(Checkout.current()).programs(selection, request, PLAIN)
    program = ProgramRequest(command=("{java}",), in_place=True)
    request = request.model_copy(update={"program": program})
    selection = Selection.resolve(Checkout.current(), request)
    assert selection.quiet == {"java"}
    assert Tools(Checkout.current()).programs(selection, request, PLAIN)


def test_its_rerun_line_says_all_of_it(tmp_path: Path) -> None:
    results, _ = try_it(tmp_path, fails_with="a b", timeout_s=600, arguments=("-v",))
    assert results.cells[0].rerun == (
        f"scripts/matrix try --build {results.cells[0].build} --fails-with 'a b' --timeout 600 "
        f"/home/me/{NAME} -- -v"
    )


@pytest.mark.parametrize(
    "command, name",
    [
        (("env", "JAVA_HOME={home}", "mvn", "-q", "test"), "mvn"),
        (("{home}/bin/java", "-version"), "java"),
        (("env", "A={home}"), "command"),
    ],
)
def test_a_command_is_called_by_what_it_runs(command: tuple[str, ...], name: str) -> None:
    request = tried_request(Request(), ProgramRequest(command=command))
    assert request.tests == (name,)


@pytest.mark.parametrize(
    "line, text",
    [
        ("try", "no program; accepted: FILE.java, FILE.jar, DIR, or -- COMMAND"),
        ("try nowhere/Nix.java", "nowhere/Nix.java: no such file"),
        ("try -- echo hi", "echo hi: it would be the same on each build; accepted: a command with"),
        ("try --fails-with ( -- {java} -version", "--fails-with (: not a regular expression"),
        ("try --fails-with a --passes-with b -- {java}", "accepted: one of --fails-with"),
        ("try --cp nowhere.jar -- {java}", "--cp and --java-option are of a file"),
        ("try --times 0 -- {java}", "--times 0: accepted: "),
    ],
)
def test_bad_input(line: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == ExitCode.USAGE
    error = capsys.readouterr().err
    assert text in error and error.count("\n") == 1


def test_what_its_recording_shows_is_told(tmp_path: Path) -> None:
    recording = make_recording(waits=(make_blocked(2_500),))
    digest = Digest(recordings=(recording,), hangs=()).model_dump_json(by_alias=True)
    try_it(tmp_path)
    folder, rulebook = RunFolder(tmp_path), Rulebook.load(Checkout.current())
    for cell in folder.read_run().cells:
        (folder.cell_folder(cell) / "digest.json").write_text(digest)
    results = assemble(folder.read_run(), folder, rulebook)
    assert f"   recorded on {BUILDS[0]}: 2 threads waited 2.5 s" in print_it(results, tmp_path)
    assert {cell.evidence.cause_from for cell in results.cells} == {CauseSource.RECORDING}
    for cell in folder.read_run().cells:
        (folder.cell_folder(cell) / "digest.json").write_text("{")
    second_results = assemble(folder.read_run(), folder, rulebook)
    assert "recorded on" not in print_it(second_results, tmp_path)
    assert all(cell.evidence.recording_error for cell in second_results.cells)


def test_of_a_program_the_largest_recording_is_read(tmp_path: Path) -> None:
    (tmp_path / "jfr").mkdir()
    for name, content in (("a.jfr", b"1"), ("b.jfr", b"22"), ("c.jfr", b"3")):
        (tmp_path / "jfr" / name).write_bytes(content)
    assert subject_recording(tmp_path) is None  # of a reproducer that wrote nothing
    (tmp_path / "output.txt").touch()
    assert subject_recording(tmp_path) == tmp_path / "jfr" / "b.jfr"
