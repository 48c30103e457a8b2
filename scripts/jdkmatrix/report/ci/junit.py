# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do CI servers read a run? As JUnit XML by Jenkins' junit-10.xsd, one suite per build."""

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from jdkmatrix.results.case import Case, CaseStatus
from jdkmatrix.results.document import Results

# What XML 1.0 can't hold, escaped or not (section 2.2, Char).
_NO_XML_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ELEMENT_OF = {
    CaseStatus.FAILED: "failure",
    CaseStatus.ERROR: "error",
    CaseStatus.SKIPPED: "skipped",
}


def junit_xml(results: Results) -> str:
    """The run as JUnit XML. Times are in seconds."""
    suites = ElementTree.Element("testsuites", name=_clean(f"jdkmatrix {results.run}"))
    cases = results.cases
    versions = {build.id: str(build.facts.get("version", "")) for build in results.builds}
    for build in dict.fromkeys((*versions, *(case.build for case in cases))):
        of_build = [case for case in cases if case.build == build]
        suites.append(_suite(build, versions.get(build), of_build, results.started_at))
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _suite(
    build: str, version: str | None, cases: Sequence[Case], started_at: str
) -> ElementTree.Element:
    elements = [_ELEMENT_OF.get(case.status) for case in cases]
    seconds = sum(case.seconds for case in cases if case.part_of is None)
    suite = ElementTree.Element(
        "testsuite",
        name=_clean(build),
        tests=str(len(cases)),
        failures=str(elements.count("failure")),
        errors=str(elements.count("error")),
        skipped=str(elements.count("skipped")),
        time=f"{seconds:.3f}",
        timestamp=started_at.removesuffix("Z"),
    )
    if version:
        properties = ElementTree.SubElement(suite, "properties")
        ElementTree.SubElement(
            properties, "property", name="java.runtime.version", value=_clean(version)
        )
    for case in cases:
        suite.append(_case(case))
    return suite


def _case(case: Case) -> ElementTree.Element:
    element = ElementTree.Element(
        "testcase",
        # Jenkins takes what precedes the last dot as the package: one per build.
        classname=_clean(f"{case.build.replace('.', '_')}.{case.group}"),
        name=_clean(case.name),
        time=f"{case.seconds:.3f}",
    )
    tag = _ELEMENT_OF.get(case.status)
    if tag:
        child = ElementTree.SubElement(element, tag, type=case.grade)
        child.set("message", _clean(case.sentence))
        rerun = (f"rerun: {case.rerun}",) if case.rerun else ()
        first = f"{case.grade}: {case.sentence}"
        child.text = _clean("\n".join((first, *case.evidence, *rerun)))
    elif len(case.sentences) > 1:  # why an affected build shows the bug: of interest in green too
        ElementTree.SubElement(element, "system-out").text = _clean("\n".join(case.sentences))
    return element


def _clean(text: str) -> str:
    return _NO_XML_CHARACTER.sub("\ufffd", text)
