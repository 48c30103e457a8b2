# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The kit's Java: each level is compiled once, for what runs it, and has its subcommands."""

import re
from pathlib import Path

import pytest

from jdkmatrix.errors import MachineError
from jdkmatrix.machine.java_program import JavaTool
from jdkmatrix.paths import Checkout

LEVELS = ("java8", "java17")
# Its fifth argument is where the classes go.
JAVAC = 'echo "$@" >>"$0".calls\nmkdir -p "$5"\n'


def set_javac(jdk: Path, script: str) -> None:
    (jdk / "bin").mkdir(parents=True, exist_ok=True)
    (jdk / "bin" / "javac").write_text(f"#!/bin/sh\n{script}")
    (jdk / "bin" / "javac").chmod(0o755)


@pytest.fixture
def jdk(tmp_path: Path) -> Path:
    """Its javac makes nothing, and writes how it was called into `javac.calls`."""
    set_javac(tmp_path / "jdk", JAVAC)
    return tmp_path / "jdk"


@pytest.fixture
def tool(tmp_path: Path, jdk: Path) -> JavaTool:
    for level in LEVELS:
        (tmp_path / level).mkdir()
        (tmp_path / level / "A.java").write_text("class A { }")
    return JavaTool(tmp_path, jdk, tmp_path / "cache")


def compiled_levels(jdk: Path) -> list[str]:
    calls = (jdk / "bin" / "javac.calls").read_text()
    return re.findall(r"(\w+)/A\.java", calls)


def test_what_a_jdk_is_asked_by_is_for_java_8_and_does_not_wait_for_the_rest(
    tool: JavaTool, jdk: Path
) -> None:
    tool.compile_for_any_jdk()
    assert compiled_levels(jdk) == ["java8"]
    assert "--release 8 " in (jdk / "bin" / "javac.calls").read_text()


def test_compiled_again_only_for_new_sources_or_another_jdk(
    tool: JavaTool, jdk: Path, tmp_path: Path
) -> None:
    places = {tool.compile(), tool.compile()}
    assert compiled_levels(jdk) == list(LEVELS)
    (tmp_path / "java17" / "A.java").write_text("class A { int a; }")
    places.add(tool.compile())
    assert compiled_levels(jdk) == [*LEVELS, "java17"]
    (jdk / "release").write_text('JAVA_VERSION="17.0.21"')
    places.add(tool.compile())
    assert compiled_levels(jdk) == [*LEVELS, "java17", *LEVELS]
    assert len(places) == 3
    assert {place.parent for pair in places for place in pair} == {tool.cache}


def test_a_failed_compilation_leaves_nothing_to_be_used(tool: JavaTool, jdk: Path) -> None:
    set_javac(jdk, f"{JAVAC}exit 1\n")
    with pytest.raises(MachineError, match=r"^compiling the facts: exit code 1: no message$"):
        tool.compile()
    assert list(tool.cache.iterdir()) == []


def real_tool(tool_jdk: Path) -> JavaTool:
    return JavaTool.of_checkout(Checkout.current(), tool_jdk)


@pytest.mark.jdk
def test_each_subcommand_has_its_class(tool_jdk: Path) -> None:
    """A class that is not there would be a ClassNotFoundException, on the day that it is needed."""
    with pytest.raises(MachineError, match="exit code 4: usage: ") as error:
        real_tool(tool_jdk).run("nonsense", [], "tool", 60)
    names = re.findall(r"[a-z-]+(?=[| ])", str(error.value).partition("Tool ")[2])
    assert {"facts", "defaults", "digest", "flatten"} <= set(names)
    classes = {
        path.stem for folder in real_tool(tool_jdk).compile() for path in folder.rglob("*.class")
    }
    source = (Checkout.current().java_tool / "java8/tls13kit/Tool.java").read_text()
    mains = re.findall(r'put\("([a-z-]+)", "\w+\.(\w+)"\)', source)
    assert {name for name, _ in mains} == set(names)
    assert {main for _, main in mains} <= classes


@pytest.mark.jdk
def test_a_failure_of_a_subcommand_is_its_own(tool_jdk: Path, tmp_path: Path) -> None:
    """And not an InvocationTargetException."""
    store = tmp_path / "none" / "trust.jks"
    with pytest.raises(MachineError) as error:
        real_tool(tool_jdk).run("trust-store", [str(store)], "certificates", 60)
    exception = 'Exception in thread "main" java.nio.file.NoSuchFileException'
    assert str(error.value) == f"certificates: exit code 1: {exception}: {store}"


@pytest.mark.jdk
def test_the_machine_s_certificates_go_into_a_store(tool_jdk: Path, tmp_path: Path) -> None:
    store = tmp_path / "trust.jks"
    real_tool(tool_jdk).run("trust-store", [str(store)], "certificates", 60)
    assert store.read_bytes()[:4] == b"\xfe\xed\xfe\xed"  # of a JKS store
