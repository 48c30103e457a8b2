# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is compiled at once, and what becomes of tests whose jars can't be had?"""

import re
from pathlib import Path
from typing import NoReturn

import pytest

from jdkmatrix.errors import LackingError, MachineError
from jdkmatrix.paths import Checkout
from jdkmatrix.run.cells.class_archives import ClassArchives
from jdkmatrix.run.cells.compiled_tests import othervm_of
from jdkmatrix.run.cells.othervm import OtherVm
from tests.machine.test_java_program import JAVA, with_tools

TEST = "interop/QuickRows.java"
LACK = "jars: no mvn on this machine's PATH, and no apt-get on this machine"


def othervm(root: Path, error: MachineError) -> OtherVm:
    """The runner where getting a jar ends so."""

    def no_jars(_: str) -> NoReturn:
        raise error

    return othervm_of(Checkout(root), [TEST], Path("/nix"), 1.0, no_jars, Path)


def test_they_are_left_out_where_no_jar_can_be_had(root: Path) -> None:
    assert othervm(root, LackingError(LACK)).tests[TEST].lacks == LACK


def test_jars_that_only_failed_to_come_end_the_run(root: Path) -> None:
    with pytest.raises(MachineError, match=r"^jars: mvn: exit code 1$"):
        othervm(root, MachineError("jars: mvn: exit code 1"))


@pytest.mark.parametrize("makes", [True, False])
def test_one_jvm_compiles_tests_and_what_asks_builds_and_makes_archives(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, makes: bool
) -> None:
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path / "cache"))
    jdk, checkout = with_tools(tmp_path, JAVA), Checkout(root)
    archives = ClassArchives(checkout, jdk, print, tmp_path / "archives", makes)
    tests = [
        "tls13/CloseDuringHandshakeNeverReturns.java",
        "httpclient/EmptyBodyHasByteAvailable.java",
    ]
    othervm_of(checkout, tests, jdk, 1.0, lambda _: (), Path, archives)
    (start,) = (jdk / "bin" / "java.starts").read_text().splitlines()
    programs = start.split(" -- ")[1:]
    releases = [re.findall(r"--release (\d+)", program)[0] for program in programs]
    assert releases == ["8", "11", "8", *(["8", "11"] if makes else [])]
    assert "-XDstringConcat=inline" in programs[1]
    mains = [*tests, "java8/tls13kit/Tool.java", "selftest/PeerAndClientAgree.java", tests[1]]
    for program, main in zip(programs, mains, strict=False):
        assert f"/{main}" in program
