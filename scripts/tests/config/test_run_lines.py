# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which JVMs a test wants stands in its header, as jtreg reads it."""

from pathlib import Path

import pytest

from jdkmatrix.config.run_lines import Header, RunLine, read_header
from jdkmatrix.config.suite import find_tests
from jdkmatrix.errors import UsageError


def header_of(tmp_path: Path, *lines: str, is_alone: bool = False) -> Header:
    file = tmp_path / "A.java"
    file.write_text("/*\n * @test\n" + "".join(f" * {line}\n" for line in lines) + " */\n")
    return read_header(file, is_alone=is_alone)


def test_each_run_is_a_jvm(tmp_path: Path) -> None:
    header = header_of(
        tmp_path,
        "@library /lib /tls13/",
        "@run main/othervm -Dx=1 -Xmx64m A control two",
        "@run main/othervm/timeout=600 A",
    )
    assert header.runs == (
        RunLine("A", ("control", "two"), ("-Dx=1", "-Xmx64m")),
        RunLine("A", timeout_s=600),
    )
    assert header.libraries == ("lib", "tls13")
    assert not header.is_testng


def test_a_test_of_testng(tmp_path: Path) -> None:
    header = header_of(tmp_path, "@run testng/othervm/timeout=9 A")
    assert header.runs == (RunLine("A", timeout_s=9, is_testng=True),)
    assert header.is_testng


def test_a_tag_may_go_on_in_the_next_line(tmp_path: Path) -> None:
    header = header_of(tmp_path, "@build B C", "    D", "@run main/othervm A", "", "Other text.")
    assert header.builds == ("B", "C", "D")
    assert header.runs == (RunLine("A"),)


def test_without_a_run_line_the_class_of_the_file_is_run(tmp_path: Path) -> None:
    assert header_of(tmp_path, "@bug 8293562") == Header((RunLine("A"),), ())


@pytest.mark.parametrize("line", ["main A", "junit A", "main/othervm", "main/othervm -Dx=1", ""])
def test_what_is_not_run_here_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(UsageError, match=rf"A\.java:3: @run.*{line}; accepted: main.testng"):
        header_of(tmp_path, f"@run {line}".rstrip())


@pytest.mark.parametrize(
    "line, run",
    [
        ("main A b", RunLine("A", ("b",))),
        ("main/timeout=300 A", RunLine("A", timeout_s=300)),
        ("main/timeout=9/othervm -Dx A", RunLine("A", (), ("-Dx",), 9)),
        (
            "main/othervm --add-exports java.base/a.b=ALL-UNNAMED -cp x --add-opens=c/d=E A",
            RunLine(
                "A",
                (),
                ("--add-exports", "java.base/a.b=ALL-UNNAMED", "-cp", "x", "--add-opens=c/d=E"),
            ),
        ),
    ],
)
def test_alone_each_main_has_a_jvm(tmp_path: Path, line: str, run: RunLine) -> None:
    assert header_of(tmp_path, f"@run {line}", is_alone=True).runs == (run,)


@pytest.mark.parametrize(
    "line", ["junit A", "testng A", "testng/othervm A", "driver A", "main/fail A"]
)
def test_alone_what_only_jtreg_runs_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(
        UsageError, match=rf"A\.java:3: @run {line}; accepted: main.* by jtreg: run"
    ):
        header_of(tmp_path, f"@run {line}", is_alone=True)


@pytest.mark.parametrize("lines", [('os.family == "linux"',), ("os.family", "    == linux")])
def test_what_is_required_is_a_train_or_refused(tmp_path: Path, lines: tuple[str, ...]) -> None:
    with pytest.raises(UsageError) as error:
        header_of(tmp_path, f"@requires {lines[0]}", *lines[1:])
    directive = " ".join(" ".join(lines).split())
    message = f"{tmp_path}/A.java:3: @requires {directive}; accepted: jdk.version.major >= N or < N"
    assert str(error.value) == message


@pytest.mark.parametrize(
    "conditions, trains",
    [
        ([">= 11"], [11, 17, 25]),
        (["< 11"], [8]),
        ([">= 11", "< 25"], [11, 17]),
        ([], [8, 11, 17, 25]),
    ],
)
def test_a_test_is_for_the_trains_that_it_requires(
    tmp_path: Path, conditions: list[str], trains: list[int]
) -> None:
    header = header_of(tmp_path, *(f"@requires jdk.version.major {text}" for text in conditions))
    assert [train for train in (8, 11, 17, 25) if header.is_for(train)] == trains
    assert all(f"jdk.version.major {text}" in header.requires for text in conditions)


def test_every_test_of_the_suite_can_be_run(root: Path) -> None:
    tests = find_tests(root / "test")
    headers = {test: read_header(root / "test" / test) for test in tests}
    assert all(run.main_class == Path(test).stem for test in tests for run in headers[test].runs)
    reproducers = [test for test in tests if test.startswith(("keepalive/", "http/", "tls13/"))]
    for test in reproducers:
        assert headers[test].runs[-1].arguments == ("subject",), test
        assert len(headers[test].runs) > 1, f"{test}: no control"


def test_a_test_that_measures_memory_has_its_key(tmp_path: Path) -> None:
    assert header_of(tmp_path, "@key waits memory").measures_memory
    assert not header_of(tmp_path, "@key waits").measures_memory
