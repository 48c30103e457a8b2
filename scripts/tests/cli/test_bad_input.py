# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A user's mistake: one line that says what, where and what is accepted; exit code 4."""

from pathlib import Path

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.cli.commands import SUMMARIES

TAKING_PATHS = ("run --suite", "diagnose", "report", "merge", "validate")
MISTAKES = [
    ("--build nix", "--build nix: no such build; accepted: debian-8u332-ga, "),
    ("run --bug 123", "--bug 123: not in the ledger; accepted: JDK-8293562"),
    ("run --test nix", "--test nix: no such test; accepted: behave/"),
    ("run --jdk {tmp}/nix", "--jdk {tmp}/nix: no such folder"),
    ("run --jdk {tmp}", "--jdk {tmp}: not a JDK: no bin/java"),
    ("run --dry-run --jdk {tmp}/nix", "--jdk {tmp}/nix: no such folder"),
    ("plan --jdk {tmp}", "--jdk {tmp}: not a JDK: no bin/java"),
    ("throughput --dry-run --jdk {tmp}/file", "--jdk {tmp}/file: not a JDK: no bin/java"),
    ("run --jdk ~nix", "--jdk ~nix: no such folder"),  # it was to be ~/nix
    ("run --suite ~nix", "--suite ~nix: no such folder"),
    ("validate ~nix", "JDK-OR-PATH ~nix: no such folder"),
    *((f"{word} {{tmp}}/{'9' * 300}", "file name too long: {tmp}/999") for word in TAKING_PATHS),
    ("run --jobs 0", "--jobs 0: accepted: 1 or more"),
    ("run --jobs two", "--jobs two: accepted: a whole number"),
    ("run --jobs=2.5", "--jobs 2.5: accepted: a whole number"),
    ("run --timeout-factor 0", "--timeout-factor 0: accepted: 0.1 or more"),
    ("run --timeout-factor x", "--timeout-factor x: accepted: a number"),
    ("throughput --minimum-effect 7", "--minimum-effect 7: accepted: 1 or less"),
    ("run --out {tmp}", "--out {tmp}: not empty; accepted: a new or empty folder"),
    ("run --resume --build debian-8", "--resume takes all but --jobs, --offline, --paranoid, "),
    ("run --resume --timeout-factor 4", "--strict, --out, --json and paths from the run itself"),
    ("run --resume --dry-run", "--resume takes all but --jobs, "),
    ("run --resume --out {tmp}", "{tmp}: not a run; accepted: a folder that holds run.json"),
    ("--bogus", "--bogus: no such option; accepted: --build, --jdk, "),
    ("--verion", "--verion: no such option; did you mean --version? (all: --help)"),
    ("frobnicate", f"frobnicate: no such command; accepted: {', '.join([*SUMMARIES][:8])}"),
    ("validat", "validat: no such command; did you mean validate? (all: --help)"),
    ("run 8293562", "8293562: accepted: --bug 8293562"),
    ("run keepalive/X.java", "keepalive/X.java: accepted: --test keepalive/X.java"),
    ("has 8293562 temurin-17.0.9+9", "temurin-17.0.9+9: accepted: --build temurin-17.0.9+9"),
    ("has 8293562 /jdk", "/jdk: accepted: --jdk /jdk"),
    ("facts debian-17", "debian-17: accepted: --build debian-17"),
    ("run --jdk", "--jdk: accepted: --jdk and its value (see --help)"),
    ("validate", "validate: accepted: a JDK, as in scripts/matrix validate ~/jdk-17.0.20 "),
    ("jdks fetch nix", "ID|GLOB nix: no such build; accepted: debian-8"),
    ("diagnose", "diagnose: accepted: one of files, --pid PID, --exception TEXT"),
    (
        "diagnose --bogus x",
        "--bogus: no such option; accepted: --pid, --seconds, --exception, --baseline",
    ),
    (
        "report --json --bug-table",
        "--since, --json, --bug-table, --across: accepted: one of them",
    ),
    ("try X.java --fails-with=", "--fails-with: an empty pattern says nothing; accepted: "),
    ("try X.java --passes-with=((", "--passes-with ((: not a regular expression: missing )"),
    ("bisect 123 --train 17", "bisect 123: not in the ledger; accepted: JDK-8293562"),
    (
        "bisect 8293562 --train 9",
        "--train 9: jdks.yaml has 0 builds of it that can have JDK-8293562; two or more are needed",
    ),
    ("bisect 8293562 --train 26", "--train 26: jdks.yaml has 1 build of it"),
    ("bisect 8293562 --good debian-8", "--good and --bad: accepted: both of them"),
    ("bisect 8293562 --good debian-8 --bad nix", "--bad nix: no such build; accepted: debian-8"),
    (
        "bisect 8293562 --good debian-8 --bad debian-11",
        "accepted: two different builds of one train",
    ),
    ("bisect --train 17", "bisect: accepted: a bug of the ledger, --file FILE.java, or --suite"),
    (
        "bisect 8293562 --train 17 --test x",
        "--test x: not a test of JDK-8293562; accepted: keepalive",
    ),
    ("run --timeout-factor inf", "--timeout-factor inf: accepted: a number of 0.1 or more"),
    ("run --overlay {tmp}/nix", "--overlay {tmp}/nix: no such folder or jar"),
    ("run --overlay {tmp}", "--overlay {tmp}: no classes in it"),
    ("run --overlay-patch {tmp}/nix", "--overlay-patch {tmp}/nix: no such file"),
    ("run --overlay a --overlay-patch b", "accepted: one of them"),
    (
        "run --test :nix",
        "--test :nix: no such group in TEST.groups; accepted: :behave, :behave_gold, :certpath",
    ),
    ("planted nix", "planted nix: no such fault; accepted: close-under-lock-8"),
    ("run --shard 4/3", "--shard 4/3: accepted: I/N with I from 1 to N, such as 2/3"),
    ("plan --shards 9999", "9999 shards of "),
    ("plan --shards 0", "--shards 0: accepted: 1 or more"),
    ("plan --shards 257 --format github", "--shards 257: accepted for github: 1 to 256 jobs"),
    ("plan --format xml", "--format xml: accepted: text, json, github"),
    ("completion csh", "SHELL csh: accepted: bash, zsh, fish"),
    (
        "report {tmp} --since x --json",
        "--since, --json, --bug-table, --across: accepted: one of them",
    ),
    ("merge", "Missing argument 'RUN...'"),
    ("merge {tmp}", "{tmp}: not a run; accepted: a folder that holds run.json"),
    ("report {tmp}", "{tmp}: not a run; accepted: a folder that holds run.json"),
]


@pytest.mark.parametrize(("arguments", "line"), MISTAKES, ids=[m[0] for m in MISTAKES])
def test_one_line_and_exit_code_4(
    arguments: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    code = main(arguments.format(tmp=tmp_path).split())
    out, err = capsys.readouterr()
    assert code == 4
    assert out == ""
    assert err.count("\n") == 1
    assert line.format(tmp=tmp_path) in err


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("run --jdk {jdk}", "--jdk"),
        ("has 8293562 --jdk {jdk}", "--jdk"),
        ("facts --jdk {jdk}", "--jdk"),
        ("facts --jdk {jdk} --diff {jdk}", "--jdk"),
        ("validate {jdk}", "JDK-OR-PATH"),
    ],
)
def test_a_java_that_does_not_start(
    command: str,
    option: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("jdkmatrix.flow.tools.PLACE", tmp_path)  # another run may measure
    for name in ("bin/java", "lib/modules"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    assert main(command.format(jdk=tmp_path).split()) == 4
    err = capsys.readouterr().err
    assert err == f"matrix: {option} {tmp_path}: does not start: broken\n"


def test_of_several_jdks_has_says_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The answer is on one build, and was on whichever came first."""
    for name in ("a/bin/java", "a/lib/modules", "b/bin/java", "b/lib/modules"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert main(["has", "8293562", "--jdk", f"{tmp_path}/*"]) == 4
    assert capsys.readouterr().err.endswith(f"--jdk {tmp_path}/*: 2 JDKs; accepted: one\n")


def test_a_dry_run_fetches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path / "cache"))
    assert main(["run", "--dry-run", "--build", "temurin-17*"]) == 0
    out = capsys.readouterr().out
    assert "temurin-17.0.3+7" in out
    assert "affected" in out
    assert not (tmp_path / "cache").exists()


def test_a_path_with_new_lines_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(tmp_path / "a\n::error::b\x1b[2J")]) == 4
    (line,) = capsys.readouterr().err.splitlines()
    assert r"a\n::error::b\x1b[2J: not a run; accepted: a folder that holds run.json" in line


@pytest.mark.parametrize(
    "command",
    ["try -- {java} -version", "try X.java", "bisect --file X.java --train 17", "run --suite x"],
)
def test_in_a_folder_that_was_removed(
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    assert main(command.split()) == 4
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("matrix: ") and "accepted: " in line
