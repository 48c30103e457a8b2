# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is every JDK of a machine found once, whoever put it there, and what can't be read told?"""

from pathlib import Path

import pytest

from jdkmatrix.cli import discovered_jdks
from jdkmatrix.cli.app import main
from jdkmatrix.supply.discovery import discover_jdks

TOOLCHAINS = """<toolchains xmlns="http://maven.apache.org/TOOLCHAINS/1.1.0"><toolchain>
<configuration><jdkHome>{home}</jdkHome></configuration></toolchain></toolchains>"""


def jdk(home: Path) -> Path:
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "java").touch()
    return home


def names_by_path(
    home: Path, environment: dict[str, str] | None = None, notices: list[str] | None = None
) -> dict[str, tuple[str, ...]]:
    """Who names each JDK below `home`, by its path from there."""
    messages = [] if notices is None else notices
    jdks = discover_jdks(home, environment or {}, messages.append, of_system=(home / "jvm",))
    return {str(candidate.home.relative_to(home)): candidate.named_by for candidate in jdks}


@pytest.mark.parametrize(
    ("place", "name"),
    [
        (".sdkman/candidates/java/17.0.9-tem", "SDKMAN"),
        (".asdf/installs/java/temurin-17", "asdf"),
        (".local/share/mise/installs/java/17", "mise"),
        (".jenv/versions/17", "jenv"),
        (".jdks/temurin-17.0.9", "IntelliJ"),
        (".gradle/jdks/temurin-17", "Gradle"),
        (".gradle/jdks/temurin-17/jdk-17.0.9+9", "Gradle"),
        ("jvm/java-17-openjdk-amd64", "system"),
        ("jvm/temurin-17.jdk/Contents/Home", "system"),
    ],
)
def test_each_tool_has_its_place(tmp_path: Path, place: str, name: str) -> None:
    jdk(tmp_path / place)
    assert names_by_path(tmp_path) == {place: (name,)}


def test_each_tool_can_have_been_moved(tmp_path: Path) -> None:
    folders = {
        "SDKMAN_DIR": "candidates/java/a",
        "ASDF_DATA_DIR": "installs/java/b",
        "MISE_DATA_DIR": "installs/java/c",
        "JENV_ROOT": "versions/d",
        "GRADLE_USER_HOME": "jdks/e",
    }
    for variable, place in folders.items():
        jdk(tmp_path / variable / place)
    environment = {variable: str(tmp_path / variable) for variable in folders}
    assert len(names_by_path(tmp_path, environment)) == len(folders)


def test_one_jdk_under_several_names_is_one(tmp_path: Path) -> None:
    home = jdk(tmp_path / "jvm" / "17")
    for link in (tmp_path / ".jdks" / "mine", tmp_path / "jvm" / "default"):
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(home)
    (tmp_path / ".m2").mkdir()
    (tmp_path / ".m2" / "toolchains.xml").write_text(TOOLCHAINS.format(home=home))
    (tmp_path / ".gradle").mkdir()
    properties = f"a=b\norg.gradle.java.installations.paths=/nowhere, {home}\n"
    (tmp_path / ".gradle" / "gradle.properties").write_text(properties)
    names = ("JAVA_HOME", "system", "IntelliJ", "gradle.properties", "toolchains.xml")
    assert names_by_path(tmp_path, {"JAVA_HOME": str(home)}) == {"jvm/17": names}


@pytest.mark.parametrize("text", ["<toolchains>", "\0", '<?xml encoding="nix"?><a/>'])
def test_what_cannot_be_read_is_told_and_the_rest_is_found(tmp_path: Path, text: str) -> None:
    jdk(tmp_path / ".jdks" / "17")
    (tmp_path / ".m2").mkdir()
    (tmp_path / ".m2" / "toolchains.xml").write_text(text)
    notices: list[str] = []
    assert names_by_path(tmp_path, notices=notices) == {".jdks/17": ("IntelliJ",)}
    (notice,) = notices
    assert notice.startswith("toolchains.xml: can't be read: ")


def test_entities_that_grow_are_refused(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    text = f'<!DOCTYPE a [<!ENTITY e0 "ha">{entities}]><a><jdkHome>&e11;</jdkHome></a>'
    (tmp_path / ".m2").mkdir()
    (tmp_path / ".m2" / "toolchains.xml").write_text(text)
    notices: list[str] = []
    assert names_by_path(tmp_path, notices=notices) == {}
    assert len(notices) == 1


@pytest.mark.parametrize(
    ("command", "code", "text"),
    [
        ("jdks discover", 0, "can't be used: not a JDK: no lib/modules and no rt.jar"),
        ("run --jdk auto --dry-run", 3, "--jdk auto: no JDK found that can be used"),
    ],
)
def test_one_that_cannot_be_used_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    code: int,
    text: str,
) -> None:
    jdk(tmp_path / ".jdks" / "17")
    jdks = discover_jdks(tmp_path, {}, print, of_system=())
    monkeypatch.setattr(discovered_jdks, "discover_jdks", lambda *_: jdks)
    assert main(command.split()) == code
    assert text in "".join(capsys.readouterr())
    monkeypatch.setattr(discovered_jdks, "discover_jdks", lambda *_: ())
    assert main(command.split()) == 3
