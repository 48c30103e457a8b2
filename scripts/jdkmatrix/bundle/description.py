# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the report of a bug of the ledger say, in the fields of JBS and of AQAvit?"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from jdkmatrix.bundle import bundle_words
from jdkmatrix.bundle.flatten import CONTROLS, JavaFiles, oldest_train
from jdkmatrix.bundle.material import Material
from jdkmatrix.bundle.report_fields import BuildAnswer, ReportFields, report_texts
from jdkmatrix.bundle.trial import JdksAtHand
from jdkmatrix.config.ledger import Bug, jbs_page
from jdkmatrix.evidence.cause import CauseSource
from jdkmatrix.machine.files import text_of
from jdkmatrix.paths import test_name
from jdkmatrix.results.document import CellResult
from jdkmatrix.templating import templates
from jdkmatrix.vocabulary import Outcome

_DETAILS = "details.md"
_RUN_LINE = re.compile(r"^ \* @run main/othervm(?: -\S+)* \w+ (?P<case>[\w-]+)$", re.MULTILINE)
_FIRST_COMMENT = re.compile(r"/\*\n(?P<text>.*?)\n \*/", re.DOTALL)
_LINE_START = re.compile(r"^ \* ?", re.MULTILINE)
_PARAGRAPH = re.compile(
    r"(?P<name>What goes wrong|What it takes|Workaround|Evidence): (?P<text>.+)", re.DOTALL
)


def descriptions(
    material: Material,
    reproducer: Path,
    evidence: Sequence[tuple[str, str]],
    files: JavaFiles,
    at_hand: JdksAtHand,
) -> dict[str, str]:
    """The texts of the report, and `details.md`, for everything else.

    `reproducer` is the file in the suite, `evidence` has each evidence file's name and a sentence
    on it, `files` are what the reproducer was flattened to.
    """
    fields = _fields_of(material, reproducer, evidence, files, at_hand)
    worst = material.worst
    shown_cell = worst or material.of_test[0]
    facts = {
        "bug": material.bug,
        "results": material.results,
        "report": fields,
        "name": test_name(material.test),
        "cases": _RUN_LINE.findall(text_of(reproducer)) or ["subject"],
        "header": paragraphs(reproducer),
        "tests": _tests_of(material),
        "regression": bundle_words.regression(material),
        "worst": worst,
        "exception": f"CaseEnd: {worst.outcome} (subject): {worst.reason}" if worst else None,
        "rerun": shown_cell.rerun,
        "worst_facts": bundle_words.output_of(worst, with_facts=True) if worst else "",
        "minimal_lines": files.length if files.minimal else 0,
        "why_not": files.why_not,
        "controls": CONTROLS,
    }
    template = templates(Path(__file__).parent, is_html=False).get_template(f"{_DETAILS}.j2")
    return {**report_texts(fields), _DETAILS: template.render(facts)}


def _fields_of(
    material: Material,
    reproducer: Path,
    evidence: Sequence[tuple[str, str]],
    files: JavaFiles,
    at_hand: JdksAtHand,
) -> ReportFields:
    bug, results, worst, good = material.bug, material.results, material.worst, material.good
    name, header = test_name(material.test), paragraphs(reproducer)
    shown_cell = worst or material.of_test[0]
    records = {build.id: build for build in results.builds}
    record = records[shown_cell.build]

    def versions_of(build_ids: Sequence[str]) -> str:
        return bundle_words.jbs_versions(records[build_id] for build_id in build_ids)

    return ReportFields(
        synopsis=bug.title,
        heading="" if bug.unreported else f"{bug.id}: {bug.title}",
        origin=_origin(bug),
        component=bug.component,
        affected_versions=versions_of(material.affected_builds),
        unaffected_versions=versions_of(material.unaffected_builds),
        fixed_versions=bundle_words.fixed_in(bug) or "no release",
        links=bundle_words.links(bug) or "none",
        system=f"{results.machine.os}, Linux {results.machine.kernel}",
        architecture=results.machine.architecture,
        frequency=bundle_words.frequency(material),
        problem=header.get("What goes wrong", "See the header of the reproducer."),
        command=f"java {name}.java",
        steps=bundle_words.steps(
            name,
            oldest_train(files.minimal or files.whole),
            f"{CONTROLS}/{name}.java" if files.minimal else "",
        ),
        expected=_answer(good, files, Outcome.NOT_REPRODUCED),
        no_expected="Exit status 0. (No build of this run ended this way.)",
        actual=_answer(worst, files, Outcome.REPRODUCED),
        no_actual="The bug showed on no build of this run.",
        cause=_cause(worst),
        version=BuildAnswer(record.id, at_hand.version_text(record)),
        file_name=f"{name}.java",
        source=files.minimal or files.whole,
        workaround=bundle_words.workaround(header.get("Workaround"), bug, worst),
        columns=tuple(map(test_name, _tests_of(material))),
        outcomes=tuple(_rows(material)),
        reasons=tuple(f"{cell.build}, {name}: {cell.reason}" for cell in material.of_test),
        hints=tuple(bundle_words.notes(material)),
        evidence=evidence,
    )


def _answer(cell: CellResult | None, files: JavaFiles, outcome: Outcome) -> BuildAnswer | None:
    """What the attached file printed there, or else what the cell's reproducer did."""
    if cell is None:
        return None
    return BuildAnswer(cell.build, files.answers.get(outcome) or bundle_words.output_of(cell))


def _tests_of(material: Material) -> list[str]:
    """The bug's tests of which the run has cells."""
    with_cells = {cell.test for cell in material.results.cells}
    return [test for test in material.bug.tests if test in with_cells]


def _rows(material: Material) -> Iterator[tuple[str, ...]]:
    """Each build of the run: its id, source, and result in each test; or why it was unavailable."""
    tests = _tests_of(material)
    for build in material.results.builds:
        cells = [material.results.cell(build.id, test) for test in tests]
        outcomes = (f"{cell.outcome}, {cell.grade}" if cell else "not run" for cell in cells)
        yield (build.id, build.source, *outcomes)
    for lack in material.results.unavailable:
        yield (lack.entry, f"was unavailable: {lack.text}", *("not run" for _ in tests))


def _origin(bug: Bug) -> str:
    """Whose number the bug has, if it was not reported."""
    if not bug.unreported:
        return ""
    if jbs_page(bug.id):
        number = f"It came with the change {bug.id}, and has its number here."
        return f"No report of this bug was found. {number}"
    number = f"{bug.id} is no number of JBS"
    return (
        f"No report of this bug was found, and it is not known which change brought it; {number}."
    )


def _cause(worst: CellResult | None) -> str:
    """What the recording or the figures of the cell that shows it best say."""
    if worst is None or not worst.evidence.cause:
        return ""
    is_recorded = worst.evidence.cause_from is CauseSource.RECORDING
    origin = "Its recording shows" if is_recorded else "Its figures and facts show"
    return f"{origin}: {worst.evidence.cause}"


def paragraphs(reproducer: Path) -> dict[str, str]:
    """`What goes wrong`, `What it takes`, `Workaround`, `Evidence`, each as one line of text."""
    comment = _FIRST_COMMENT.search(text_of(reproducer))
    text = _LINE_START.sub("", comment["text"]) if comment else ""
    matches = (_PARAGRAPH.match(paragraph) for paragraph in text.split("\n\n"))
    return {match["name"]: _sentence(match["text"]) for match in matches if match}


def _sentence(text: str) -> str:
    line = " ".join(text.split())
    return line[:1].upper() + line[1:]
