# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""CI servers see each case once, in XML that Jenkins' own schema accepts."""

from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from jdkmatrix.report.ci.junit import junit_xml
from jdkmatrix.results.document import Results, RowResult
from jdkmatrix.vocabulary import Grade, RowStatus
from tests.conftest import FIXTURES
from tests.report.conftest import CAUSE, make_cell, make_results
from tests.report.speed_kit import make_speed, make_validation

if TYPE_CHECKING:
    import xmlschema

# Of Jenkins' xUnit plug-in, MIT, as the pytest 9.2.0 source distribution carries it.
SCHEMA = FIXTURES / "junit" / "junit-10.xsd"
ODD = "broke: \x00 \ud800 # <&\"' %\n\u2028é"


@pytest.fixture(scope="module")
def schema() -> "xmlschema.XMLSchema":
    import xmlschema  # slow, and only who runs these tests needs it

    return xmlschema.XMLSchema(str(SCHEMA))


def make_all_kinds() -> Results:
    cells = [
        make_cell(f"temurin-17.0.{n}+1", outcome, expectation, reason=ODD)
        for n, (outcome, expectation) in enumerate(
            [
                ("reproduced", "affected"),
                ("reproduced", "fixed"),
                ("not-reproduced", "affected"),
                ("inconclusive", "fixed"),
                ("error", "fixed"),
                ("not-applicable", "fixed"),
                ("reproduced", "unknown"),
            ]
        )
    ]
    speed = tuple(make_speed(grade) for grade in ("slower", "faster", "no-change", "inconclusive"))
    return make_results(*cells, throughput=speed, validation=make_validation("bad"), complete=False)


def test_every_kind_of_verdict_is_valid(schema: "xmlschema.XMLSchema") -> None:
    text = junit_xml(make_all_kinds())
    schema.validate(text)
    counts = [
        {name: int(suite.get(name, "")) for name in ("tests", "failures", "errors", "skipped")}
        for suite in ElementTree.fromstring(text)
    ]
    total = {name: sum(count[name] for count in counts) for name in counts[0]}
    assert total == {"tests": 15, "failures": 5, "errors": 3, "skipped": 3}


def test_the_schema_refuses_what_is_not_junit(schema: "xmlschema.XMLSchema") -> None:
    import xmlschema

    text = junit_xml(make_results(make_cell("b-17", "error", "fixed")))
    with pytest.raises(xmlschema.XMLSchemaValidationError):
        schema.validate(text.replace("<error", "<broken").replace("</error", "</broken"))


def test_a_suite_a_build_and_the_reason_and_rerun_line_of_a_surprise() -> None:
    cell = make_cell("temurin-17.0.9+9", "reproduced", "fixed", reason=ODD)
    fine = make_cell("temurin-17.0.7+7", "not-reproduced", "fixed")
    suites = ElementTree.fromstring(junit_xml(make_results(cell, fine)))
    names = [suite.get("name") for suite in suites]
    assert names == ["temurin-17.0.9+9", "temurin-17.0.7+7", "debian-8"]
    failure = suites.find(".//failure")
    assert failure is not None
    assert failure.get("message") == ODD.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
    assert failure.get("type") == "regression"
    assert (failure.text or "").splitlines()[-2:] == [CAUSE, f"rerun: {cell.rerun}"]


def test_rows_ran_within_the_time_of_their_cell() -> None:
    row = RowResult(
        row="client/full/TLSv1.3/any/rsa/any/SSLSocket/jsse/1",
        status=RowStatus.PASSED,
        grade=Grade.AS_EXPECTED,
        said=None,
        alert=None,
        ms=1000,
        change=None,
        known=None,
    )
    cell = make_cell("temurin-17.0.9+9", "not-reproduced", "unknown", rows=(row,) * 20)
    suite = ElementTree.fromstring(junit_xml(make_results(cell)))[0]
    assert (suite.get("tests"), suite.get("time")) == ("21", f"{cell.seconds:.3f}")


def test_a_green_case_on_an_affected_build_says_why_it_shows_the_bug(results: Results) -> None:
    bad_case, good_case = ElementTree.fromstring(junit_xml(results)).findall(".//testcase")[:2]
    assert CAUSE in bad_case.findtext("system-out", "")
    assert len(good_case) == 0
