# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What the shells are told, by the script that they get: bash itself; zsh and fish by protocol."""

import os
import pty
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jdkmatrix.cli import complete
from jdkmatrix.cli.app import main
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.planted import load_planted
from jdkmatrix.config.scenarios import load_scenarios
from jdkmatrix.paths import Checkout

pytestmark = pytest.mark.slow

READY_S = 60


@pytest.fixture
def type_keys(root: Path) -> Iterator[Callable[[str, str], None]]:
    """Type into a bash that the kit has taught, and wait until its line reads so."""
    terminal, child_end = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "PS1": "$ ", "HISTFILE": ""}
    bash = subprocess.Popen(
        ["bash", "--norc", "--noprofile", "-i"],
        stdin=child_end,
        stdout=child_end,
        stderr=child_end,
        cwd=root,
        env=environment,
        start_new_session=True,
    )
    os.close(child_end)

    def type_(keys: str, line: str) -> None:
        os.write(terminal, keys.encode())
        output, deadline_s = b"", time.monotonic() + READY_S
        while line.encode() not in output:
            left_s = deadline_s - time.monotonic()
            assert left_s > 0, f"{output!r}, not {line!r}"
            if select.select([terminal], [], [], left_s)[0]:
                output += os.read(terminal, 4096)

    type_("source <(scripts/matrix completion bash); echo rea''dy\n", "ready")
    yield type_
    os.close(terminal)  # a hang-up
    bash.wait(READY_S)


def test_bash_completes_commands_and_ids(type_keys: Callable[[str, str], None]) -> None:
    for words, word, completion in (
        ("", "mer", "merge "),
        ("run --build ", "temurin-17.0.3", "temurin-17.0.3+7 "),
        ("run --test ", ":tier", ":tier1 "),
        ("run --test=", ":tier", ":tier1 "),
    ):
        type_keys(f"scripts/matrix {words}{word}\t", f"scripts/matrix {words}{completion}")
        type_keys("\x15", "")


@pytest.mark.parametrize(
    ("shell", "environment", "completion"),
    [
        ("zsh", {}, '"temurin-17.0.3+7"'),
        ("fish", {"_TYPER_COMPLETE_FISH_ACTION": "get-args"}, "temurin-17.0.3+7"),
    ],
)
def test_other_shells_get_the_same(
    root: Path, shell: str, environment: dict[str, str], completion: str
) -> None:
    variables = {
        "_MATRIX_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": "matrix run --build temurin-17.0.3",
    }
    process = subprocess.run(
        [str(root / "scripts" / "matrix")],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**os.environ, **variables, **environment},
    )
    assert completion in process.stdout
    assert "temurin-17.0.7" not in process.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_names_the_program_by_its_path(
    root: Path, shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "_MATRIX_COMPLETE=complete_" in script
    if shell != "bash":  # which hands the program over as the user typed it
        assert f" {root}/scripts/matrix" in script


def test_bugs_are_completed_as_they_were_begun() -> None:
    assert [word for word, _ in complete.bugs("829356")] == ["8293562"]
    assert [word for word, _ in complete.bugs("JDK-829356")] == ["JDK-8293562"]


def test_what_is_offered_is_what_the_files_hold(jdks: JdksFile, ledger: Ledger) -> None:
    """The files are not checked, so they may be written in no way that this misses."""
    checkout = Checkout.current()
    assert complete.builds("") == [(build.id, build.note or "") for build in jdks.builds]
    assert [name for name, _ in complete.bugs("")] == [bug.id for bug in ledger.bugs]
    titles = {bug.id: bug.title for bug in ledger.bugs}
    assert all(title in ("", titles[bug]) for bug, title in complete.bugs(""))
    faults = load_planted(checkout.planted_faults, ledger).planted
    assert complete.faults("") == [(fault.id, fault.title) for fault in faults]
    file = load_scenarios(checkout.scenarios)
    assert {name for name, _ in complete.scenarios("")} == set(file.variants)
    assert {name for name, _ in complete.clients("")} == {*file.clients, *file.services}


@pytest.mark.parametrize("text", ["builds: [1]\n", "builds: {", "[]\n", "builds: [{id: 1}]\n"])
def test_of_a_damaged_file_nothing_is_offered(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jdks.yaml").write_text(text)
    monkeypatch.setattr(Checkout, "current", classmethod(lambda cls: cls(tmp_path)))
    assert complete.builds("") == complete.scenarios("") == complete.tests("") == []


@pytest.mark.parametrize(
    ("line", "completion"),
    [
        ("bundle 829356", "8293562"),
        ("bundle 8293562 --run ", ""),
        ("bisect 829356", "8293562"),
        ("bisect 8293562 --good temurin-17.0.3", "temurin-17.0.3+7"),
        ("bisect 8293562 --test keepalive/Dis", "keepalive/DisconnectWaitsForSilentPeer.java"),
        ("has 829356", "8293562"),
        ("history --scenario neighbour/tls", "neighbour/tls12"),
        ("history --bug 829356", "8293562"),
        ("throughput --scenario neighbour/tls", "neighbour/tls12"),
        ("throughput --client azure-b", "azure-boringssl"),
        ("throughput --service jetty-p", "jetty-plain"),
        ("throughput --baseline temurin-17.0.3", "temurin-17.0.3+7"),
        ("planted close-under-lock-8", "close-under-lock-8"),
        ("jdks fetch temurin-17.0.3", "temurin-17.0.3+7"),
        ("jdks verify temurin-17.0.3", "temurin-17.0.3+7"),
        ("facts --diff temurin-17.0.3", "temurin-17.0.3+7"),
        ("report latest --since no-such-run", ""),
    ],
)
def test_every_id_is_completed(
    line: str,
    completion: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = f"matrix {line}"
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
    monkeypatch.setenv("_MATRIX_COMPLETE", "complete_bash")
    assert main([]) == 0
    out = capsys.readouterr().out.split()
    assert out == completion.split() if completion else "Usage:" not in out


def test_tests_have_their_groups() -> None:
    names = [word for word, _ in complete.tests(":")]
    assert {":full", ":tier1"} <= set(names)
    assert complete.tests("keepalive/Dis") == [("keepalive/DisconnectWaitsForSilentPeer.java", "")]
