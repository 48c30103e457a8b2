# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a program for another processor start by an emulator, and is a missing one named?"""

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from jdkmatrix.supply.build import BuildFacts, SourceError
from jdkmatrix.supply.identity import check_runs_here
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.unpack.emulated import emulate

LINUX = Platform("linux", "x64")
JDK = BuildFacts(
    "21.0.9+10", "Eclipse Adoptium", "OpenJDK", "21.0.9+10", "aarch64", ".", True, False
)
LACKS = (
    "no qemu-aarch64-static or qemu-aarch64 on the PATH; get it: apt-get install qemu-user-static"
)
QEMU = '#!/bin/sh\necho "$@"\n'


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A JDK with one program, beside the C library of its processor."""
    (tmp_path / "root" / "bin").mkdir(parents=True)
    shutil.copy("/bin/sleep", tmp_path / "root" / "bin" / "java")
    (tmp_path / "root" / "bin" / "script").write_text("#!/bin/sh\n")
    library = tmp_path / "libraries" / "usr" / "some-triplet" / "lib"
    library.mkdir(parents=True)
    shutil.copy("/bin/sleep", library / "ld-linux-aarch64.so.1")
    return tmp_path


def run_program(tree: Path, *emulators: str) -> "subprocess.CompletedProcess[str]":
    """Start its program where these emulators are on the PATH."""
    programs = tree / "programs"
    programs.mkdir()
    for name in ("dirname", "readlink"):
        (programs / name).symlink_to(shutil.which(name) or "")
    for name in emulators:
        (programs / name).write_text(QEMU)
        (programs / name).chmod(0o755)
    command: list[str | Path] = [tree / "root" / "bin" / "java", "-cp", "a b"]
    environment = {**os.environ, "PATH": str(programs)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("emulator", ["qemu-aarch64-static", "qemu-aarch64"])
def test_a_program_starts_by_the_emulator_with_its_c_library(tree: Path, emulator: str) -> None:
    emulate(tree / "root", tree / "libraries")
    root, libraries = tree / "root" / "bin", "../../libraries/usr/some-triplet"
    assert (
        run_program(tree, emulator).stdout == f"-L {root}/{libraries} {root}/java.aarch64 -cp a b\n"
    )
    assert sorted(path.name for path in root.iterdir()) == ["java", "java.aarch64", "script"]


def test_the_tree_is_the_same_wherever_it_lies(tree: Path) -> None:
    emulate(tree / "root", tree / "libraries")
    assert str(tree) not in (tree / "root" / "bin" / "java").read_text()


def test_a_program_without_an_emulator_says_so(tree: Path) -> None:
    emulate(tree / "root", tree / "libraries")
    process = run_program(tree)
    assert (process.returncode, process.stderr) == (127, f"error: {LACKS}\n")


def test_libraries_of_another_processor_are_refused(tree: Path) -> None:
    shutil.rmtree(tree / "libraries" / "usr")
    with pytest.raises(SourceError, match=r"^the library packages hold no lib/ld-linux-aarch64\."):
        emulate(tree / "root", tree / "libraries")


def test_a_jdk_is_refused_where_the_emulator_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "qemu-aarch64").write_text(QEMU)
    (tmp_path / "qemu-aarch64").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    check_runs_here(LINUX, JDK, "aarch64")
    with pytest.raises(SourceError, match=r"^refused: it is for amd64, not aarch64$"):
        check_runs_here(LINUX, replace(JDK, arch="amd64"), "aarch64")
    with pytest.raises(SourceError, match=r"^refused: it is for aarch64, not x64$"):
        check_runs_here(LINUX, JDK)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(SourceError) as error:
        check_runs_here(LINUX, JDK, "aarch64")
    assert str(error.value) == LACKS
    check_runs_here(Platform("linux", "aarch64"), JDK, "aarch64")  # needs none
