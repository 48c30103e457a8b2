# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Classes over a real build: they are in force, and what can't be is one line."""

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.errors import UsageError
from jdkmatrix.machine.java_program import SHORT_LIVED, TOOL_SHORT_LIVED, JavaTool
from jdkmatrix.overlay.maker import OverlayMaker
from jdkmatrix.overlay.overlay_request import OverlayRequest
from jdkmatrix.overlay.patching import Patching
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.catalog import Catalog
from jdkmatrix.supply.supplier import Supplier
from tests.conftest import ROOT
from tests.overlay.test_classes import class_file

pytestmark = [pytest.mark.network, pytest.mark.jdk]

# A class that no JVM needs to start.
SOURCE = (
    'package java.util; public class Observable { public String toString() { return "laid"; } }'
)
SHOW = """
public class Show {
    public static void main(String[] arguments) {
        System.out.println(new java.util.BitSet() + " " + new java.util.Observable());
    }
}
"""
# The line and the one before it are in every train's BitSet.
PATCH = """\
--- a/java/util/BitSet.java
+++ b/java/util/BitSet.java
@@ -1,1 +1,2 @@
     public String toString() {
+        if (size() < 100) { return "patched"; }
"""
# Of the same file, as of the next change in a series.
SECOND = """\
--- a/java/util/BitSet.java
+++ b/java/util/BitSet.java
@@ -1,1 +1,2 @@
     public int hashCode() {
+        if (size() < 0) { return 0; }
"""
# Of another system, where there is no such line.
WINDOWS = """\
--- a/src/java.base/windows/classes/java/util/BitSet.java
+++ b/src/java.base/windows/classes/java/util/BitSet.java
@@ -1,1 +1,2 @@
     public int onWindowsAlone() {
+        return 0;
"""
CONSTANT = """\
--- a/java/util/logging/ErrorManager.java
+++ b/java/util/logging/ErrorManager.java
@@ -1,1 +1,1 @@
-    public final static int GENERIC_FAILURE = 0;
+    public final static int GENERIC_FAILURE = 9;
"""
KEEP = "; classes whose source the diff does not change keep the old ErrorManager.GENERIC_FAILURE"


@pytest.fixture(scope="module")
def supplier(jdks: JdksFile) -> Supplier:
    return Supplier(jdks, ROOT / "jdks.lock", cache_root())


@pytest.fixture(scope="module")
def maker(
    jdks: JdksFile, supplier: Supplier, tmp_path_factory: pytest.TempPathFactory
) -> OverlayMaker:
    catalog = Catalog.of_checkout(Checkout(ROOT))
    tool = JavaTool.of_checkout(Checkout(ROOT), supplier.tool_jdk().home)
    return OverlayMaker(Patching(supplier, catalog, tool), tmp_path_factory.mktemp("overlays"))


def build(jdks: JdksFile, supplier: Supplier, entry_id: str) -> Build:
    (outcome,) = supplier.supply([jdks.entry(entry_id)])
    assert isinstance(outcome, Build), outcome
    return outcome


@pytest.fixture(scope="module")
def class_folder(tool_jdk: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`laid/` has an `Observable` of our own, `newer/` too but for Java 17, `show/` a program."""
    folder = tmp_path_factory.mktemp("classes")
    (folder / "Observable.java").write_text(SOURCE)
    (folder / "Show.java").write_text(SHOW)
    javac = [str(tool_jdk / "bin" / "javac"), *TOOL_SHORT_LIVED, "-source", "8", "-target", "8"]
    javac += ["-nowarn", "-Xlint:-options", "-d", str(folder / "laid")]
    sources = [str(folder / f"{name}.java") for name in ("Observable", "Show")]
    subprocess.run([*javac, *sources], check=True, capture_output=True)
    (folder / "show").mkdir()
    (folder / "laid/Show.class").rename(folder / "show/Show.class")
    shutil.copytree(folder / "laid", folder / "newer")
    newer = folder / "newer/java/util/Observable.class"
    code = newer.read_bytes()
    newer.write_bytes(code[:6] + (61).to_bytes(2) + code[8:])  # its class version
    return folder


def run_show(build: Build, folder: Path) -> str:
    """What the program prints on a build with its overlay."""
    assert build.overlay
    java = [str(build.home / "bin" / "java"), *SHORT_LIVED, *build.overlay.java_options]
    command = [*java, "-cp", str(folder / "show"), "Show"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("entry_id", ["debian-8", "temurin-17.0.9+9"])
@pytest.mark.parametrize("form", ["folder", "modules", "jar"])
def test_classes_are_in_force(
    entry_id: str,
    form: str,
    jdks: JdksFile,
    supplier: Supplier,
    maker: OverlayMaker,
    class_folder: Path,
    tmp_path: Path,
) -> None:
    classes = class_folder / "laid"
    if form == "modules":
        classes = tmp_path / "modules"
        shutil.copytree(class_folder / "laid", classes / "java.base")
    if form == "jar":
        classes = tmp_path / "laid.jar"
        with zipfile.ZipFile(classes, "w") as jar:
            jar.write(
                class_folder / "laid/java/util/Observable.class", "java/util/Observable.class"
            )
    plain = build(jdks, supplier, entry_id)
    overlay_build = maker.overlaid(plain, OverlayRequest(classes, is_patch=False))
    assert overlay_build.id == f"{plain.id}+overlay-{classes.stem}"
    assert overlay_build.version == plain.version
    assert run_show(overlay_build, class_folder) == "{} laid"


def test_a_patch_is_in_force(
    jdks: JdksFile, supplier: Supplier, maker: OverlayMaker, class_folder: Path, tmp_path: Path
) -> None:
    diff = tmp_path / "empty-bits.diff"
    diff.write_text(PATCH)
    check_in_force(build(jdks, supplier, "temurin-17.0.9+9"), diff, maker, class_folder)


def test_each_part_of_a_series_is_in_force_and_where_a_constant_stays_is_said(
    jdks: JdksFile, supplier: Supplier, maker: OverlayMaker, class_folder: Path, tmp_path: Path
) -> None:
    diff = tmp_path / "series.diff"
    second = f"{SECOND}{WINDOWS}{WINDOWS.replace('classes', 'native')}{CONSTANT}"
    diff.write_text(f"Subject: 1\n\n{PATCH}-- \n2.39\n\nSubject: 2\n\n{second}-- \n2.39\n")
    note = check_in_force(build(jdks, supplier, "debian-8"), diff, maker, class_folder)
    assert note.endswith(KEEP)


def check_in_force(plain: Build, diff: Path, maker: OverlayMaker, class_folder: Path) -> str:
    """The build runs what the patch says, and is made once. Returns the overlay's note."""
    request = OverlayRequest(diff, is_patch=True)
    overlay_build = maker.overlaid(plain, request)
    assert overlay_build.overlay
    assert "compiled by debian-" in overlay_build.overlay.note
    assert run_show(overlay_build, class_folder).startswith("patched java.util.Observable@")
    assert maker.overlaid(plain, request) == overlay_build
    return overlay_build.overlay.note


MISTAKES = [
    ("newer", None, "Observable.class is compiled for Java 17 (class version 61); accepted: 8"),
    ("elsewhere", None, "has no package org.example; accepted: classes of the JDK's packages"),
    ("no.jar", None, "damaged"),
    (
        "a.diff",
        PATCH.replace("String toString()", "String toNothing()"),
        "its Debian source package: java/util/BitSet.java: the hunk at line 1 does not apply",
    ),
    (
        "b.diff",
        PATCH.replace("BitSet", "BatSet"),
        "its Debian source package: java/util/BatSet.java: no such file there",
    ),
    ("c.diff", CONSTANT.replace("= 9", "= nine"), "error: cannot find symbol"),
    ("d.diff", "nothing", "not a unified diff"),
    ("f.diff", CONSTANT, f"its Debian source package: it changes no code{KEEP}"),
    ("g.diff", WINDOWS, "it changes only tests and sources of other systems; accepted: "),
    (
        "e.diff",
        PATCH + SECOND.replace("java/util", "share/java/util"),
        "share/java/util/BitSet.java and java/util/BitSet.java: both are java/util/BitSet.java",
    ),
]


@pytest.mark.parametrize(("name", "text", "says"), MISTAKES, ids=[m[0] for m in MISTAKES])
def test_a_mistake_is_one_line(
    name: str,
    text: str | None,
    says: str,
    jdks: JdksFile,
    supplier: Supplier,
    maker: OverlayMaker,
    class_folder: Path,
    tmp_path: Path,
) -> None:
    path = class_folder / name if name == "newer" else tmp_path / name
    if text is not None or name == "no.jar":
        path.write_text(text or "no zip")
    if name == "elsewhere":
        (path / "org" / "example").mkdir(parents=True)
        (path / "org" / "example" / "Show.class").write_bytes(class_file("org/example/Show"))
    entry_id = "debian-11.0.24+8" if name == "elsewhere" else "debian-8"
    with pytest.raises(UsageError) as error:
        maker.overlaid(
            build(jdks, supplier, entry_id), OverlayRequest(path, is_patch=name.endswith("diff"))
        )
    assert says in str(error.value)
    assert "\n" not in str(error.value)


FOLDERS = [
    (
        "Observable.class",
        "Observable.class is the class java.util.Observable; accepted: at",
    ),
    ("classes/java/util", "classes/java/util/Observable.class is the class java.util.Observable; "),
    ("java.bass/java/util", "has no module java.bass; accepted: a folder for each of its modules"),
    ("java.sql/java/util", "java.sql/java/util/Observable.class: accepted: below java.base, which"),
]


@pytest.mark.parametrize(
    ("path_text", "says"), FOLDERS, ids=[path_text for path_text, _ in FOLDERS]
)
def test_a_class_where_no_jvm_looks_is_refused(
    path_text: str,
    says: str,
    jdks: JdksFile,
    supplier: Supplier,
    maker: OverlayMaker,
    class_folder: Path,
    tmp_path: Path,
) -> None:
    path = tmp_path / path_text
    (path.parent if path.suffix == ".class" else path).mkdir(parents=True, exist_ok=True)
    shutil.copy(class_folder / "laid/java/util/Observable.class", path)
    with pytest.raises(UsageError) as error:
        request = OverlayRequest(tmp_path, is_patch=False)
        maker.overlaid(build(jdks, supplier, "temurin-17.0.9+9"), request)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_sources_that_are_another_s_are_refused(
    jdks: JdksFile, supplier: Supplier, maker: OverlayMaker
) -> None:
    request = OverlayRequest(ROOT / "test" / "planted" / "close-under-lock-17.diff", is_patch=True)
    says = (
        r"no matching sources: sources of debian-17\.0\.12\+7: cannot be compiled even unpatched: "
    )
    with pytest.raises(UsageError, match=says):
        maker.overlaid(build(jdks, supplier, "temurin-17.0.3+7"), request)
