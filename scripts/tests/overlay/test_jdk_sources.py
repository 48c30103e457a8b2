# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is damaged or can't be read is one line, and a user's own sources are not trusted."""

import zipfile
from dataclasses import replace
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import Any

import pytest

from jdkmatrix.config.jdks import BuildEntry, JdksFile
from jdkmatrix.config.version import parse
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.machine import files
from jdkmatrix.machine.java_program import JavaTool
from jdkmatrix.overlay.jdk_sources import SourcePlace, SourceZip, sources_for
from jdkmatrix.overlay.maker import OverlayMaker
from jdkmatrix.overlay.overlay_request import OverlayRequest
from jdkmatrix.overlay.patching import Patching
from jdkmatrix.overlay.target import copy_packages
from jdkmatrix.supply.build import Build, BuildFacts
from jdkmatrix.supply.catalog import Catalog
from tests.plan.parsed_ids import last_builds
from tests.supply.supply_kit import jdks_of

FILES = ("java.base/java/net/URL.java", "java.base/module-info.java", "java.xml/module-info.java")

# In place of real ones: a class is its source's text, and what javap shows of it too.
JAVAC = """#!/bin/sh
while [ "$1" != -d ]; do shift; done
mkdir -p "$2/java/net"
cp "$3" "$2/java/net/URL.class"
"""
JAVAP = """#!/bin/sh
for file; do
    case $file in *.class) printf 'Classfile URL\\nclass URL {\\n%s\\n}\\n' "$(cat "$file")" ;; esac
done
"""
PATCH = "--- a/java/net/URL.java\n+++ b/java/net/URL.java\n@@ -1,1 +1,2 @@\n   old\n+  patch\n"


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return local_jdk(tmp_path)


def local_jdk(tmp_path: Path) -> Build:
    """A JDK 17 in a folder of the user's, with a src.zip."""
    home = tmp_path / "jdk"
    (home / "lib").mkdir(parents=True)
    pack(home / "lib" / "src.zip")
    facts = BuildFacts("17.0.9+9", "v", "vm", "17", "amd64", ".", True, True)
    return Build("v-17", "v-17", parse("17.0.9+9"), "v", 17, "local", "aa", (), home, facts)


def pack(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in FILES:
            archive.writestr(name, f"// {name}\n" * 50)


def its_sources(build: Build, jdks: JdksFile) -> list[SourceZip | MachineError]:
    supplier: Any = None
    return list(sources_for(build, supplier, Catalog(jdks, {})))


def maker(build: Build, jdks: JdksFile, cache: Path) -> OverlayMaker:
    supplier: Any = SimpleNamespace()
    return OverlayMaker(
        Patching(supplier, Catalog(jdks, {}), JavaTool(cache, build.home, cache)), cache
    )


@pytest.mark.parametrize(("source", "is_own"), [("local", False), ("url", True)])
def test_the_src_zip_of_a_folder_of_the_user_s_is_checked(
    build: Build, jdks: JdksFile, source: str, is_own: bool
) -> None:
    (sources,) = its_sources(replace(build, source=source), jdks)
    assert isinstance(sources, SourceZip)
    assert sources.is_own is is_own


def test_a_new_file_goes_to_the_module_of_its_package_or_nowhere(
    build: Build, jdks: JdksFile
) -> None:
    (sources,) = its_sources(build, jdks)
    assert isinstance(sources, SourceZip)
    place = sources.place_for_new("src/java.base/share/classes/java/net/New.java")
    assert place == SourcePlace("java.base", PurePosixPath("java/net/New.java"))
    assert sources.place_for_new("src/java.base/share/classes/java/fresh/New.java") is None


def test_a_damaged_src_zip(build: Build, jdks: JdksFile) -> None:
    path = build.home / "lib" / "src.zip"
    (sources,) = its_sources(build, jdks)
    assert isinstance(sources, SourceZip)
    place = sources.find("java/net/URL.java")
    assert place is not None
    path.write_bytes(b"PK" + path.read_bytes()[2:].replace(b"URL.java", b"URL.jav\0", 1))
    with pytest.raises(MachineError, match="damaged") as fault:
        sources.read(place)
    assert "\n" not in str(fault.value)
    path.write_text("no zip")
    (error,) = its_sources(build, jdks)
    assert isinstance(error, MachineError)
    assert str(error) == f"{path}: damaged: File is not a zip file"


def test_a_damaged_jar_of_the_library(build: Build, tmp_path: Path) -> None:
    (build.home / "jre" / "lib").mkdir(parents=True)
    (build.home / "jre" / "lib" / "rt.jar").write_text("no zip")
    eight = replace(build, train=8, facts=replace(build.facts, java_home="jre"))
    tool: Any = None
    with pytest.raises(MachineError, match=r"rt\.jar: damaged"):
        copy_packages(eight, ["java.net"], tmp_path, tool)


def test_a_link_to_a_jar_that_is_not_there(build: Build, tmp_path: Path) -> None:
    """As Debian's jre/lib/ext/java-atk-wrapper.jar."""
    eight = of_java_8(build, "  old\n", "  old\n")
    extensions = build.home / "jre" / "lib" / "ext"
    extensions.mkdir()
    (extensions / "java-atk-wrapper.jar").symlink_to("/usr/share/java/nowhere.jar")
    tool: Any = None
    assert copy_packages(eight, ["java.net"], tmp_path / "out", tool) == {"java.net": ""}


def test_a_patch_that_can_not_be_read(
    build: Build, jdks: JdksFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    diff = tmp_path / "a.diff"
    diff.touch()

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(files, "open_plain", refuse)
    with pytest.raises(UsageError, match=r"a\.diff: cannot be read: Permission denied$"):
        maker(build, jdks, tmp_path).overlaid(build, OverlayRequest(diff, is_patch=True))


def of_java_8(build: Build, source: str, code: str) -> Build:
    """The JDK as one of Java 8, with a src.zip and the code of its classes."""
    library = build.home / "jre" / "lib" / "rt.jar"
    library.parent.mkdir(parents=True)
    for path, text in ((build.home / "lib/src.zip", source), (library, code)):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(f"java/net/URL.{'class' if path == library else 'java'}", text)
    (build.home / "bin").mkdir()
    for name, program in (("javac", JAVAC), ("javap", JAVAP)):
        (build.home / "bin" / name).write_text(program)
        (build.home / "bin" / name).chmod(0o755)
    return replace(build, train=8, facts=replace(build.facts, java_home="jre"))


def test_a_src_zip_that_the_classes_were_not_made_from_is_refused(
    build: Build, jdks: JdksFile, tmp_path: Path
) -> None:
    diff = tmp_path / "a.diff"
    diff.write_text(PATCH)
    eight = of_java_8(build, "  old\n", "  newer\n")
    says = (
        r": no matching sources: its own src\.zip: the build's class URL has other code; "
        r"accepted: the sources of 17\.0\.9\+9, in a folder named by --sources"
    )
    with pytest.raises(UsageError, match=says):
        maker(eight, jdks, tmp_path / "cache").overlaid(eight, OverlayRequest(diff, is_patch=True))


def test_one_that_they_were_made_from_is_taken(
    build: Build, jdks: JdksFile, tmp_path: Path
) -> None:
    diff = tmp_path / "a.diff"
    diff.write_text(PATCH)
    eight = of_java_8(build, "  old\n", "  old\n")
    overlay_build = maker(eight, jdks, tmp_path / "cache").overlaid(
        eight, OverlayRequest(diff, is_patch=True)
    )
    assert overlay_build.overlay
    assert overlay_build.overlay.note == "its own src.zip, compiled by v-17"
    (file,) = (tmp_path / "cache").rglob("URL.class")
    assert file.read_text() == "  old\n  patch\n"


@pytest.mark.parametrize("folder", ["test/jdk", "jdk/test"])
def test_a_patch_of_tests_alone(build: Build, jdks: JdksFile, tmp_path: Path, folder: str) -> None:
    diff = tmp_path / "a.diff"
    path = f"{folder}/sun/net/www/http/KeepAliveCache/A.java"
    diff.write_text(f"--- a/{path}\n+++ b/{path}\n@@ -1,1 +1,2 @@\n a\n+b\n")
    with pytest.raises(UsageError, match=r"a\.diff over v-17: it changes only tests"):
        maker(build, jdks, tmp_path / "cache").overlaid(build, OverlayRequest(diff, is_patch=True))


GIT = "diff --git a/java/net/{0} b/java/net/{1}\n"
REFUSED = {
    "java/net/a.gif": GIT.format("a.gif", "a.gif")
    + "Binary files a/java/net/a.gif and b/java/net/a.gif differ\n",
    "java/net/URN.java": GIT.format("URL.java", "URN.java")
    + "similarity index 100%\nrename from java/net/URL.java\nrename to java/net/URN.java\n",
    "java/net/URL.java": "--- a/java/net/URL.java\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-  old\n",
    "java/fresh/New.java": "--- /dev/null\n+++ b/java/fresh/New.java\n@@ -0,0 +1,1 @@\n+new\n",
}
NO_NEW_PACKAGE = ": a new package; accepted: new files in packages that are there; "


@pytest.mark.parametrize(("path", "part"), REFUSED.items(), ids=["binary", "moved", "gone", "new"])
def test_a_part_that_can_not_be_laid_over_is_named(
    build: Build, jdks: JdksFile, tmp_path: Path, path: str, part: str
) -> None:
    diff = tmp_path / "a.diff"
    diff.write_text(PATCH + part)
    eight = of_java_8(build, "  old\n", "  old\n")
    with pytest.raises(UsageError) as error:
        maker(eight, jdks, tmp_path / "cache").overlaid(eight, OverlayRequest(diff, is_patch=True))
    prefix = "no matching sources: its own src.zip: " if "fresh" in path else ""
    reason = NO_NEW_PACKAGE if "fresh" in path else ": accepted: changed and new text files"
    assert f"--overlay-patch {diff} over v-17: {prefix}{path}{reason}" in str(error.value)
    assert not list((tmp_path / "cache").iterdir())


def test_a_cache_that_can_not_be_written(build: Build, jdks: JdksFile, tmp_path: Path) -> None:
    diff, cache = tmp_path / "a.diff", tmp_path / "cache"
    diff.touch()
    cache.touch()
    with pytest.raises(MachineError, match=r"a\.diff over v-17: .*cache: File exists$"):
        maker(build, jdks, cache).overlaid(build, OverlayRequest(diff, is_patch=True))


def test_sources_that_can_not_be_had_are_passed_over(
    build: Build, jdks: JdksFile, tmp_path: Path
) -> None:
    """Debian's mirrors have no 17.0.19 any more, but what is next to it."""
    pack(tmp_path / "fetched.zip")
    entry_ids: list[str] = []

    def java_sources(entry: BuildEntry, version: str | None) -> Path:
        assert version is None
        entry_ids.append(entry.id)
        if entry.id == "debian-17.0.19+10":
            raise MachineError("gone")
        return tmp_path / "fetched.zip"

    image = replace(build, source="wheel", home=tmp_path, version=parse("17.0.13+11"))
    supplier: Any = SimpleNamespace(java_sources=java_sources)
    names = ("debian-17.0.12+7", "debian-17.0.19+10", "debian-17.0.20.1+1", "debian-17")
    ids = {entry: entry for entry in names} | {"debian-17": "debian-17.0.21.1+2"}
    refusal, newer, older = sources_for(image, supplier, Catalog(jdks, last_builds(ids)))
    assert entry_ids == ["debian-17.0.19+10", "debian-17.0.20.1+1", "debian-17.0.12+7"]
    assert str(refusal) == "gone"
    assert [sources.label for sources in (newer, older) if isinstance(sources, SourceZip)] == [
        "sources of debian-17.0.20.1+1",
        "sources of debian-17.0.12+7",
    ]


def test_a_neighbour_may_have_another_place_before_debian_s(build: Build, tmp_path: Path) -> None:
    pack(tmp_path / "fetched.zip")
    sources = [
        {"source": "local", "path": "/opt/jdk"},
        {"source": "debian", "suite": "bookworm", "packages": ["openjdk-17-jre-headless"]},
    ]
    jdks = jdks_of({"id": "debian-17.0.12+7", "sources": sources})
    supplier: Any = SimpleNamespace(java_sources=lambda entry, version: tmp_path / "fetched.zip")
    image = replace(build, source="wheel", home=tmp_path)
    (source,) = sources_for(
        image, supplier, Catalog(jdks, last_builds({"debian-17.0.12+7": "debian-17.0.12+7"}))
    )
    assert isinstance(source, SourceZip)
    assert source.label == "sources of debian-17.0.12+7"
