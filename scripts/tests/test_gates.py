# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does `scripts/test` leave a process, however it ends, and is what had failed by then told?"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.machine.test_children import grandchild, is_alive, wait_until

pytestmark = pytest.mark.slow

GATES = """
import sys
from gates import run_pytest
from jdkmatrix.cli.signals import end_as_by_ctrl_c

end_as_by_ctrl_c()
run_pytest(sys.argv[1:])
"""
TESTS = """
import os
import subprocess
from pathlib import Path

def test_fails() -> None:
    assert "this is told" == ""

def test_waits() -> None:
    waits = subprocess.Popen(["sleep", "600"], start_new_session=True)
    Path(os.environ["PID_FILE"]).write_text(f"{waits.pid}\\n")
    waits.wait()
"""


@pytest.mark.parametrize(("number", "told"), [(signal.SIGTERM, True), (signal.SIGKILL, False)])
def test_a_signal_leaves_no_process(
    root: Path, tmp_path: Path, number: signal.Signals, told: bool
) -> None:
    (tmp_path / "test_two.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    pid_file, log = tmp_path / "pid", tmp_path / "log"
    with log.open("w") as file:
        gates = subprocess.Popen(
            [sys.executable, "-c", GATES, "-c", str(tmp_path / "pytest.ini"), str(tmp_path)],
            env={**os.environ, "PYTHONPATH": str(root / "scripts"), "PID_FILE": str(pid_file)},
            stdout=file,
            stderr=subprocess.DEVNULL,
            # A shell's background job, as CI may be, ignores SIGINT and hands that on.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        sleep = grandchild(pid_file)
        gates.send_signal(number)
        assert gates.wait(30) != 0
    wait_until(lambda: not is_alive(sleep))
    assert ("this is told" in log.read_text()) is told
