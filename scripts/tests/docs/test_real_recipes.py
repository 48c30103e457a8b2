# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The recipes of `docs/reference/try-recipes.md`, as they are written there, on a real build."""

import re
import shlex
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from jdkmatrix.machine.java_program import TOOL_SHORT_LIVED
from tests.conftest import ROOT
from tests.in_process import Capture, matrix

pytestmark = [pytest.mark.network, pytest.mark.jdk]

PAGE = ROOT / "docs" / "reference" / "try-recipes.md"
# By the recipe's title: the exit code, and what the first line says.
EXPECTED = {
    "A hang": (1, "Stuck.java: fails on 1 of 1 build."),
    "A wrong reply": (0, "Reply.java: passes on 1 build."),
    "A slow request": (0, "Slow.java: passes on 1 build."),
    "A crash": (1, "Crash.java: fails on 1 of 1 build."),
    "A jar with arguments": (0, "app.jar: alike on 1 build."),
    "A Maven test": (0, "mvn: passes on 1 build."),
    "A shell script": (0, "sh: alike on 1 build."),
}
# Maven itself is played: its plugins would have to be fetched.
MVN = """#!/bin/sh
"$JAVA_HOME/bin/java" -version
"""
APP = """
public class App {
    public static void main(String[] words) { System.out.println(String.join("+", words)); }
}
"""


def recipes() -> dict[str, str]:
    text = PAGE.read_text("utf-8")
    parts = re.split(r"^##+ (.+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def write_files(recipe: str, folder: Path) -> None:
    """The files that a recipe shows."""
    for source in re.findall(r"^```java\n(.*?)^```", recipe, re.MULTILINE | re.DOTALL):
        (match,) = re.findall(r"^public class (\w+)", source, re.MULTILINE)
        (folder / f"{match}.java").write_text(source)
    for script in re.findall(r"^```sh\n(.*?)^```", recipe, re.MULTILINE | re.DOTALL):
        (folder / script.split()[1]).write_text(script)


def command_of(recipe: str) -> list[str]:
    (line,) = re.findall(r"^scripts/matrix (try .*)$", recipe, re.MULTILINE)
    return shlex.split(line)


def test_each_recipe_is_run() -> None:
    assert [*recipes()] == [*EXPECTED]


@pytest.fixture(scope="module")
def jar(tool_jdk: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recipes' app.jar."""
    folder = tmp_path_factory.mktemp("app")
    (folder / "App.java").write_text(APP)
    javac = [str(tool_jdk / "bin" / "javac"), *TOOL_SHORT_LIVED, "--release", "8", "App.java"]
    subprocess.run(javac, cwd=folder, check=True, capture_output=True)
    with zipfile.ZipFile(folder / "app.jar", "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMain-Class: App\n")
        archive.write(folder / "App.class", "App.class")
    return folder / "app.jar"


@pytest.mark.parametrize("title", EXPECTED)
def test_it_does_what_it_says(
    title: str,
    tmp_path: Path,
    jar: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, programs = tmp_path / "folder", tmp_path / "programs"
    folder.mkdir()
    programs.mkdir()
    (programs / "mvn").write_text(MVN)
    (programs / "mvn").chmod(0o755)
    shutil.copy(jar, folder)
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    monkeypatch.chdir(folder)
    recipe = recipes()[title]
    write_files(recipe, folder)
    command, *options = command_of(recipe)
    process = matrix(capsys, command, "--out", str(tmp_path / "run"), *options)
    code, first_line = EXPECTED[title]
    assert process.returncode == code, process.stderr
    assert process.stdout.splitlines()[0] == first_line
