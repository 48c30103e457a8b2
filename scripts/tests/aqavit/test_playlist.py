# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The kit's AQAvit files are as TKG takes them."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.aqavit.tkg import faults, fits, is_applicable

# What settings.mk and MkGen.java define for a command.
VARIABLES = {
    "D",
    "JVM_OPTIONS",
    "Q",
    "TEST_JDK_HOME",
    "TEST_RESROOT",
    "TEST_STATUS",
    "TKG_ITERATIONS",
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
        ("AOT:non", "AOT:not-", "tls13_keepalive: <feature>: AOT:not-applicable"),
        ("$(TEST_STATUS)", "true", "its command has no $(TEST_STATUS)"),
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
    assert not re.findall(r"\$(?![(@$])", playlist.replace("$$", "  "))  # make would take it


def test_jvm_options_are_handed_on_last(playlist: str) -> None:
    commands = re.findall(r"<command>(.*?);", playlist, re.DOTALL)
    assert commands
    assert all(command.endswith(" -- $(JVM_OPTIONS)") for command in commands)


@pytest.mark.parametrize(
    ("spec", "is_run"),
    [
        ("linux_x86-64", True),
        ("linux_aarch64", True),
        ("linux_ppc-64_le", True),
        ("linux_arm", False),
        ("linux_x86", False),
        ("alpine-linux_x86-64", False),
        ("win_x86-64", False),
        ("osx_aarch64", False),
        ("aix_ppc-64", False),
    ],
)
def test_it_runs_on_linux_of_64_bits_alone(playlist: str, spec: str, is_run: bool) -> None:
    requirements = re.findall("<platformRequirements>(.*)</platformRequirements>", playlist)
    assert len(requirements) == playlist.count("<test>")
    assert {fits(text, spec) for text in requirements} == {is_run}


@pytest.mark.parametrize(
    ("test_flag", "is_run"),
    [
        ("", True),
        ("NONE", True),
        ("CRIU", True),
        ("AOT", False),
        ("CRIU,AOT", False),
        ("FIPS140_2", False),
        ("FIPS140_3_OpenJCEPlusFIPS.FIPS140-3-Strongly-Enforced", False),
        ("OpenJCEPlus", False),
    ],
)
def test_what_a_test_flag_makes_another_jdk_is_not_asked(
    playlist: str, test_flag: str, is_run: bool
) -> None:
    tests = ElementTree.fromstring(playlist).findall("test")
    features = [[feature.text or "" for feature in test.iter("feature")] for test in tests]
    assert {is_applicable(of_test, test_flag) for of_test in features} == {is_run}


def test_each_test_runs_a_group_that_there_is(playlist: str, root: Path) -> None:
    groups_run = re.findall(r"--test :(\w+)", playlist)
    # Not conformance: its rows fail beside an earlier build alone, and here is none.
    assert {"tier1", "interop_quick", "interop"} == set(groups_run)
    groups = (root / "test" / "TEST.groups").read_text()
    assert all(f"\n{name} = " in groups for name in groups_run)


def test_the_build_file_runs_the_script_and_never_stops_other_suites(root: Path) -> None:
    build = ElementTree.parse(root / "jtreg" / "build.xml").getroot()
    (run,) = build.iter("exec")
    assert (run.get("failonerror"), run.get("failifexecutionfails")) == ("false", "false")
    script, *arguments = (argument.attrib["value"] for argument in run.iter("arg"))
    assert script == "${basedir}/aqavit.sh"
    assert (root / "jtreg" / "aqavit.sh").is_file()
    assert arguments == ["compile", "${DEST}", "${TEST_JDK_HOME}"]
    (files,) = build.iter("fileset")
    assert files.attrib["includes"] == "aqavit.sh,build.xml,playlist.xml"
    assert build.attrib["default"] in {target.attrib["name"] for target in build.iter("target")}
