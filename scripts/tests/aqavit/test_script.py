# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What aqavit.sh lays down, hands on and tells TKG, with a stand-in for `scripts/matrix`."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.aqavit.tkg import is_skipped, run_command
from tests.aqavit.vendor_kit import commit, compile_step, get

TARGET = "tls13_keepalive"
JDK = Path("/jdk")
MATRIX = """\
import os, sys
sys.argv[0] = ""
print("java home", os.environ["JAVA_HOME"]) if "fetch" in sys.argv else None
print("matrix", *sys.argv, sep="|")
sys.exit(int(os.environ.get("FETCH_CODE" if "fetch" in sys.argv else "RUN_CODE", 0)))
"""
OLD_PYTHON = '#!/bin/sh\n[ "$1" = --version ] && echo Python 3.10.12\n[ "$1" = --version ]\n'


@pytest.fixture
def kit(root: Path, tmp_path: Path) -> Path:
    """The repository of a kit: its own files of AQAvit, the rest stand-ins."""
    folder = tmp_path / "kit"
    texts = {
        "README.md": "of the kit",
        "jdks.yaml": "",
        "jdks.lock": "",
        "scripts/matrix": MATRIX,
        "scripts/tests/results.tap": "not ok 1",
        "test/TEST.groups": "",
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    names = ("scripts/jdkmatrix/records/commit.txt", "scripts/jdkmatrix/records/.gitattributes")
    for name in (*names, "jtreg/aqavit.sh", "jtreg/build.xml", "jtreg/playlist.xml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, folder / name)
    return folder


@pytest.fixture
def test_root(tmp_path: Path) -> Path:
    """A checkout of aqa-tests, which has a README of its own."""
    folder = tmp_path / "aqa-tests"
    folder.mkdir()
    (folder / "README.md").write_text("of aqa-tests")
    commit(folder)
    return folder


@pytest.fixture
def pythons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is first on the PATH: its python3 is too old, and there is no other."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("git", "tar", "sh", "rm", "mkdir", "tee", "dirname", "tail"):
        program = shutil.which(name)
        assert program
        (folder / name).symlink_to(program)
    (folder / "python3").write_text(OLD_PYTHON)
    (folder / "python3").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    return folder


def matrix_line(output: str) -> str:
    (line,) = (line for line in output.splitlines() if line.startswith("matrix|"))
    return line


def test_the_kit_lies_in_a_folder_of_its_own_and_has_its_commit(kit: Path, test_root: Path) -> None:
    commit_of_kit = commit(kit)
    get(kit, test_root)
    place = compile_step(test_root, JDK, {**os.environ})
    assert {path.name for path in test_root.iterdir()} == {".git", "README.md", "jtreg", "vendor_0"}
    assert (test_root / "README.md").read_text() == "of aqa-tests"
    tree = place / "kit"
    assert (tree / "scripts/jdkmatrix/records/commit.txt").read_text().strip() == commit_of_kit
    assert not list(place.rglob("*.tap"))
    log = (place / "compile.log").read_text()
    assert f"java home {JDK}\n" in log
    assert matrix_line(log) == "matrix||jdks|fetch|--tools"


def test_the_caller_s_folders_and_repository_are_not_taken(kit: Path, test_root: Path) -> None:
    commit(kit)
    get(kit, test_root)
    foreign = {"CDPATH": str(test_root), "GIT_DIR": "/nowhere", "GIT_WORK_TREE": "/nowhere"}
    place = compile_step(test_root, JDK, {**os.environ, **foreign}, "jtreg/aqavit.sh")
    assert (place / "kit" / "scripts" / "matrix").read_text() == MATRIX


def test_of_several_vendors_it_is_the_kit_s_own(kit: Path, test_root: Path, tmp_path: Path) -> None:
    foreign_kit = tmp_path / "foreign"
    (foreign_kit / "jtreg").mkdir(parents=True)
    (foreign_kit / "jtreg" / "playlist.xml").write_text("<playlist/>")
    commit(foreign_kit)
    commit(kit)
    get(foreign_kit, test_root)
    get(kit, test_root, 1)
    place = compile_step(test_root, JDK, {**os.environ})
    assert (place / "kit" / "scripts" / "matrix").read_text() == MATRIX


def test_a_link_to_a_checkout_will_do(kit: Path, test_root: Path) -> None:
    commit(kit)
    (test_root / "jtreg").symlink_to(kit / "jtreg")
    place = compile_step(test_root, JDK, {**os.environ})
    assert (place / "kit" / "scripts" / "matrix").is_file()


@pytest.mark.parametrize("code", [0, 1, 4])
def test_groups_and_jvm_options_reach_the_kit_and_its_exit_code_tkg(
    kit: Path, test_root: Path, code: int
) -> None:
    commit(kit)
    get(kit, test_root)
    place = compile_step(test_root, JDK, {**os.environ})
    options = """-Xmx512m -Dtext="a b" --enable-preview"""
    environment = {**os.environ, "RUN_CODE": str(code)}
    process = run_command(place / "playlist.xml", TARGET, JDK, environment, options)
    out = place.parent / "TKG" / "output" / f"{TARGET}_0" / "run"
    assert matrix_line(process.stdout) == (
        f"matrix||run|--offline|--jdk|/jdk|--out|{out}|--test|:tier1"
        "|--java-option=-Xmx512m|--java-option=-Dtext=a b|--java-option=--enable-preview"
    )
    assert f"{TARGET}_0_{'FAILED' if code else 'PASSED'}" in process.stdout
    assert "compile" not in process.stdout


def test_a_failed_fetch_stops_nothing_and_is_named_where_it_matters(
    kit: Path, test_root: Path
) -> None:
    commit(kit)
    get(kit, test_root)
    place = compile_step(test_root, JDK, {**os.environ, "FETCH_CODE": "2"})
    assert "not all that the tests need could be fetched" in (place / "compile.log").read_text()
    environment = {**os.environ, "RUN_CODE": "2"}
    process = run_command(place / "playlist.xml", TARGET, JDK, environment)
    assert f"what the compile step said: {place}/compile.log" in process.stdout
    assert f"{TARGET}_0_FAILED" in process.stdout


def test_where_none_of_its_tests_can_run_it_is_skipped(kit: Path, test_root: Path) -> None:
    commit(kit)
    get(kit, test_root)
    place = compile_step(test_root, JDK, {**os.environ})
    environment = {**os.environ, "RUN_CODE": "3"}
    process = run_command(place / "playlist.xml", TARGET, JDK, environment)
    assert is_skipped(process.stdout, f"{TARGET}_0")
    assert "_PASSED" not in process.stdout
    assert "_FAILED" not in process.stdout


def test_without_its_repository_the_target_fails_and_says_why(kit: Path, test_root: Path) -> None:
    shutil.copytree(kit / "jtreg", test_root / "jtreg")
    place = compile_step(test_root, JDK, {**os.environ})
    process = run_command(place / "playlist.xml", TARGET, JDK, {**os.environ})
    assert "no git repository of the kit: neither" in process.stdout
    assert f"{TARGET}_0_FAILED" in process.stdout


def test_with_an_old_python_it_is_skipped_as_tkg_skips(
    kit: Path, test_root: Path, pythons: Path
) -> None:
    commit(kit)
    get(kit, test_root)
    place = compile_step(test_root, JDK, {**os.environ})
    assert "needs Python 3.11, here is Python 3.10.12" in (place / "compile.log").read_text()
    process = run_command(place / "playlist.xml", TARGET, JDK, {**os.environ})
    assert process.stdout == (
        f"Skipped due to capabilities (Python 3.11, here is Python 3.10.12) => {TARGET}_0_SKIPPED\n"
    )
    assert is_skipped(process.stdout, f"{TARGET}_0")
    assert not is_skipped(process.stdout, "tls13_interop_0")


def test_without_a_python_it_is_skipped(kit: Path, test_root: Path, pythons: Path) -> None:
    commit(kit)
    get(kit, test_root)
    (pythons / "python3").unlink()
    place = compile_step(test_root, JDK, {**os.environ})
    process = run_command(place / "playlist.xml", TARGET, JDK, {**os.environ})
    assert is_skipped(process.stdout, f"{TARGET}_0")
    assert "here is none" in process.stdout


def test_a_newer_python_beside_the_system_s_is_taken(
    kit: Path, test_root: Path, pythons: Path
) -> None:
    commit(kit)
    get(kit, test_root)
    (pythons / "python3.12").symlink_to(sys.executable)
    place = compile_step(test_root, JDK, {**os.environ})
    process = run_command(place / "playlist.xml", TARGET, JDK, {**os.environ})
    assert f"{TARGET}_0_PASSED" in process.stdout
