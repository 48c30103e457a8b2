# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The kit as a user runs it: real JDKs, real jtreg, real TLS. Needs the package registries once.

A JDK that crashes, hangs or speaks TLS 1.2 only is played by a real one with a planted fault. Only
what a process of its own is needed for has one: its signals, and its time to start.
"""

import json
import os
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.history.database import reading
from jdkmatrix.results.document import Results
from tests.in_process import Capture, matrix

pytestmark = [pytest.mark.network, pytest.mark.jdk]

FLAGSHIP = "keepalive/RequestsBlockedWhileConnectionCloses.java"
# Those that take the least CPU time: one by TLS 1.3, one without, and one that lasts 5 s.
TLS = "tls13/ResetComesWrapped.java"
ZERO = "keepalive/ZeroKeepAliveTimeoutIgnored.java"
LASTING = "keepalive/KeepAliveTimePropertyIgnored.java"
AFFECTED = "temurin-11.0.13+8"
AFFECTED_17 = "temurin-17.0.3+7"
FIXED = "temurin-17.0.9+9"
KITS_OWN = "debian-17"  # fixed too, and starts in half the CPU time


def matrix_process(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(root / "scripts" / "matrix"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)


def cells(process: subprocess.CompletedProcess[str]) -> dict[str, dict[str, Any]]:
    """The cells of a `--json` run by build; the document is checked against the schema."""
    document = json.loads(process.stdout)
    jsonschema.Draft202012Validator(Results.published_schema()).validate(document)
    return {cell["build"]: cell for cell in document["cells"]}


@pytest.fixture(scope="session")
def fixed_home(root: Path) -> Path:
    """The home of the fixed build, fetched if need be."""
    process = matrix_process(root, "jdks", "fetch", FIXED)
    assert process.returncode == 0, process.stderr
    homes = dict(line.split(": ", 1) for line in process.stdout.splitlines())
    return Path(homes[FIXED])


def planted_jdk(home: Path, folder: Path, instead: str) -> Path:
    """A JDK that is the one at `home`, but runs a shell line as the subject of a reproducer."""
    (folder / "bin").mkdir(parents=True)
    for name in ("lib", "conf", "release"):
        (folder / name).symlink_to(home / name)
    java = folder / "bin" / "java"
    java.write_text(
        "#!/bin/sh\n"
        'case "$*" in\n'
        f"*RunMain*' subject') {instead} ;;\n"
        "esac\n"
        f'exec "{home}/bin/java" "$@"\n'
    )
    java.chmod(0o755)
    return folder


def test_affected_and_fixed_builds_are_told_apart_with_the_cause(
    root: Path, tmp_path: Path, capsys: Capture
) -> None:
    requests = (AFFECTED, AFFECTED_17, KITS_OWN)
    builds = [option for build in requests for option in ("--build", build)]
    out = tmp_path / "out"
    process = matrix_process(root, "run", *builds, "--test", FLAGSHIP, "--out", str(out), "--json")
    assert process.returncode == 0, process.stderr
    by_build = cells(process)
    (fixed_id,) = by_build.keys() - {AFFECTED, AFFECTED_17}
    assert {build: (cell["outcome"], cell["grade"]) for build, cell in by_build.items()} == {
        AFFECTED: ("reproduced", "as-expected"),
        AFFECTED_17: ("reproduced", "as-expected"),
        fixed_id: ("not-reproduced", "as-expected"),
    }
    for build in (AFFECTED, AFFECTED_17):
        cause = by_build[build]["evidence"]["cause"]
        assert "threads waited" in cause
        assert "to enter KeepAliveCache." in cause
        assert "(Keep-Alive-Timer) sat in SSLSocketImpl.close" in cause
    assert "(holder inferred)" not in by_build[AFFECTED]["evidence"]["cause"]
    assert "(holder inferred)" in by_build[AFFECTED_17]["evidence"]["cause"]
    assert by_build[fixed_id]["evidence"]["cause"] is None
    for cell in by_build.values():
        cases = {case["case"]: case["outcome"] for case in cell["evidence"]["cases"]}
        assert cases.pop("subject") == cell["outcome"]
        assert cases == {"tls12": "not-reproduced", "no-read-timeout": "not-reproduced"}
        for artifact in cell["artifacts"]:
            assert (out / artifact).is_file()
    report = matrix(capsys, "report", str(out), "--json")
    assert report.returncode == 0, report.stderr
    assert report.stdout == process.stdout


def test_a_crash_a_hang_and_a_skip_are_never_a_verdict(
    tmp_path: Path, tool_jdk: Path, capsys: Capture
) -> None:
    crashing = planted_jdk(tool_jdk, tmp_path / "crash", "kill -SEGV $$")
    hanging = planted_jdk(tool_jdk, tmp_path / "hang", "exec sleep 300")
    no_tls13 = planted_jdk(
        tool_jdk,
        tmp_path / "tls12",
        f'exec "{tool_jdk}/bin/java" -Djdk.tls.client.protocols=TLSv1.2 "$@"',
    )
    homes = [option for home in (crashing, hanging, no_tls13) for option in ("--jdk", str(home))]
    # A JVM has 120 s; the reproducer needs few of them.
    options = ("--timeout-factor", "0.25", "--no-confirm", "--json")
    process = matrix(capsys, "run", *homes, "--test", TLS, *options)
    assert process.returncode == 1, process.stderr
    crash, hang, skip = json.loads(process.stdout)["cells"]
    assert (crash["outcome"], crash["grade"]) == ("error", "broke")
    assert "No outcome file; its status: Failed. Unexpected exit" in crash["reason"]
    assert (hang["outcome"], hang["grade"]) == ("error", "error")
    assert "timed out" in hang["reason"]
    assert (skip["outcome"], skip["grade"]) == ("not-applicable", "skipped")
    assert "TLSv1.2" in skip["reason"]


def test_a_build_whose_jvm_does_not_start_costs_its_own_cells_alone(
    tmp_path: Path, tool_jdk: Path, capsys: Capture
) -> None:
    """It has said what it is, and starts no more."""
    home = planted_jdk(tool_jdk, tmp_path / "jdk", "exit 1")
    java = home / "bin" / "java"
    line = "*TieredStopAtLevel*) echo 'Error: no libjvm.so' >&2; exit 1 ;;\nesac"
    java.write_text(java.read_text().replace("esac", line))
    options = ("--jdk", str(home), "--build", FIXED, "--test", ZERO, "--json")
    process = matrix(capsys, "run", *options)
    assert process.returncode == 2, process.stderr
    document = json.loads(process.stdout)
    grades = {cell["build"] == FIXED: cell["grade"] for cell in document["cells"]}
    assert grades == {True: "as-expected", False: "error"}
    (fault,) = document["build_faults"]
    assert fault["sentence"] == "Its JVM does not start: Error: no libjvm.so"
    assert fault["sentence"] in process.stderr


def test_a_jdk_that_loses_its_memory_is_an_error_in_its_own_words(
    tmp_path: Path, tool_jdk: Path, capsys: Capture
) -> None:
    """After its first subject no JVM of it gets more than 400 MB of addresses."""
    flag = tmp_path / "lost"
    jdk = planted_jdk(
        tool_jdk,
        tmp_path / "jdk",
        f'"{tool_jdk}/bin/java" "$@"; code=$?; : >{flag}; exit $code',
    )
    java = jdk / "bin" / "java"
    line = f'[ -e {flag} ] && exec prlimit --as=400000000 "{tool_jdk}/bin/java" "$@"\n'
    java.write_text(java.read_text().replace("#!/bin/sh\n", f"#!/bin/sh\n{line}"))
    tests = [option for test in (TLS, ZERO) for option in ("--test", test)]
    process = matrix(capsys, "run", "--jdk", str(jdk), *tests, "--jobs", "1", "--json")
    assert process.returncode == 2, process.stderr
    cells = json.loads(process.stdout)["cells"]
    assert sorted(cell["outcome"] for cell in cells) == ["error", "not-reproduced"]
    (error_cell,) = (cell for cell in cells if cell["grade"] == "error")
    assert "Error occurred during initialization of VM" in error_cell["reason"]
    assert "Could not" in error_cell["reason"]


def test_a_jdk_that_lost_tls_13_is_a_surprise_of_the_build(
    tmp_path: Path, fixed_home: Path, capsys: Capture
) -> None:
    jdk = tmp_path / "jdk"
    shutil.copytree(fixed_home, jdk, symlinks=True)
    security = jdk / "conf" / "security" / "java.security"
    security.chmod(0o644)
    key = "\njdk.tls.disabledAlgorithms="
    assert security.read_text().count(key) == 1
    security.write_text(security.read_text().replace(key, f"{key}TLSv1.3, "))
    tests = [option for test in (TLS, ZERO) for option in ("--test", test)]
    out = tmp_path / "out"
    process = matrix(capsys, "run", "--jdk", str(jdk), *tests, "--out", str(out))
    assert process.returncode == 1, process.stderr
    document = json.loads((out / "results.json").read_text())
    jsonschema.Draft202012Validator(Results.published_schema()).validate(document)
    grades = {cell["test"]: cell["grade"] for cell in document["cells"]}
    assert grades == {TLS: "silenced", ZERO: "as-expected"}
    (fault,) = document["build_faults"]
    assert (fault["kind"], fault["about"], fault["silenced"]) == ("broken-promise", "tls13", 1)
    sentence = f"broken-promise: {fault['build']}: {fault['sentence']}"
    assert "jdk.tls.disabledAlgorithms has TLSv1.3" in sentence
    headline, first, *_ = process.stdout.splitlines()
    assert headline.startswith("Not as promised: ")
    assert first == sentence
    for name in ("index.html", "report.md", "junit.xml", "results.tap"):
        assert "TLS 1.3 is not to be had" in (out / name).read_text(), name


def test_a_real_crash_keeps_its_log_and_is_flaky_where_it_does_not_come_again(
    tmp_path: Path, tool_jdk: Path, capsys: Capture
) -> None:
    flag = tmp_path / "crashed"
    crashing = planted_jdk(
        tool_jdk,
        tmp_path / "crash",
        # Once the reproducer has said that it begins, which the JVM's log has.
        f'[ -e "{flag}" ] || {{ touch "{flag}"; '
        '(until grep -q "^# java:" /proc/$$/fd/1; do sleep 0.02; done; kill -SEGV $$) & '
        f'exec "{tool_jdk}/bin/java" "$@"; }}',
    )
    out = tmp_path / "out"
    process = matrix(
        capsys, "run", "--jdk", str(crashing), "--test", LASTING, "--out", str(out), "--json"
    )
    assert process.returncode == 1, process.stderr
    (cell,) = json.loads(process.stdout)["cells"]
    assert (cell["outcome"], cell["grade"]) == ("error", "flaky")
    assert cell["confirmation"] == "Error in 1 of 2 attempts, not-reproduced in 1: flaky."
    assert cell["reason"].startswith("The test JVM crashed: hs_err_pid")
    assert any("hs_err_pid" in artifact for artifact in cell["artifacts"])
    report = matrix(capsys, "report", str(out), "--json")
    assert (report.returncode, report.stdout) == (1, process.stdout)


def test_ctrl_c_keeps_finished_cells_and_resume_runs_the_rest(
    root: Path, tmp_path: Path, history_of_the_tests: Path, capsys: Capture
) -> None:
    out = tmp_path / "out"
    tests = ["--test", ZERO, "--test", LASTING]
    command = [str(root / "scripts" / "matrix"), "run", "--build", FIXED, *tests]
    run = subprocess.Popen(
        [*command, "--jobs", "1", "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell's background job, as CI may be, ignores SIGINT and hands that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    first = out / "cells" / FIXED / ZERO.removesuffix(".java") / "cell.json"
    second = out / "cells" / FIXED / LASTING.removesuffix(".java")
    wait_for([first, second / "scratch"])
    run.send_signal(signal.SIGINT)
    stdout, stderr = run.communicate(timeout=60)
    assert run.returncode == 2, stderr
    assert "Not complete" in stdout
    assert "scripts/matrix run --resume" in stderr
    partial = json.loads((out / "results.json").read_text())
    assert partial["complete"] is False
    assert in_history(history_of_the_tests, partial["started"]) == [(None, 1)]
    assert not (second / "cell.json").exists()
    mtime_ns = first.stat().st_mtime_ns

    rest = matrix(capsys, "run", "--resume", "--out", str(out), "--offline", "--json")
    assert rest.returncode == 0, rest.stderr
    document = json.loads(rest.stdout)
    assert document["complete"] is True
    assert [cell["outcome"] for cell in document["cells"]] == ["not-reproduced"] * 2
    assert first.stat().st_mtime_ns == mtime_ns
    assert document["started"] == partial["started"]
    assert in_history(history_of_the_tests, document["started"]) == [(document["finished"], 2)]

    second_resume = matrix(capsys, "run", "--resume", "--out", str(out))
    assert second_resume.returncode == 3
    assert "nothing is left to resume" in second_resume.stderr


def in_history(file: Path, start: str) -> list[tuple[str | None, int]]:
    """When the runs that began then were finished, and how many cells each has."""
    query = """
        SELECT r.finished, count(*) FROM runs r JOIN cells c ON c.run_id = r.id
        WHERE r.started = ? GROUP BY r.id
    """
    with reading(file) as connection:
        return connection.execute(query, (start,)).fetchall()


def wait_for(paths: Sequence[Path], timeout_s: float = 120) -> None:
    deadline = time.monotonic() + timeout_s
    while not all(path.exists() for path in paths):
        assert time.monotonic() < deadline, f"not there: {paths}"
        time.sleep(0.05)


def test_builds_that_can_not_be_had_are_named_and_nothing_ran(
    tmp_path: Path, tool_jdk: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tool_jdk
    cache = tmp_path / "cache"  # has the tools, but not this build
    for part in cache_root().glob("builds/debian-17-*"):
        shutil.copytree(part, cache / part.relative_to(cache_root()), symlinks=True)
    (cache / "tests").symlink_to(cache_root() / "tests")
    monkeypatch.setenv("JDKMATRIX_CACHE", str(cache))
    process = matrix(capsys, "run", "--offline", "--build", "temurin-11.0.9.1+1", "--test", TLS)
    assert process.returncode == 3, process.stderr
    last = process.stderr.splitlines()[-1]
    assert last.startswith("matrix: no cell could be run: temurin-11.0.9.1+1: wheel: ")
    assert "offline" in last


@pytest.mark.quiet
def test_a_warm_start_is_quick_and_needs_no_network(
    root: Path, tmp_path: Path, fixed_home: Path
) -> None:
    start_usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.run(
        [str(root / "scripts" / "matrix"), "jdks", "list", "--json"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PIP_INDEX_URL": "http://127.0.0.1:1/"},
    )
    end_usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    (build,) = [b for b in json.loads(process.stdout)["builds"] if b["id"] == FIXED]
    assert build["cached"] is True
    assert build["home"] == str(fixed_home)
    # CPU time: how long it takes on the wall is up to whoever else uses the machine.
    assert end_usage.ru_utime + end_usage.ru_stime - start_usage.ru_utime - start_usage.ru_stime < 3
