# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A bundle of a made run: the fields are filled from its cells, and the user is not named."""

import json
import os
import re
import shutil
import stat
import zipfile
from pathlib import Path

import pytest

from jdkmatrix.bundle.bundle_words import steps
from jdkmatrix.bundle.flatten import MOST_LINES
from jdkmatrix.bundle.make import Bundle, make_bundle
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.evidence.digest import parse_digest
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import PlannedCell
from jdkmatrix.results.document import Results
from tests.bundle.run_kit import TEST, make_run

pytestmark = pytest.mark.jdk

PLACES = ("", "with-controls/")
VERSION = 'openjdk version "25.0.2"\nOpenJDK Runtime Environment (build 25.0.2+10)'

DIGEST = json.dumps(
    {
        "schema": 2,
        "recordings": [
            {
                "file": "/srv/other/ws/shard-1/cells/x y/hotspot-pid-7.jfr",
                "pid": 7,
                "jvm": {
                    "version": "17.0.21-internal+0-adhoc.mmuster.jdk17u",
                    "name": "OpenJDK 64-Bit Server VM",
                    "args": "-XX:StartFlightRecording=settings=/srv/other/k it/blocking.jfc",
                },
                "start_epoch_ms": 0,
                "duration_ms": 1000,
                "finished": True,
                "threads": 1,
                "settings": {},
                "waits": [],
                "timeline": {"bin_ms": 1000, "blocked_threads": [0]},
                "error": None,
            }
        ],
    }
)


THROWN = 'Exception in thread "main" java.lang.RuntimeException: it was cut'
ELSEWHERE = "is outside the kit's cache, and --jdk does not name it"


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A JDK that says its version."""
    home = tmp_path_factory.mktemp("jdk")
    program = home / "bin" / "java"
    program.parent.mkdir()
    _fake_java(program, VERSION, "echo passed; exit 0")
    return home


@pytest.fixture(scope="module")
def affected_java(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A JDK on which what is run ends as where the bug shows."""
    home = tmp_path_factory.mktemp("affected")
    (home / "bin").mkdir()
    version = VERSION.replace("25.0.2+10", "21.0.8+9")
    _fake_java(home / "bin" / "java", version, f"echo '{THROWN}' >&2; exit 1")
    return home


def _fake_java(program: Path, version: str, ends: str) -> None:
    script = f'[ "$1" = -version ] || {{ {ends}; }}\ncat >&2 <<EOF\n{version}\nEOF\n'
    program.write_text(f"#!/bin/sh\n{script}")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the run and the bundle are that several tests read."""
    return tmp_path_factory.mktemp("made")


@pytest.fixture(scope="module")
def files(place: Path, ledger: Ledger, tool_jdk: Path, java: Path) -> dict[str, str]:
    """The texts in that bundle."""
    return texts(make(place, ledger, tool_jdk, java))


def make(
    tmp_path: Path,
    ledger: Ledger,
    tool_jdk: Path,
    java: Path,
    affected_java: Path | None = None,
    affected_says: str = "reproduced",
    other_says: str = "not-reproduced",
    *,
    minimal: bool = True,
) -> Bundle:
    """Without `minimal` it is made in a second less."""
    outcomes = {"temurin-21.0.8+9": affected_says, "temurin-25.0.2+10": other_says}
    homes = {"temurin-25.0.2+10": java}
    if affected_java:
        homes["temurin-21.0.8+9"] = affected_java
    folder = make_run(tmp_path / "run", outcomes, homes)
    bug = ledger.bug("JDK-8335135")
    return make_bundle(
        Checkout.current(),
        bug,
        folder,
        tmp_path / "out",
        lambda: tool_jdk,
        minimal=minimal,
        jdks=tuple(homes.values()),
    )


def texts(bundle: Bundle) -> dict[str, str]:
    with zipfile.ZipFile(bundle.place) as archive:
        return {name.partition("/")[2]: archive.read(name).decode() for name in archive.namelist()}


def test_the_fields_are_filled(files: dict[str, str]) -> None:
    assert set(files) == {
        "TruncatedReplyReadAsWhole.java",
        "SHA256SUMS",
        "description.md",
        "details.md",
        "environment.json",
        "evidence/outcome.json",
        "java-versions.txt",
        "jbs.txt",
        "results.json",
        "webform.txt",
    }
    assert files["description.md"].count("\n") <= 60
    prose = files["description.md"] + files["details.md"]
    rows = dict(re.findall(r"^\| ([^|]+) \| (.*) \|$", prose, re.MULTILINE))
    assert rows["Component / Subcomponent"] == "core-libs / java.net"
    assert rows["Affects versions"] == "21.0.8"
    assert rows["Not affected, measured"] == "25.0.2"
    assert rows["Frequency"] == "Always (1 of 1 runs on affected builds, one per build)"
    assert rows["temurin-21.0.8+9"] == "wheel | reproduced, as-expected"
    for heading in ("Steps to reproduce", "Expected result", "Actual result", "Workaround"):
        assert f"\n## {heading}\n" in prose
    assert "truncated = 1 replies (bound 1)\n  body: half\n  list: [a, b]\n  flag: true\n" in prose
    assert "(control, subject)" in prose
    reason = f"temurin-21.0.8+9 is not at hand to try it on: it {ELSEWHERE}"
    assert f"the subject: {reason}.\n" in prose
    assert "\nIts figures and facts show: Half a body was read (truncated 1, bound 1)\n" in prose
    assert "recording`: none" in prose
    assert "Before you file this" not in prose
    assert ".jtr" not in prose
    document = Results.model_validate_json(files["results.json"])
    assert [cell.build for cell in document.cells] == ["temurin-21.0.8+9", "temurin-25.0.2+10"]
    assert json.loads(files["environment.json"])["machine"]["os"] == "Debian"


def test_both_doors_of_the_bug_system_get_their_text(files: dict[str, str]) -> None:
    """JBS renders Jira's markup; its form for everybody has plain boxes, and one for the source."""
    jbs, form = files["jbs.txt"], files["webform.txt"]
    for text in (jbs, form):
        assert "truncated = 1 replies (bound 1)\nreproduced: Half a body" in text
        assert "java TruncatedReplyReadAsWhole.java" in text
        assert "\n## " not in text
    assert "||Affects Version/s|21.0.8|\n" in jbs
    assert "|temurin-21.0.8+9|wheel|reproduced, as-expected|\n" in jbs
    boxes = dict(
        re.findall(r"^=== ([^\n]+) ===\n(.*?)\n*(?=^===|\Z)", form, re.MULTILINE | re.DOTALL)
    )
    assert [*boxes] == [
        "Synopsis",
        "Full version (java -version)",
        "Operating system",
        "Description",
        "Steps to follow to reproduce the problem",
        "Expected result",
        "Actual result",
        "Source code of an executable test case",
        "Workaround",
        "Frequency",
    ]
    assert all(boxes.values())
    source = files["TruncatedReplyReadAsWhole.java"].strip()
    assert boxes["Source code of an executable test case"] == source
    assert boxes["Frequency"].startswith("Always (1 of 1 runs")


def test_a_minimal_file_is_offered_where_it_was_seen_to_work(
    tmp_path: Path, ledger: Ledger, tool_jdk: Path, java: Path, affected_java: Path
) -> None:
    bundle = make(tmp_path, ledger, tool_jdk, java, affected_java)
    files = texts(bundle)
    minimal, whole = (files[f"{folder}TruncatedReplyReadAsWhole.java"] for folder in PLACES)
    assert bundle.java.minimal == minimal
    assert minimal.count("\n") <= MOST_LINES < whole.count("\n")
    assert f"({bundle.java.length} lines) has the subject alone" in files["details.md"]
    assert f"temurin-21.0.8+9:\n\n{{noformat}}\n{THROWN}\n{{noformat}}\n" in files["jbs.txt"]
    assert "On temurin-25.0.2+10:\n\n```\npassed\n```\n" in files["description.md"]
    assert "on any JDK since 8: javac TruncatedReplyReadAsWhole.java" in files["webform.txt"]
    assert "take with-controls/TruncatedReplyReadAsWhole.java." in files["webform.txt"]


def test_a_file_is_run_on_what_it_is_meant_for() -> None:
    assert steps("A", 21, "")[0] == "on JDK 21 or later."
    assert steps("A", 11, "with")[0] == "on JDK 11 or later."
    assert steps("A", 8, "")[0].startswith("on JDK 11 or later; on any JDK since 8: javac A.java")


@pytest.mark.parametrize("is_affected_wrong", [True, False])
def test_one_that_does_not_tell_the_builds_apart_is_not_offered(
    is_affected_wrong: bool,
    tmp_path: Path,
    ledger: Ledger,
    tool_jdk: Path,
    java: Path,
    affected_java: Path,
) -> None:
    wrong = tmp_path / "wrong"
    shutil.copytree(affected_java if is_affected_wrong else java, wrong)
    program = wrong / "bin" / "java"
    program.write_text(re.sub(r"exit \d", "exit 125", program.read_text()))
    homes = (java, wrong) if is_affected_wrong else (wrong, affected_java)
    bundle = make(tmp_path, ledger, tool_jdk, *homes)
    build, exit_code = ("temurin-21.0.8+9", 1) if is_affected_wrong else ("temurin-25.0.2+10", 0)
    assert bundle.java.why_not == f"on {build} its exit code was 125 (wanted {exit_code})"
    assert not any(name.startswith("with-controls/") for name in texts(bundle))


def test_one_that_only_throws_is_not_offered(
    tmp_path: Path, ledger: Ledger, tool_jdk: Path, java: Path, affected_java: Path
) -> None:
    """java ends with 1 then, as where the bug shows."""
    throwing = tmp_path / "throwing"
    shutil.copytree(affected_java, throwing)
    program = throwing / "bin" / "java"
    program.write_text(program.read_text().replace("RuntimeException", "IllegalStateException"))
    reason = make(tmp_path, ledger, tool_jdk, java, throwing).java.why_not
    assert (
        reason == "on temurin-21.0.8+9 its exit code was as wanted, but it did not say reproduced"
    )


def test_without_a_good_build_none_is_offered(
    tmp_path: Path, ledger: Ledger, tool_jdk: Path, java: Path, affected_java: Path
) -> None:
    bundle = make(tmp_path, ledger, tool_jdk, java, affected_java, other_says="inconclusive")
    reason = "the run has no build without the bug to try it on"
    assert bundle.java.why_not == reason
    assert f"the subject: {reason}.\n" in texts(bundle)["details.md"]


def test_each_java_says_its_version_or_what_was_recorded(files: dict[str, str]) -> None:
    first_part, second_part = files["java-versions.txt"].split("\n\n")
    assert first_part.startswith(f"== temurin-21.0.8+9 ==\n(This JDK {ELSEWHERE}.")
    assert "version: 21.0.8+9" in first_part
    assert second_part.strip() == f"== temurin-25.0.2+10 ==\n{VERSION}"


def test_an_exchanged_jdk_is_not_asked(
    tmp_path: Path, ledger: Ledger, tool_jdk: Path, java: Path
) -> None:
    exchanged_jdk = tmp_path / "jdk"
    shutil.copytree(java, exchanged_jdk)
    program = exchanged_jdk / "bin" / "java"
    program.write_text(program.read_text().replace("25.0.2+10", "25.0.3+9"))
    versions = texts(make(tmp_path, ledger, tool_jdk, exchanged_jdk, minimal=False))[
        "java-versions.txt"
    ]
    assert "(This JDK has another version now. The run recorded:)" in versions
    assert "25.0.3" not in versions


def test_no_folder_of_the_user_is_told(place: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        assert str(Path.home()) + os.sep not in text, name
        assert str(place / "run") not in text, name


def test_a_run_of_another_machine_tells_no_folder_and_no_builder(
    tmp_path: Path, ledger: Ledger, tool_jdk: Path
) -> None:
    """Its texts hold that machine's places, and the version of a JDK that somebody built there."""
    build, version = "local-17.0.21", "17.0.21-internal+0-adhoc.mmuster.jdk17u"
    home = Path("/srv/other/jdks/jdk-17.0.21")
    folder = make_run(tmp_path / "run", {build: "reproduced"}, {build: home}, {build: version})
    cell = folder.cell_folder(PlannedCell(build=build, test=TEST))
    (cell / "digest.json").write_text(DIGEST)
    (cell / "hang-7-threads-1.txt").write_text("cwd /srv/other/ws/shard-1\n")
    bundle = make_bundle(
        Checkout.current(),
        ledger.bug("JDK-8335135"),
        folder,
        tmp_path / "out",
        lambda: tool_jdk,
        minimal=False,
    )
    files = texts(bundle)
    for name, text in files.items():
        assert "/srv/other" not in text, name
        assert "mmuster" not in text, name
        assert "jdk17u" not in text, name
    assert "--jdk jdk-17.0.21" in files["details.md"]
    assert "version: 17.0.21-internal+0-adhoc\n" in files["java-versions.txt"]
    results = Results.model_validate_json(files["results.json"])
    assert [record.home for record in results.builds] == ["jdk-17.0.21"]
    (digest,) = parse_digest(files["evidence/digest.json"]).readable
    assert (digest.file, digest.jvm.args) == ("hotspot-pid-7.jfr", None)


def test_a_bug_that_shows_nowhere_has_no_evidence(
    tmp_path: Path, ledger: Ledger, tool_jdk: Path, java: Path
) -> None:
    files = texts(make(tmp_path, ledger, tool_jdk, java, None, "not-reproduced"))
    assert not any(name.startswith("evidence/") for name in files)
    assert "the subject: the run has no build with the bug to try it on.\n" in files["details.md"]
    assert "The bug showed on no build of this run." in files["description.md"]
    assert "Never, in 1 runs" in files["description.md"]
