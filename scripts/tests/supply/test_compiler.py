# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A runtime image's tests are compiled by a JDK of its train, against its own class library."""

from dataclasses import replace
from pathlib import Path

import pytest

from jdkmatrix.config.jdks import BuildEntry, load_jdks
from jdkmatrix.machine.endings import compile_error_in
from jdkmatrix.machine.java_program import TOOL_SHORT_LIVED
from jdkmatrix.run.cells.jtreg import Jtreg
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.compiler import compilable, library_option
from tests.flow.run_kit import PLAIN
from tests.run.cells.test_runner import BUILD

IMAGE = replace(PLAIN, facts=replace(PLAIN.facts, has_javac=False))
FULL = replace(PLAIN, id="debian-17", home=Path("/jdk-17"))


class StandInSupplier:
    """Gives one JDK, or none."""

    def __init__(self, build: Build | None) -> None:
        self.entry_ids: list[str] = []
        self._build = build

    def compiler(self, entry: BuildEntry) -> Build | Unavailable:
        self.entry_ids.append(entry.id)
        reasons = (("debian", "not cached, and offline"),)
        return self._build or Unavailable(entry.id, reasons)


def make_compilable(root: Path, build: Build, supplier: StandInSupplier) -> Build | Unavailable:
    return compilable(build, supplier, load_jdks(root / "jdks.yaml"))  # type: ignore[arg-type]


def test_a_runtime_image_is_given_a_jdk_of_its_train(root: Path) -> None:
    supplier = StandInSupplier(FULL)
    outcome = make_compilable(root, IMAGE, supplier)
    assert isinstance(outcome, Build)
    assert (outcome.id, supplier.entry_ids) == (IMAGE.id, ["debian-17"])
    compiler, system, *short_lived = outcome.compile_options
    assert (compiler, system) == ("-compilejdk:/jdk-17", "-javacoption:--system=/jdk")
    assert short_lived == [f"-javacoption:{option}" for option in TOOL_SHORT_LIVED]


def test_of_8_it_is_the_boot_class_path(tmp_path: Path) -> None:
    lib = tmp_path / "lib"
    lib.mkdir()
    for name in ("rt.jar", "jce.jar", "charsets.jar"):
        (lib / name).touch()
    option = library_option(replace(IMAGE, train=8, home=tmp_path))
    assert option == f"-Xbootclasspath:{lib}/rt.jar:{lib}/jce.jar"


def test_a_full_jdk_compiles_itself(root: Path) -> None:
    supplier = StandInSupplier(FULL)
    full = replace(IMAGE, facts=replace(IMAGE.facts, has_javac=True))
    assert (make_compilable(root, full, supplier), supplier.entry_ids) == (full, [])


@pytest.mark.parametrize(
    ("train", "reason"),
    [
        (17, "no javac of train 17: debian-17 unavailable: debian: not cached, and offline"),
        (19, "no javac of train 19: jdks.yaml needs a full JDK of it"),
    ],
)
def test_an_image_without_a_compiler_is_unavailable(root: Path, train: int, reason: str) -> None:
    outcome = make_compilable(root, replace(IMAGE, train=train), StandInSupplier(None))
    assert outcome == Unavailable(IMAGE.entry_id, (("compiler", reason),))


def test_the_command_is_the_one_that_a_jdk_engineer_types(tmp_path: Path) -> None:
    """No --release, with which javac refuses `@modules java.base/...`; JDK's `make test` has both
    options.
    """
    jtreg = Jtreg(tmp_path, tmp_path / "tool", tmp_path)
    command = jtreg.command(BUILD, "T.java", tmp_path / "w", 1)
    assert not [word for word in command if "-compilejdk" in word or "--release" in word]
    assert {"-automatic", "-ignore:quiet"} <= set(command)
    image = BUILD.model_copy(update={"compile_options": ("-compilejdk:/full",)})
    command = jtreg.command(image, "T.java", tmp_path / "w", 1)
    assert command.count("-compilejdk:/full") == 1


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (
            "/suite/net/A.java:3: error: cannot find symbol\n        nix();\n        ^\n"
            "  symbol:   method nix()\n  location: class A\n1 error",
            "A.java:3: error: cannot find symbol: method nix()",
        ),
        (
            "/s/A.java:1: error: ';' expected\nint x\n     ^\n"
            "/s/A.java:2: error: cannot find symbol\n  symbol:   class B\n",
            "A.java:1: error: ';' expected",
        ),
        (
            "warning: [options] bootstrap class path not set\nerror: module not found: jdk.nix",
            "error: module not found: jdk.nix",
        ),
        ("error: exporting a package from system module java.base is not allowed with --release",)
        * 2,
        ("Note: A.java uses unchecked operations.\n1 error-prone test", None),
    ],
)
def test_the_compilers_first_error_is_the_reason(output: str, reason: str | None) -> None:
    assert compile_error_in(f"----------System.err:(6/249)----------\n{output}\n") == reason
