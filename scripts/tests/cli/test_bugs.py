# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`bugs`: what it prints, and mistakes in one line."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.errors import ExitCode
from jdkmatrix.paths import Checkout

BUGS = len(load_ledger(Checkout.current().ledger).bugs)
JAVA_VERSION = """openjdk version "17.0.5" 2022-10-18
OpenJDK Runtime Environment Temurin-17.0.5+8 (build 17.0.5+8)
"""


def run_bugs(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["bugs", *line.split()]) == ExitCode.OK
    return capsys.readouterr().out


def test_all_bugs_are_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    first_line, *lines = run_bugs("", capsys).splitlines()
    assert first_line == f"{BUGS} of {BUGS} known bugs."
    assert len(lines) == BUGS
    (line,) = (line for line in lines if "JDK-8293562" in line)
    for part in ("hangs", "KeepAliveCache blocks threads", "wait", "8u422, 11.0.21, 17.0.7, 20"):
        assert part in line


def test_of_a_version(capsys: pytest.CaptureFixture[str]) -> None:
    text = run_bugs("--on 17.0.5", capsys)
    assert re.match(rf"17\.0\.5 has [45]\d of {BUGS} known bugs\.", text)
    assert "JDK-8293562  hangs       fixed in 17.0.7" in text
    assert "workaround: -Djdk.tls.client.protocols=TLSv1.2" in text
    assert "not fixed in 17; in 19" in text
    assert "workaround: none known; tried in vain: -Djdk.tls.client.protocols=TLSv1.2 in " in text


def test_an_update(capsys: pytest.CaptureFixture[str]) -> None:
    text = run_bugs("--on 17.0.5 --to 17.0.19", capsys)
    assert text.startswith("17.0.5 to 17.0.19 fixes ")
    assert [line for line in text.splitlines() if line[:1].isalpha()][:4] == [
        "Brings",
        "Fixes",
        "Stays",
        "Changes",
    ]
    assert "to get it back: remove TLS_RSA_* from jdk.tls.disabledAlgorithms" in text


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("8245545", "JDK-8245545  since 11.0.30, 17.0.15..17.0.19, 21.0.10, 24"),
        ("JDK8293562", "JDK-8293562  hangs"),
        ("https://bugs.openjdk.org/browse/JDK-8236464", "JDK-8236464  SO_LINGER option"),
        ("TLS_RSA", "JDK-8245545"),
        ("CR expected", "  KIT-1  fails  java.net.http refuses each chunked reply"),
        ("java.net.ProtocolException: CR expected", "  KIT-1  fails  "),
        ("kit-1", "  KIT-1  fails  "),
        ("qwertz", "No bug of the ledger is known by that."),
    ],
)
def test_words_and_ids(words: str, part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert part in run_bugs(words, capsys)


@pytest.mark.parametrize(
    ("version", "mark"), [("17.0.5", "has it not"), ("17.0.17", "unknown"), ("17.0.21", "has it")]
)
def test_a_change_on_a_version(version: str, mark: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"{version} {mark}  Disable TLS_RSA" in run_bugs(f"8245545 --on {version}", capsys)


def test_a_bug_with_an_id_of_the_kits_own(capsys: pytest.CaptureFixture[str]) -> None:
    """JBS has no page of it to link to."""
    assert "\n| KIT-1 | fails |" in run_bugs("KIT-1 --markdown", capsys)
    text = run_bugs("--on 17.0.20.1 --to 17.0.21.1", capsys)
    assert "brings 1" in text
    assert text.index("\nBrings\n") < text.index("KIT-1") < text.index("\nStays\n")


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(run_bugs("--on 17.0.5 --to 17.0.19 --json", capsys))
    assert (document["schema"], document["version"], document["update"]) == (2, "17.0.5", "17.0.19")
    (bug,) = (bug for bug in document["bugs"] if bug["id"] == "JDK-8293562")
    assert bug["effect"] == "fixes"
    assert (bug["expectation"], bug["expectation_of_update"]) == ("affected", "fixed")
    assert (bug["first_fix"], bug["severity"]) == ("17.0.7+1", "hangs")
    assert "JDK-8245545" in [change["id"] for change in document["changes"]]


def test_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    text = run_bugs("--on 17.0.5 --to 17.0.19 --markdown", capsys)
    assert "### Fixes" in text
    row = "| [JDK-8293562](https://bugs.openjdk.org/browse/JDK-8293562) | hangs, fixed in 17.0.7 |"
    assert row in text


def test_what_java_version_run_bugs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(JAVA_VERSION))
    assert run_bugs("--on - --area keepalive", capsys).startswith(f"17.0.5+8 has 5 of {BUGS}")


def test_a_stack_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stack = "java.io.IOException: /127.0.0.1:1: GOAWAY received\n\tat x.Y.z(Y.java:1)\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(stack))
    assert "JDK-8335181" in run_bugs("-", capsys)


def jdk(folder: Path, release: str) -> Path:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "java").touch()
    (folder / "release").write_text(release)
    return folder


def test_a_jdk_by_its_release_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its bin/java is empty: it is not started."""
    home = jdk(tmp_path / "jdk", 'JAVA_VERSION="17.0.5"\nJAVA_RUNTIME_VERSION="17.0.5+8-LTS"\n')
    assert run_bugs(f"--jdk {home}", capsys).startswith("17.0.5+8 has ")
    home_8 = jdk(tmp_path / "jdk8", 'JAVA_VERSION="1.8.0_372"\n')
    assert run_bugs(f"--jdk {home_8}", capsys).startswith("1.8.0_372 has ")


MISTAKES = [
    ("--on foo", "--on foo: not a JDK version: 'foo'; accepted: 8u412-b08"),
    ("--on 17.0.5.8.1", "17.0.5.8.1 is Corretto's number of 17.0.5+8: give that"),
    ("--on 22.3.0", "22.3.0 is no OpenJDK's, whose second number is 0"),
    ("--on 7u80", "older than 8, with which the ledger begins"),
    ("--on 17.0.19 --to 17.0.5", "--to 17.0.5: older than 17.0.19; use --on 17.0.5 --to 17.0.19"),
    ("--on 11.0.19 --to 17.0.5", f"of {BUGS} bugs 11.0.19 has "),
    ("--to 17.0.5", "--to 17.0.5: accepted with it: --on VERSION, or --jdk PATH"),
    ("--area tls", "--area tls: no such area; "),
    ("--json --markdown", "--json and --markdown: accepted: one of them"),
    ("--on 17 --jdk .", "--on and --jdk: accepted: one of them"),
    ("--jdk /nix", "--jdk /nix: no such folder"),
]


@pytest.mark.parametrize(("line", "message"), MISTAKES, ids=[line for line, _ in MISTAKES])
def test_a_mistake_is_one_line(line: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bugs", *line.split()]) == ExitCode.USAGE
    (stderr_line,) = capsys.readouterr().err.splitlines()
    assert message in stderr_line


def test_a_jdk_without_a_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bugs", "--jdk", str(jdk(tmp_path / "jdk", ""))]) == ExitCode.USAGE
    assert "its file release has no version; use --on - " in capsys.readouterr().err


@pytest.mark.parametrize("line", ["run --bug JDK-8245545", "plan --bug 8245545"])
def test_other_commands_know_changes(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == ExitCode.USAGE
    (stderr_line,) = capsys.readouterr().err.splitlines()
    assert "8245545: a change, not a bug: Disable TLS_RSA cipher suites; " in stderr_line


def test_run_says_why_a_bug_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--bug", "8236464"]) == ExitCode.USAGE
    assert "--bug 8236464: has no reproducer: Named for the symptom" in capsys.readouterr().err


def test_plan_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    line = "plan --build temurin-17.0.9+9 --test CookieOutlivesItsMaxAge.java"
    assert main([*line.split(), "--json"]) == ExitCode.OK
    document = capsys.readouterr().out
    assert main([*line.split(), "--format", "json"]) == ExitCode.OK
    assert document == capsys.readouterr().out
    assert [cell["test"] for cell in json.loads(document)["cells"]] == [
        "http/CookieOutlivesItsMaxAge.java"
    ]
    assert main([*line.split(), "--json", "--format", "github"]) == ExitCode.USAGE


def test_nothing_that_runs_or_fetches_is_imported() -> None:
    """Half a second of CPU time at the most."""
    code = (
        "import sys; from jdkmatrix.cli.app import main; main(['bugs', '--on', '17.0.5']);"
        "print(sorted(n for n in sys.modules if n in ('rich', 'jinja2', 'urllib.request') or"
        " n.startswith(('jdkmatrix.supply', 'jdkmatrix.flow', 'jdkmatrix.run', 'jdkmatrix.rec'))))"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert process.stdout.splitlines()[-1] == "[]"
