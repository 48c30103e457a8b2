# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Whatever the caller hands on, the kit starts, or ends with one line; never with exit code 1."""

import os
import subprocess
from pathlib import Path

import pytest

from jdkmatrix import surroundings
from jdkmatrix.machine.children import clean_environment
from jdkmatrix.surroundings import JAVA_VARIABLES, LastingFile, is_withheld, withhold_variables

TIMEOUT_S = 300
# It writes to standard output, and needs most of what each command does.
VERSION = '"$0" --version'


def call(root: Path, script: str) -> subprocess.CompletedProcess[str]:
    """A shell script that calls the kit by `"$0"`."""
    program = str(root / "scripts" / "matrix")
    return subprocess.run(
        ["sh", "-c", script, program], capture_output=True, text=True, timeout=TIMEOUT_S
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "code", "says"),
    [
        (f"{VERSION} <&- >&- 2>&-", 0, ""),
        (f"{VERSION} 2>/dev/full", 0, ""),
        (f"{VERSION} >/dev/full", 2, "matrix: standard output: No space left on device; not all"),
        (f"{VERSION} >/dev/full 2>&1", 2, ""),
        ('"$0" --none 2>/dev/full', 4, ""),
        ('"$0" --none >&- 2>&-', 4, ""),
        (f"PYTHONHOME=/nowhere {VERSION}", 0, "matrix: not handed on, as each JVM or Python"),
        (f"ulimit -v 14000; {VERSION}", 2, "matrix: "),
        (f"ulimit -v 30000; {VERSION}", 2, "matrix: "),
        (f"_MATRIX_COMPLETE=nonsense {VERSION}", 4, "Invalid completion instruction."),
        (f"_MATRIX_COMPLETE=nonsense PYTHONHOME=/nowhere {VERSION}", 4, "Invalid completion"),
    ],
)
def test_it_starts_or_says_in_a_line_why_not(root: Path, script: str, code: int, says: str) -> None:
    process = call(root, script)
    assert process.returncode == code, process.stderr
    assert process.stderr.startswith(says)
    assert "Traceback" not in process.stderr
    assert bool(process.stderr) == bool(says)


@pytest.mark.slow
def test_modules_of_pythonpath_are_not_the_kits(root: Path, tmp_path: Path) -> None:
    # None that Python itself imports before the kit's first line, as by a .pth file of a package.
    for name in ("json", "subprocess", "argparse", "jdkmatrix"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(1)")
    for program in ('"$0"', 'python3 "$0"'):
        process = call(root, f"PYTHONPATH={tmp_path} {program} --version")
        assert process.returncode == 0, process.stderr
        assert process.stderr.endswith(" would heed it: PYTHONPATH\n")


def test_a_child_has_neither_the_callers_variables_nor_the_kits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in (*JAVA_VARIABLES, "PYTHONPATH", "PYTHONSAFEPATH"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("PYTHON_VERSION", "3.11")
    assert not [name for name in clean_environment() if is_withheld(name)]
    assert clean_environment()["PYTHON_VERSION"] == "3.11"


def test_what_is_withheld_is_named_but_what_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in os.environ if is_withheld(name)]:
        monkeypatch.delenv(name)
    harmless = ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONNOUSERSITE", "PYTHONSAFEPATH")
    for name in (*harmless, "PYTHONHOME", "JDK_JAVA_OPTIONS"):
        monkeypatch.setenv(name, "x")
    assert withhold_variables() == ["JDK_JAVA_OPTIONS", "PYTHONHOME"]
    assert withhold_variables() == []
    assert not set(harmless) & set(os.environ)


def test_a_pipe_that_does_not_block_is_waited_for() -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    text = b"x" * (1 << 20)
    reader = subprocess.Popen(["wc", "-c"], stdin=reading, stdout=subprocess.PIPE, text=True)
    os.close(reading)
    rest = memoryview(text)
    with LastingFile(writing, "w") as file:
        while rest:
            rest = rest[file.write(rest) :]
        assert file.fault is None
    assert reader.communicate()[0].strip() == str(len(text))


def test_what_a_full_disk_does_not_take_is_lost_and_told() -> None:
    with LastingFile("/dev/full", "w") as file:
        assert file.write(b"text") == 4
        assert file.fault is not None
        assert file.fault.strerror == "No space left on device"


def test_of_streams_that_are_not_the_kits_nothing_is_told() -> None:
    assert surroundings.stdout_fault() is None
