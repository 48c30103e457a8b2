# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A user's own checkout gives the sources; what it is not is one line."""

import os
import zipfile
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.overlay.jdk_sources import SYSTEM, SourcePlace, SourceTree
from jdkmatrix.overlay.overlay_request import OverlayRequest
from jdkmatrix.overlay.patch import HAS_CHANGE
from jdkmatrix.supply.build import Build, Overlay
from tests.overlay.test_jdk_sources import PATCH, local_jdk, maker, of_java_8

LAYOUTS = {
    "17u": (17, "src/java.base/share/classes", "java.base"),
    "its src": (17, "java.base/share/classes", "java.base"),
    "src.zip": (17, "java.base", "java.base"),
    "8u": (8, "jdk/src/share/classes", ""),
    "8u's jdk": (8, "src/share/classes", ""),
    "src.zip of 8": (8, ".", ""),
}
DIFF_PATHS = (
    "src/java.base/share/classes/java/net/URL.java",
    "jdk/src/share/classes/java/net/URL.java",
    "java/net/URL.java",
)


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return local_jdk(tmp_path)


def write(root: Path, name: str, text: str = "  old\n") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("diff_path", DIFF_PATHS)
def test_each_layout_has_the_file(tmp_path: Path, layout: str, diff_path: str) -> None:
    train, root, module = LAYOUTS[layout]
    write(tmp_path / root, "java/net/URL.java")
    tree = SourceTree(tmp_path, train)
    place = tree.find(diff_path)
    assert place == SourcePlace(module, PurePosixPath("java/net/URL.java"))
    assert tree.read(place) == "  old\n"
    assert tree.find(diff_path.replace("URL", "URN")) is None
    assert tree.place_for_new(diff_path.replace("URL", "New")) == replace(
        place, path=PurePosixPath("java/net/New.java")
    )
    assert tree.place_for_new(diff_path.replace("net", "fresh")) is None


def test_what_is_for_all_systems_comes_first_and_other_systems_never(tmp_path: Path) -> None:
    for system in ("windows", SYSTEM, "share"):
        write(tmp_path / "src/java.base" / system / "classes", "sun/A.java", system)
    write(tmp_path / "src/java.base/windows/classes", "sun/OfWindows.java")
    write(tmp_path / "src/java.base/unix/classes", "sun/OfUnix.java", "unix")
    tree = SourceTree(tmp_path, 17)
    (of_all, of_unix) = (tree.find(f"src/{name}") for name in ("sun/A.java", "sun/OfUnix.java"))
    assert of_all and of_unix
    assert (tree.read(of_all), tree.read(of_unix)) == ("share", "unix")
    assert tree.find("src/java.base/windows/classes/sun/OfWindows.java") is None


def test_a_folder_without_sources_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    says = r"--sources .*: no sources of a JDK 17; accepted: a checkout, with src/java\.base/share"
    with pytest.raises(UsageError, match=says):
        SourceTree(tmp_path, 17)
    with pytest.raises(UsageError, match=r"JDK 8; accepted: a checkout, with jdk/src/share"):
        SourceTree(tmp_path, 8)


@pytest.mark.parametrize("content", ["fifo", b"\xff\xfe"])
def test_a_source_that_is_no_text_is_one_line(tmp_path: Path, content: str | bytes) -> None:
    path = write(tmp_path / "src/java.base/share/classes", "java/net/URL.java")
    tree = SourceTree(tmp_path, 17)
    place = tree.find("java/net/URL.java")
    assert place
    path.unlink()
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        os.mkfifo(path)
    with pytest.raises(MachineError, match=r"(cannot be read|not in the sources)"):
        tree.read(place)


def lay(build: Build, jdks: JdksFile, tmp_path: Path, tree: Path) -> Overlay:
    """The overlay of PATCH, by the sources in `tree`."""
    diff = write(tmp_path, "a.diff", PATCH)
    request = OverlayRequest(diff, is_patch=True, sources=tree)
    overlay = maker(build, jdks, tmp_path / "cache").overlaid(build, request).overlay
    assert overlay
    return overlay


def test_the_users_sources_count_and_what_differs_is_said(
    build: Build, jdks: JdksFile, tmp_path: Path
) -> None:
    eight = of_java_8(build, "  newer\n", "  newer\n")
    tree = tmp_path / "8u"
    write(tree / "jdk/src/share/classes", "java/net/URL.java", "  old\n")
    overlay = lay(eight, jdks, tmp_path, tree)
    assert overlay.note == (
        f"the sources in {tree}, compiled by v-17; "
        "the build's own code differs from these sources in URL"
    )


def test_of_the_builds_own_code_nothing_is_said(
    build: Build, jdks: JdksFile, tmp_path: Path
) -> None:
    eight = of_java_8(build, "  newer\n", "  old\n")
    tree = tmp_path / "8u"
    write(tree / "jdk/src/share/classes", "java/net/URL.java", "  old\n")
    assert lay(eight, jdks, tmp_path, tree).note == f"the sources in {tree}, compiled by v-17"


def test_changed_sources_make_another_overlay(build: Build, jdks: JdksFile, tmp_path: Path) -> None:
    eight = of_java_8(build, "  old\n", "  old\n")
    tree = tmp_path / "8u"
    path = write(tree / "jdk/src/share/classes", "java/net/URL.java", "  old\n")
    first = lay(eight, jdks, tmp_path, tree)
    assert lay(eight, jdks, tmp_path, tree) == first
    path.write_text("  old\n  line\n")
    assert lay(eight, jdks, tmp_path, tree).sha256 != first.sha256


def test_each_sources_are_tried(build: Build, jdks: JdksFile, tmp_path: Path) -> None:
    """The user's do not fit, the build's own do."""
    eight = of_java_8(build, "  old\n", "  old\n")
    tree = tmp_path / "8u"
    write(tree / "jdk/src/share/classes", "java/net/URL.java", "  patch\n  more\n")
    assert lay(eight, jdks, tmp_path, tree).note == "its own src.zip, compiled by v-17"
    with zipfile.ZipFile(build.home / "lib/src.zip", "w") as archive:
        archive.writestr("java/net/URL.java", "  patch\n")
    write(tree / "jdk/src/share/classes", "java/net/URL.java", "  other\n")
    with pytest.raises(UsageError) as error:
        lay(eight, jdks, tmp_path, tree)
    reasons = str(error.value)
    assert f"the sources in {tree}: java/net/URL.java: the hunk at line 1 does not" in reasons
    assert "; its own src.zip: java/net/URL.java: the hunk at line 1 does not apply; " in reasons
    assert reasons.endswith("and before the diff, in its file, those that it rests on")


HTML = """\
--- a/src/java.base/share/classes/java/net/doc-files/net-properties.html
+++ b/src/java.base/share/classes/java/net/doc-files/net-properties.html
@@ -1,1 +1,1 @@
-<p>old
+<p>new
"""


def test_what_is_no_java_source_is_left_out_and_said(
    build: Build, jdks: JdksFile, tmp_path: Path
) -> None:
    """Not even a zip of sources has it."""
    eight = of_java_8(build, "  old\n", "  old\n")
    request = OverlayRequest(write(tmp_path, "a.diff", HTML + PATCH), is_patch=True)
    overlay = maker(eight, jdks, tmp_path / "cache").overlaid(eight, request).overlay
    assert overlay
    assert overlay.note == (
        "its own src.zip, compiled by v-17; net-properties.html is left out, as no Java source"
    )
    page_request = OverlayRequest(write(tmp_path, "b.diff", HTML), is_patch=True)
    with pytest.raises(UsageError, match=r"it changes no Java sources; accepted: a diff of the J"):
        maker(eight, jdks, tmp_path / "cache").overlaid(eight, page_request)


def test_a_change_that_all_have_is_said(build: Build, jdks: JdksFile, tmp_path: Path) -> None:
    eight = of_java_8(build, "  old\n  patch\n", "  old\n  patch\n")
    diff = write(tmp_path, "a.diff", PATCH.replace("+  patch", "+  patch\n   more"))
    diff.write_text(
        PATCH.replace("@@ -1,1 +1,2 @@\n   old\n", "@@ -1,2 +1,2 @@\n-  older\n   old\n")
    )
    with pytest.raises(UsageError, match=f"its own src.zip: java/net/URL.java: {HAS_CHANGE}; acc"):
        maker(eight, jdks, tmp_path / "cache").overlaid(eight, OverlayRequest(diff, is_patch=True))


MISTAKES = [
    ({"sources": "/x"}, r"--sources /x: accepted: together with --overlay-patch FILE"),
    ({"classes": "/y", "sources": "/x"}, r"--sources /x: accepted: together with --overlay-patch"),
    ({"patch": "/y", "sources": "/nix"}, r"--sources /nix: no such folder; accepted: a checkout"),
    ({"intent": "fixed"}, r"--expect fixed: accepted: together with --overlay or --overlay-patch"),
]


@pytest.mark.parametrize(("options", "says"), MISTAKES)
def test_options_that_need_another(options: dict[str, str], says: str) -> None:
    arguments = {"classes": None, "patch": None, **options}
    with pytest.raises(UsageError, match=says):
        OverlayRequest.from_options(**arguments)  # type: ignore[arg-type]
