# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does `scripts/test` fail if anything does, leave a process, say what had failed by its end?"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gates import PYTEST, are_compiled, mypy_cache, run_gates, run_parts
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


@pytest.mark.parametrize(
    ("tests", "options", "code", "line"),
    [
        (["assert False", "pass"], [], 1, "1 passed, 1 failed, 0 skipped in "),
        (["import pytest; pytest.skip('not here')"], [], 1, "0 passed, 0 failed, 1 skipped in "),
        (["pass"], ["--no-such-option"], 4, "0 passed, 1 failed, 0 skipped in "),
    ],
)
def test_what_fails_in_any_part_fails_the_whole(
    tests: list[str],
    options: list[str],
    code: int,
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CI", "true")
    parts = {}
    for n, body in enumerate(tests):
        folder = tmp_path / str(n)
        folder.mkdir()
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "test_one.py").write_text(f"def test_one():\n    {body}\n")
        parts[str(n)] = ["-c", str(folder / "pytest.ini"), str(folder), *options]
    assert run_parts(parts) == code
    assert capfd.readouterr().out.splitlines()[-1].startswith(line)


def test_only_what_pytest_has_not_compiled_is_collected_first(tmp_path: Path) -> None:
    tests = [tmp_path / "test_a.py", tmp_path / "test_b.py"]
    for count, file in enumerate(tests):
        file.write_text("def test_it() -> None:\n    assert True\n")
        variables = {name: text for name, text in os.environ.items() if "BYTECODE" not in name}
        command = [*PYTEST, "--collect-only", "-q", str(file)]
        subprocess.run(command, env=variables, capture_output=True, check=True)
        assert are_compiled(map(str, tests)) is (count == 1)


def test_a_gate_that_fails_is_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    fails = ["python", "-c", "print('why'); exit(3)"]
    assert run_gates({"well": ["python", "-c", ""], "layers": fails}) == 3
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("well: ok (")
    assert out[1].startswith("layers: FAILED (")
    assert out[2] == "why"


@pytest.mark.parametrize(("number", "is_told"), [(signal.SIGTERM, True), (signal.SIGKILL, False)])
def test_a_signal_leaves_no_process(
    root: Path, tmp_path: Path, number: signal.Signals, is_told: bool
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
            # As a shell's background job, which CI may be.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
        )
        sleep = grandchild(pid_file)
        gates.send_signal(number)
        assert gates.wait(30) != 0
    wait_until(lambda: not is_alive(sleep))
    assert ("this is told" in log.read_text()) is is_told


def test_a_cache_of_mypy_has_one_writer_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MYPY_CACHE_DIR", raising=False)
    with mypy_cache(tmp_path / "mypy") as first, mypy_cache(tmp_path / "mypy") as second:
        folders = [first["MYPY_CACHE_DIR"], second["MYPY_CACHE_DIR"]]
    with mypy_cache(tmp_path / "mypy") as later:
        assert [*folders, later["MYPY_CACHE_DIR"]] == [
            str(tmp_path / "mypy"),
            os.devnull,
            str(tmp_path / "mypy"),
        ]
