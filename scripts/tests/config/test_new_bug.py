# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What `scripts/new-bug` writes compiles, is no pass, and is refused until it is written."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from jdkmatrix.cli import new_bug
from jdkmatrix.config.ledger import load_ledger, todo_lines
from jdkmatrix.config.new_bug import TriedProgram, add_bug
from jdkmatrix.config.run_lines import RunLine, read_header
from jdkmatrix.errors import ExitCode, UsageError
from jdkmatrix.machine.java_program import SHORT_LIVED, TOOL_SHORT_LIVED
from jdkmatrix.paths import Checkout
from tests.suite_copy import SuiteCopy

ID, TEST = "8276774", "httpclient/CookieSentTwice"
NAME = "CookieSentTwice"


@pytest.fixture
def checkout(tmp_path: Path, suite_copy: SuiteCopy) -> Iterator[Checkout]:
    """A copy of the suite."""
    with suite_copy.lend(tmp_path / "test"):
        yield Checkout(tmp_path)


def fill_in(file: Path) -> None:
    """Write something in place of each `TODO:`."""
    file.write_text(re.sub(r"TODO: ", "", file.read_text()))


def test_it_writes_both_and_says_what_is_still_to_be_written(
    root: Path, checkout: Checkout
) -> None:
    """As a program of the checkout that it writes to."""
    scripts = checkout.root / "scripts"
    leave = shutil.ignore_patterns("tests", ".*_cache")  # compiled it starts in half the time
    shutil.copytree(root / "scripts", scripts, ignore=leave)
    process = subprocess.run(
        [sys.executable, "-m", "jdkmatrix.cli.new_bug", f"JDK-{ID}", TEST],
        cwd=scripts,
        env={**os.environ, "PYTHONPATH": str(scripts)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, "")
    todos = [line for line in process.stdout.splitlines() if "TODO: " in line]
    for file in (f"test/{TEST}.java", "test/bugs.yaml"):
        lines = todo_lines((checkout.root / file).read_text())
        assert [f"  {file}:{line}: {text}" for line, text in lines] == [
            line for line in todos if line.startswith(f"  {file}:")
        ]
        assert len(lines) > 4
    header = read_header(checkout.suite / f"{TEST}.java")
    assert header.runs == (RunLine(NAME, ("control",)), RunLine(NAME, ("subject",)))
    assert header.since_train == 11


def test_the_ledger_names_what_is_missing_until_nothing_is(checkout: Checkout) -> None:
    add_bug(checkout, ID, TEST)
    missing_keys = []
    while True:
        try:
            bug = load_ledger(checkout.ledger).bug(ID)
        except UsageError as error:
            path, line, text = str(error).split(":", 2)
            missing_keys.append(text.split()[0])
            lines = Path(path).read_text().splitlines(keepends=True)
            lines[int(line) - 1] = lines[int(line) - 1].replace("TODO: ", "")
            Path(path).write_text("".join(lines))
        else:
            break
    assert missing_keys == [
        "title:",
        "symptom:",
        "severity:",
        "component:",
        "fixed:",
        "TODO:",
        "no-evidence:",
        "no-hint:",
        "-",
    ]
    assert bug.tests == (f"{TEST}.java",)


def test_a_second_bug_may_begin_before_the_first_is_written(checkout: Checkout) -> None:
    add_bug(checkout, ID, TEST)
    add_bug(checkout, "8276775", "http/SecondBug")
    with pytest.raises(UsageError, match=f"JDK-{ID}: is in test/bugs.yaml, with {TEST}"):
        add_bug(checkout, ID, "http/ThirdBug")
    with pytest.raises(UsageError, match=r"SecondBug: .* is there"):
        add_bug(checkout, "8276776", "http/SecondBug")
    assert not (checkout.suite / "http" / "ThirdBug.java").exists()
    ids = [bug.id for bug in load_ledger(checkout.ledger, allow_todos=True).bugs]
    assert ids[-2:] == [f"JDK-{ID}", "JDK-8276775"]
    with pytest.raises(UsageError, match="title: "):
        load_ledger(checkout.ledger)


@pytest.mark.parametrize(
    ("bug_id", "test", "message"),
    [
        ("8293562", TEST, "JDK-8293562: is in test/bugs.yaml, with keepalive/Req"),
        ("JDK-8293562", TEST, "JDK-8293562: is in test/bugs.yaml"),
        ("827677", TEST, "827677: no bug id; accepted: 8276774 or JDK-8276774"),
        ("JDK-82767741", TEST, "no bug id"),
        (ID, "http/TruncatedReplyReadAsWhole", "test/http/TruncatedReplyReadAsWhole.java is there"),
        (ID, "tls13/TruncatedReplyReadAsWhole", "TruncatedReplyReadAsWhole.java is there"),
        (ID, "http/Exchange", "Exchange: test/lib/Exchange.java is there"),
        (ID, "http2/New", "http2/: no area of test/; "),
        (ID, "lib/New", "lib/: no area of test/; "),
        (ID, "../New", "../: no area of test/; "),
        (ID, "http/new", "new: no name of a Java class; accepted: "),
        (ID, "http/a/New", "a/New: no name of a Java class"),
        (ID, "http/Né", "no name of a Java class"),
        (ID, "http/*", "no name of a Java class"),
        (ID, "http", "http: no name of a Java class"),
    ],
)
def test_what_cannot_be_is_refused(
    root: Path, tmp_path: Path, bug_id: str, test: str, message: str
) -> None:
    (tmp_path / "test").symlink_to(root / "test")
    with pytest.raises(UsageError) as error:
        add_bug(Checkout(tmp_path), bug_id, test)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert error.value.exit_code == ExitCode.USAGE


def test_the_command_refuses_in_one_line(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Checkout, "current", lambda: checkout)
    ledger_text = checkout.ledger.read_text()
    for arguments in [
        (ID,),
        (ID, TEST, "x"),
        (ID, "nix/New"),
        (ID, TEST, "--from", "nix.java"),
        (ID, TEST, "--fails-with", "x"),
        (ID, TEST, "--from", str(checkout.suite / "http" / "CookieOutlivesItsMaxAge.java")),
    ]:
        assert new_bug.main(arguments) == 4
        stdout, stderr = capsys.readouterr()
        assert stdout == ""
        assert re.fullmatch(r"new-bug: .+; accepted: .+\n", stderr)
    assert checkout.ledger.read_text() == ledger_text


@pytest.fixture
def unprivileged_user() -> Iterator[None]:
    """Not root, whom no permission stops: access(2) asks for the real user."""
    if os.getuid() != 0:
        yield
        return
    os.setresuid(65534, 0, 0)
    yield
    os.setresuid(0, 0, 0)


def test_a_checkout_that_may_not_be_written_is_refused(
    checkout: Checkout, unprivileged_user: None
) -> None:
    (checkout.suite / "httpclient").chmod(0o555)
    with pytest.raises(UsageError, match=r"test/httpclient: may not be written; accepted: "):
        add_bug(checkout, ID, TEST)
    assert not (checkout.suite / f"{TEST}.java").exists()
    (checkout.suite / "httpclient").chmod(0o755)


PROGRAM = TriedProgram(
    class_name="Repro",
    source="""package x.y;

import java.util.List;

/** What it shows. */
public class Repro {
    static class Part { }

    public static void main(String[] args) {
        System.out.println(List.class.getSimpleName() + " \\"CR\\" expected " + Repro.class);
    }
}
""",
    pattern='"CR" \\w+',
    bad_lines=['List "CR" expected */'],
    good_lines=(),
    fixed_tags={17: "17.0.20.1+1", 11: "11.0.32+5"},
)


# The reproducers that are compiled and run.
WRITTEN = ("http/NewOfHttp", "httpclient/NewOfClient", "tls13/NewOfTls")
TRIED = "http/TriedProgram"


@dataclass(frozen=True)
class Case:
    """How a case of a reproducer ended, and what it printed."""

    code: int
    output: str


@pytest.fixture(scope="module")
def cases(
    root: Path, tool_jdk: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[tuple[str, str], Case]:
    """The cases of all of them, which one javac compiles, by test and case."""
    home = tmp_path_factory.mktemp("written")
    shutil.copytree(root / "test", home / "test")
    checkout = Checkout(home)
    ledger_text = checkout.ledger.read_text()
    for test in (*WRITTEN, TRIED):
        add_bug(checkout, ID, test, PROGRAM if test == TRIED else None)
        checkout.ledger.write_text(ledger_text)  # it is the same bug again
    classes = home / "classes"
    options = [*TOOL_SHORT_LIVED, "--release", "8", "-Xlint:-options", "-proc:none"]
    options += ["-d", str(classes), "-sourcepath", str(checkout.test_library)]
    sources = [str(checkout.suite / f"{test}.java") for test in (*WRITTEN, TRIED)]
    subprocess.run([str(tool_jdk / "bin" / "javac"), *options, *sources], check=True)

    def run(test: str, case: str) -> Case:
        folder = home / Path(test).name
        folder.mkdir(exist_ok=True)
        process = subprocess.run(
            [tool_jdk / "bin" / "java", *SHORT_LIVED, "-cp", classes, folder.name, case],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        return Case(process.returncode, process.stdout)

    return {
        (test, case): run(test, case)
        for test in (*WRITTEN, TRIED)
        for case in ("control", "subject")
    }


@pytest.mark.jdk
def test_around_a_tried_program_it_shows_what_that_prints(
    cases: dict[tuple[str, str], Case],
) -> None:
    """The subject is judged by the pattern; without a control it is no reproducer yet."""
    subject, control = (cases[TRIED, case].output for case in ("subject", "control"))
    assert "reproduced: It showed (lines_with_the_sign 1, bound 1)." in subject
    assert "inconclusive: TODO: there is no control yet." in control


def test_around_a_tried_program_it_writes_what_was_measured(checkout: Checkout) -> None:
    reproducer, _ = add_bug(checkout, ID, "http/New", PROGRAM)
    text = reproducer.read_text()
    assert ' *     List "CR" expected * /\n * On a fixed build:\n *     TODO: ' in text
    assert "fixed: {11: 11.0.32+5, 17: 17.0.20.1+1} " in checkout.ledger.read_text()


@pytest.mark.jdk
@pytest.mark.parametrize("test", WRITTEN)
def test_as_written_it_compiles_and_is_no_pass(
    cases: dict[tuple[str, str], Case], test: str
) -> None:
    for name in ("control", "subject"):
        case = cases[test, name]
        # A control leaves its failure to the subject.
        assert (case.code != 0) == (name == "subject")
        assert "inconclusive: TODO: nothing is measured yet." in case.output
