# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does each bug that a recording shows have a rule of JMC, as the ledger has it?"""

import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.report.site.jmc_rules import rule_files

JAVA = "src/main/java/tls13kit/jmc"
SERVICE = "src/main/resources/META-INF/services/org.openjdk.jmc.flightrecorder.rules.IRule"
WITH_RULES = {"JDK-8293562", "JDK-8212136", "JDK-8263743", "JDK-8276660", "JDK-8338383"}
# In place of the class that needs Mission Control's jars.
STAND_IN = """package tls13kit.jmc;
abstract class LedgerRule {
    LedgerRule(String id, String title, String remedy, String[] blockedIn, String[] heldIn,
            long minBlockedMs, String[] slowIn, String[] slowOver, long minSlowMs) {
        System.out.println(title + "|" + blockedIn.length + "|" + minBlockedMs);
    }
}
"""


@pytest.fixture(scope="module")
def files(ledger: Ledger) -> dict[str, str]:
    return rule_files(ledger.bugs)


def test_each_bug_with_evidence_of_waiting_has_a_class(files: dict[str, str]) -> None:
    classes = files[SERVICE].split()
    assert {name.rpartition(".")[2] for name in classes} == {
        bug.replace("-", "").capitalize() for bug in WITH_RULES
    }
    for name in classes:
        assert f"{JAVA}/{name.rpartition('.')[2]}.java" in files


def test_a_rule_has_the_ledgers_frames_and_bounds(files: dict[str, str]) -> None:
    text = files[f"{JAVA}/Jdk8293562.java"]
    for part in (
        '"sun.net.www.http.KeepAliveCache.get"',
        '"Fixed in 8u422, ',
        "\n                100,",
    ):
        assert part in text


def test_a_bug_that_spins_has_none(ledger: Ledger) -> None:
    spinning = [bug for bug in ledger.bugs if bug.evidence and bug.evidence.busy_in]
    assert spinning
    assert rule_files(spinning)[SERVICE] == ""


def test_the_project_can_be_read(files: dict[str, str]) -> None:
    for name, text in files.items():
        if name.endswith(".xml"):
            assert ElementTree.fromstring(text) is not None, name
    imports = set(
        re.findall(r"^import (org\.openjdk[a-z.]+)\.[A-Z]", files[f"{JAVA}/LedgerRule.java"], re.M)
    )
    bundle = re.search(r"<Import-Package>(.*)</Import-Package>", files["pom.xml"])
    assert bundle and set(bundle[1].split(",")) == imports


@pytest.mark.jdk
def test_the_classes_compile_whatever_a_title_holds(
    ledger: Ledger, tool_jdk: Path, tmp_path: Path
) -> None:
    bug = next(bug for bug in ledger.bugs if bug.id == "JDK-8293562")
    odd = bug.model_copy(update={"title": 'a "b" \\u0022\n*/ é'})
    files = {name: text for name, text in rule_files([odd]).items() if name.endswith("562.java")}
    (text,) = files.values()
    (tmp_path / "LedgerRule.java").write_text(STAND_IN)
    (tmp_path / "Jdk8293562.java").write_text(text)
    (tmp_path / "Main.java").write_text(
        "package tls13kit.jmc; class Main { public static void main(String[] a) {"
        " new Jdk8293562(); } }"
    )
    sources = [str(path) for path in tmp_path.glob("*.java")]
    javac = [str(tool_jdk / "bin" / "javac"), "-d", str(tmp_path), *sources]
    subprocess.run(javac, check=True, capture_output=True)
    java = [str(tool_jdk / "bin" / "java"), "-Dfile.encoding=UTF-8", "-cp", str(tmp_path)]
    process = subprocess.run([*java, "tls13kit.jmc.Main"], check=True, capture_output=True)
    assert process.stdout.decode("utf-8", "replace").startswith('JDK-8293562: a "b" \\u0022\n*/ ')
    assert process.stdout.strip().endswith(b"|2|100")
