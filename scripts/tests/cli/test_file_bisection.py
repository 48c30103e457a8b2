# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is said of a program's bisection, and which of it is bad input."""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from jdkmatrix.bisect.candidates import SearchableBuilds
from jdkmatrix.bisect.probes import ProgramProbe
from jdkmatrix.cli.app import main
from jdkmatrix.cli.file_bisection import lines_to_search, search_lines
from jdkmatrix.config.version import parse
from jdkmatrix.errors import ExitCode, UnfinishedError, UsageError

VERSIONS = {
    f"temurin-{text}": parse(text)
    for text in (
        "11.0.2+9",
        "17.0.2+8",
        "17.0.3+7",
        "17.0.7+7",
        "17.0.9+9",
        "21.0.2+13",
        "21.0.4+7",
    )
}
CATALOG = SearchableBuilds(VERSIONS, {})
COMMAND = ("scripts/matrix", "bisect", "--file", "/Repro.java")


def test_each_line_with_two_builds_is_searched() -> None:
    assert list(lines_to_search(CATALOG, None, None, None)) == [17, 21]
    assert list(lines_to_search(CATALOG, 21, None, None)[21]) == [
        "temurin-21.0.2+13",
        "temurin-21.0.4+7",
    ]


def test_only_what_lies_between_two_builds() -> None:
    (versions,) = lines_to_search(CATALOG, None, "temurin-17.0.9+9", "temurin-17.0.3+7").values()
    assert list(versions) == ["temurin-17.0.3+7", "temurin-17.0.7+7", "temurin-17.0.9+9"]


@pytest.mark.parametrize("train, good", [(11, None), (18, None), (17, "temurin-17.0.2+8")])
def test_what_cannot_be_searched(train: int, good: str | None) -> None:
    with pytest.raises(UsageError, match="accepted: "):
        lines_to_search(CATALOG, train, good, None)


@dataclass
class PlayedProbe:
    """Fails on the builds of which `is_failure` says so, as `failures` has it."""

    is_failure: Callable[[str], bool | None]
    failures: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, build: str) -> bool | None:
        return self.is_failure(build)


def search_train(
    is_failure: Callable[[str], bool | None],
    capsys: pytest.CaptureFixture[str],
    failures: Mapping[str, str] | None = None,
) -> tuple[int, str]:
    lines = lines_to_search(CATALOG, 17, None, None)
    code = search_lines(lines, PlayedProbe(is_failure, failures or {}), 0.05, COMMAND)
    return code, capsys.readouterr().out


def test_the_change_is_named_with_what_lies_between(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = search_train(lambda build: build < "temurin-17.0.7", capsys)
    assert code is ExitCode.OK
    assert (
        "17: first fixed: 17.0.7+7 (temurin-17.0.7+7); last bad: 17.0.3+7 (temurin-17.0.3+7)\n"
        "  between 17.0.3+7 and 17.0.7+7: releases 17.0.4 to 17.0.6" in text
    )
    assert "wrong in 5% of such searches at most" in text


def test_a_build_that_fails_in_another_way_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """As one that lacks a module: exit code 1 alone does not tell it from the bug."""
    failures = dict.fromkeys(VERSIONS, "exit code 1: hung: 5000 ms. 2 threads waited")
    failures["temurin-17.0.7+7"] = "exit code 1: hung: 5003 ms. 1 thread waited"
    _, text = search_train(lambda build: build < "temurin-17.0.9", capsys, failures)
    assert "fails otherwise" not in text
    failures["temurin-17.0.2+8"] = "exit code 1: NoSuchAlgorithmException: EC"
    _, text = search_train(lambda build: build < "temurin-17.0.9", capsys, failures)
    line = "fails otherwise on 17.0.2+8: exit code 1: NoSuchAlgorithmException: EC; --fails-with"
    assert line in text
    assert "fails otherwise" not in search_train(lambda build: build < "temurin-17.0.9", capsys)[1]


def test_builds_without_an_answer_are_passed_over(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = search_train(
        lambda build: None if "17.0.3" in build else build < "temurin-17.0.7", capsys
    )
    assert code is ExitCode.OK
    assert "last bad: 17.0.2+8" in text and "passed over: temurin-17.0.3+7" in text


def test_a_line_without_a_change(capsys: pytest.CaptureFixture[str]) -> None:
    assert search_train(lambda build: False, capsys)[0] is ExitCode.USAGE
    code, text = search_train(lambda build: True, capsys)
    assert code is ExitCode.USAGE and "17: fails on each build" in text


def test_no_answer_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = search_train(lambda build: None, capsys)
    assert code is ExitCode.MACHINE and "17: no build gave an answer" in text


def test_an_interrupted_search_says_how_to_go_on() -> None:
    def interrupt(build: str) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(UnfinishedError, match=r"bisect --file /Repro.java --train 17"):
        search_lines(
            lines_to_search(CATALOG, 17, None, None), PlayedProbe(interrupt), 0.05, COMMAND
        )


@pytest.mark.parametrize(
    "line, text",
    [
        ("bisect", "accepted: a bug of the ledger, --file FILE.java, or --suite DIR"),
        ("bisect --suite {root}/test", "accepted: with --test, without a bug and --file"),
        ("bisect --suite {root}/test --test a/B.java", "--test a/B.java: not in "),
        (
            "bisect --suite {root}/test --test http/TruncatedReplyReadAsWhole.java --fails-with x",
            "is a jtreg suite, which judges",
        ),
        ("bisect 8293562 --file x.java", "accepted: without a bug"),
        ("bisect 8293562 --fails-with x", "accepted: with --file"),
        ("bisect --file nowhere.java", "nowhere.java: no such file"),
        ("bisect --file nowhere.java --fails-with (", "not a regular expression"),
    ],
)
def test_bad_input(line: str, text: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.format(root=root).split()) == ExitCode.USAGE
    error = capsys.readouterr().err
    assert text in error and error.count("\n") == 1


def test_the_command_to_go_on_has_all_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(ProgramProbe, "__call__", interrupt)
    program = tmp_path / "Repro.java"
    program.write_text("class Repro { }")
    options = "--fails-with 'CR expected' --timeout 5 --java-option=-Xmx1g --train 17 --error 0.01"
    line = f"bisect --file {program} --cp {tmp_path} --out {tmp_path / 'out'} --offline {options}"
    assert main(shlex.split(line)) == ExitCode.MACHINE
    assert (
        f"to continue: scripts/matrix bisect --file {program} --fails-with 'CR expected' "
        f"--timeout 5 --cp {tmp_path} --java-option=-Xmx1g --error 0.01 --offline --train 17\n"
    ) in capsys.readouterr().err
