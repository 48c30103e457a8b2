# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""AQAvit has the counts that JUnit has, and the report where Jenkins keeps it."""

import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from jdkmatrix.report.ci.aqavit import VARIABLE, tell_aqavit
from jdkmatrix.report.ci.junit import junit_xml
from tests.aqavit.tkg import results_line
from tests.report.ci.test_junit import make_all_kinds

TARGET = "tls13_interop_0"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """REPORTDIR, with a run in it."""
    folder = tmp_path / TARGET
    (folder / "run" / "cells").mkdir(parents=True)
    for name in ("index.html", "results.tap", "cells/jvm.log"):
        (folder / "run" / name).write_text(name)
    (folder / "run" / "junit.xml").write_text(junit_xml(make_all_kinds()))
    return folder


def tell(place: Path) -> list[str]:
    return list(tell_aqavit(make_all_kinds(), place / "run", {VARIABLE: str(place)}))


def test_the_counts_are_those_of_junit(place: Path) -> None:
    suites = ElementTree.fromstring(junit_xml(make_all_kinds())).findall("testsuite")
    keys = ("tests", "failures", "errors", "skipped")
    total, *bad = (sum(int(suite.attrib[key]) for suite in suites) for key in keys)
    assert all(bad)  # none of these counts is 0 by chance
    line = results_line("\n".join(tell(place)))
    assert line.startswith("Test results: passed: ")
    assert list(map(int, re.findall(r"\d+", line))) == [total - sum(bad), *bad]


def test_the_zip_has_the_whole_run(place: Path) -> None:
    lines = tell(place)
    assert lines[0] == f"report: {place}/{TARGET}.zip"
    with zipfile.ZipFile(place / f"{TARGET}.zip") as archive:
        names = {"index.html", "results.tap", "junit.xml", "cells/jvm.log"}
        assert set(archive.namelist()) == names
        assert archive.read("results.tap") == b"results.tap"


def test_jenkins_reads_junit_and_no_tap_but_tkg_s(place: Path) -> None:
    tell(place)
    (xml,) = place.glob("junitreports/*.xml")
    assert xml.read_text() == (place / "run" / "junit.xml").read_text()
    assert not list(place.rglob("*.tap"))


@pytest.mark.parametrize("environ", [{}, {VARIABLE: ""}])
def test_elsewhere_nothing_is_left(place: Path, environ: dict[str, str]) -> None:
    assert not list(tell_aqavit(make_all_kinds(), place / "run", environ))
    assert {path.name for path in place.iterdir()} == {"run"}


def test_a_place_that_takes_nothing_costs_the_run_nothing(place: Path, tmp_path: Path) -> None:
    environ = {VARIABLE: str(tmp_path / "missing")}
    lines = list(tell_aqavit(make_all_kinds(), place / "run", environ))
    assert lines[0].startswith(f"matrix: the report could not be left in {tmp_path}/missing: No ")
    assert lines[1].startswith("Test results: ")
