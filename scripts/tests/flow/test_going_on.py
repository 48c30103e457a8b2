# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A run that is still going is not gone on with by a second process."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.machine.run_lock import going_on
from jdkmatrix.records.record import RunRecord
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from tests.report.conftest import make_results

HOLD = """
import sys
from pathlib import Path
from jdkmatrix.machine.run_lock import going_on
with going_on(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    results = make_results()
    record = RunRecord(
        run=tmp_path.name,
        started="2026-11-21T08:00:00Z",
        request=Request(),
        machine=results.machine,
        kit=results.kit,
    )
    RunFolder(tmp_path).write_run(record)
    return tmp_path


@pytest.fixture
def holder(run: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that goes on with the run."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(run)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


def test_one_line_says_who_and_nothing_is_touched(
    run: Path, holder: subprocess.Popen[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    (run / "classes").mkdir()
    old_files = sorted(run.rglob("*"))
    assert main(["run", "--resume", "--out", str(run)]) == 2
    line = f"matrix: {run}: this run is still going (pid {holder.pid}); wait until it ends\n"
    assert capsys.readouterr().err == line
    assert sorted(run.rglob("*")) == old_files


def test_after_kill_9_it_can_be_gone_on_with(run: Path, holder: subprocess.Popen[bytes]) -> None:
    holder.kill()
    holder.wait()
    with going_on(run):
        assert (run / ".lock").read_text() == f"pid {os.getpid()}\n"
    assert [path.name for path in run.iterdir()] == ["run.json"]
