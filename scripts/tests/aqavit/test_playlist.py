# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The kit's AQAvit files are as TKG takes them."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.aqavit.tkg import faults

# What settings.mk and MkGen.java define for a command.
VARIABLES = {
    "D",
    "JVM_OPTIONS",
    "Q",
    "REPORTDIR_NQ",
    "TEST_JDK_HOME",
    "TEST_ROOT",
    "TEST_STATUS",
}


@pytest.fixture
def playlist(root: Path) -> str:
    return (root / "jtreg" / "playlist.xml").read_text()


def test_the_playlist_is_as_tkg_takes_it(playlist: str) -> None:
    assert list(faults(playlist)) == []


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ("<level>sanity<", "<level>sane<", "tls13_keepalive: <level>: sane"),
        ("<testCaseName>tls13_all_bugs</testCaseName>", "", "?: no <testCaseName>"),
        ("<impls>", "<impls><version>8</version>", "<impls> has ['version', 'impl']"),
        ("<types>", "<jdk>8</jdk><types>", "<jdk> 1 times"),
        ("<types>", "<platform>x</platform><platform>y</platform><types>", "<platform> 2 times"),
        ("$(TEST_STATUS)", "true", "its command does not end with $(TEST_STATUS)"),
    ],
)
def test_a_fault_in_the_playlist_is_seen(playlist: str, right: str, wrong: str, fault: str) -> None:
    assert right in playlist
    assert any(fault in message for message in faults(playlist.replace(right, wrong)))


def test_a_playlist_needs_a_test() -> None:
    assert list(faults("<playlist/>")) == ["<playlist>: []: include, then at least one test"]


def test_commands_use_what_tkg_defines_and_nothing_else(playlist: str) -> None:
    variables = set(re.findall(r"\$\((\w+)\)", playlist))
    assert variables <= VARIABLES
    assert not re.findall(r"\$(?!\()", playlist)  # make would take it


def test_each_test_runs_a_group_that_there_is(playlist: str, root: Path) -> None:
    groups_run = re.findall(r"--test :(\w+)", playlist)
    # Not conformance: its rows fail beside an earlier build alone, and here is none.
    assert {"tier1", "interop_quick", "interop"} == set(groups_run)
    groups = (root / "test" / "TEST.groups").read_text()
    assert all(f"\n{name} = " in groups for name in groups_run)


def test_the_build_file_fetches_the_tool_jdk_and_nothing_more(root: Path) -> None:
    build = ElementTree.parse(root / "jtreg" / "build.xml").getroot()
    (run,) = build.iter("exec")
    executable = run.attrib["executable"].replace("${basedir}", str(root / "jtreg"))
    assert Path(executable).resolve() == root / "scripts" / "matrix"
    (argument,) = run.iter("arg")
    tool = re.search(r"^tools:\n(?:  .*\n)*?  jdk: (\S+)", (root / "jdks.yaml").read_text(), re.M)
    assert tool
    assert argument.attrib["line"] == f"jdks fetch {tool[1]}"
    assert build.attrib["default"] in {target.attrib["name"] for target in build.iter("target")}
