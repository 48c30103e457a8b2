# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do CI servers read a run? As JUnit XML with one suite a build, and as TAP 13 for AQAvit."""

import json
import re
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from jdkmatrix.report.results import CellResult, Results
from jdkmatrix.report.words import test_name
from jdkmatrix.verdict.grade import Grade

# What XML 1.0 can't hold, escaped or not (section 2.2, Char).
_NO_XML_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ELEMENT_OF = {
    Grade.REGRESSION: "failure",
    Grade.UNEXPECTED_FIX: "failure",
    Grade.INCONCLUSIVE: "failure",
    Grade.ERROR: "error",
    Grade.SKIPPED: "skipped",
}


def junit_xml(results: Results) -> str:
    """The run as JUnit XML, after Jenkins' junit-10.xsd. Times are in seconds."""
    suites = ElementTree.Element("testsuites", name=f"jdkmatrix {results.run}")
    for build in results.builds:
        cells = [cell for cell in results.cells if cell.build == build.id]
        suites.append(_suite(build.id, build.version, cells, results.started))
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def tap(results: Results) -> str:
    """The run as TAP 13: a line a cell, a YAML block (JSON is YAML) for what is not as expected."""
    lines = ["TAP version 13", f"1..{len(results.cells)}"]
    for number, cell in enumerate(results.cells, 1):
        lines += _tap_lines(number, cell)
    return "\n".join(lines) + "\n"


def _suite(
    build: str, version: str, cells: Sequence[CellResult], started: str
) -> ElementTree.Element:
    elements = [_ELEMENT_OF.get(cell.grade) for cell in cells]
    suite = ElementTree.Element(
        "testsuite",
        name=build,
        tests=str(len(cells)),
        failures=str(elements.count("failure")),
        errors=str(elements.count("error")),
        skipped=str(elements.count("skipped")),
        time=f"{sum(cell.seconds for cell in cells):.3f}",
        timestamp=started.removesuffix("Z"),
    )
    properties = ElementTree.SubElement(suite, "properties")
    ElementTree.SubElement(properties, "property", name="java.runtime.version", value=version)
    for cell in cells:
        suite.append(_case(cell))
    return suite


def _case(cell: CellResult) -> ElementTree.Element:
    case = ElementTree.Element(
        "testcase",
        classname=f"{cell.build}.{cell.bug or 'no-bug'}".replace("+", "_"),
        name=test_name(cell.test),
        time=f"{cell.seconds:.3f}",
    )
    element = _ELEMENT_OF.get(cell.grade)
    if element:
        found = ElementTree.SubElement(case, element, message=_clean(cell.reason))
        if element != "skipped":
            found.set("type", cell.grade)
            found.text = _clean("\n".join(_details(cell)))
    return case


def _tap_lines(number: int, cell: CellResult) -> Iterator[str]:
    fails = cell.grade.is_surprise
    skipped = f" # SKIP {_one_line(cell.reason)}" if cell.grade is Grade.SKIPPED else ""
    name = f"{cell.build} {test_name(cell.test)} ({cell.bug or 'no bug'})"
    yield f"{'not ok' if fails else 'ok'} {number} - {name}{skipped}"
    if fails:
        yield "  ---"
        for key, value in (("grade", cell.grade), ("reason", cell.reason), ("rerun", cell.rerun)):
            yield f"  {key}: {json.dumps(value)}"
        yield "  ..."


def _details(cell: CellResult) -> Iterator[str]:
    yield f"{cell.grade}: expectation {cell.expectation}, outcome {cell.outcome}"
    yield cell.reason
    if cell.evidence.cause:
        yield cell.evidence.cause
    yield f"rerun: {cell.rerun}"


def _clean(text: str) -> str:
    return _NO_XML_CHARACTER.sub("\ufffd", text)


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("#", "\\#")
