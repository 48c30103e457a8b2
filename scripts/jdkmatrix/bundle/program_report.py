# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the report of a reporter's own file say? What was seen, and where words are missing."""

import re
from collections.abc import Iterator, Sequence

from jdkmatrix.bundle import bundle_words
from jdkmatrix.bundle.report_fields import BuildAnswer, ReportFields
from jdkmatrix.bundle.trial import JdksAtHand
from jdkmatrix.bundle.tried_material import TriedMaterial
from jdkmatrix.machine.files import start_of, text_of
from jdkmatrix.records.record import PlannedCell
from jdkmatrix.records.store import OUTPUT_FILE, RunFolder
from jdkmatrix.results.document import CellResult
from jdkmatrix.texts import command_line, count_of
from jdkmatrix.vocabulary import Outcome
from jdkmatrix.words.programs import JUDGED_WORDS

GROUPS = "groups.txt"
_CODE = re.compile("`([^`]*)`")
# Of what it printed; `evidence/` has all that was kept.
_MOST_OUTPUT_BYTES = 4_000
_WORDS_ARE_MISSING = (
    "The synopsis and the description say what was seen. Say in your own words what should be."
)


def program_fields(
    material: TriedMaterial,
    folder: RunFolder,
    at_hand: JdksAtHand,
    bisection: Sequence[str],
    evidence: Sequence[tuple[str, str]],
) -> ReportFields:
    """The fields of a report on the file of `material`, run in `folder`."""
    results, worst, good = material.results, material.worst, material.good
    record = next(build for build in results.builds if build.id == worst.build)
    sentences = [_CODE.sub(r'"\1"', text) for text in _sentences(material, bisection)]
    return ReportFields(
        synopsis=f"{material.file.stem}: {sentences[0]}",
        problem=" ".join(f"{sentence.rstrip('.')}." for sentence in sentences),
        command=" ".join(_command(material)),
        steps=tuple(_steps(material)),
        file_name=material.file.name,
        source=text_of(material.file, errors="replace"),
        version=BuildAnswer(record.id, at_hand.version_text(record)),
        system=f"{results.machine.os}, Linux {results.machine.kernel}",
        architecture=results.machine.architecture,
        frequency=_frequency(material),
        columns=(material.file.name,),
        outcomes=tuple(_rows(material)),
        reasons=tuple(f"{cell.build}: {cell.reason}" for cell in results.cells),
        expected=_answer(material, good, folder) if good else None,
        no_expected="It passes on no build of this run: say what it should print.",
        actual=_answer(material, worst, folder),
        no_actual="",
        affected_versions=bundle_words.jbs_versions(material.builds_with(Outcome.REPRODUCED)),
        unaffected_versions=bundle_words.jbs_versions(material.builds_with(Outcome.NOT_REPRODUCED)),
        cause=worst.evidence.cause or (worst.reason if worst.evidence.hangs else ""),
        workaround="Not known.",
        hints=(_WORDS_ARE_MISSING,),
        rest=GROUPS,
        evidence=evidence,
    )


def _sentences(material: TriedMaterial, bisection: Sequence[str]) -> list[str]:
    """Where it begins and ceases to fail, by a bisection if there is one, and in this run."""
    lines = [line for line in bisection if line[:1].strip()]
    lines += material.program.sentences if material.program else ()
    return lines or [material.worst.reason]


def _command(material: TriedMaterial) -> Iterator[str]:
    request = material.run.request.program
    if request is None:
        yield command_line("jtreg", "-jdk:JDK", material.test)
        return
    yield "java"
    for path in request.class_path:
        yield command_line("-cp", path)
    yield from map(command_line, request.java_options)
    yield command_line(material.file.name)
    yield from map(command_line, request.arguments)


def _steps(material: TriedMaterial) -> Iterator[str]:
    request = material.run.request.program
    if request is None:
        yield "in the root of its suite, the folder with TEST.ROOT."
        return
    yield (
        "on JDK 11 or later; on an older one compile it first: "
        f"javac {material.file.name}, then java with the name of its class."
    )
    if request.fails_with:
        yield f'It fails if its output, or how it ends, matches "{request.fails_with}".'
    elif request.passes_with:
        yield f'It passes if its output, or how it ends, matches "{request.passes_with}".'
    else:
        yield "It fails if its exit code is not 0."
    yield f"It was ended after {request.timeout_s:g} s, if it had not ended by then."


def _answer(material: TriedMaterial, cell: CellResult, folder: RunFolder) -> BuildAnswer:
    """What it printed in the attempt shown, and how it ended."""
    home = folder.cell_folder(PlannedCell(build=cell.build, test=cell.test), cell.attempt)
    text = ""
    if material.program and (home / OUTPUT_FILE).is_file():
        text = start_of(home / OUTPUT_FILE, _MOST_OUTPUT_BYTES).rstrip()
    groups = material.program.groups if material.program else ()
    ending = next((group.ending for group in groups if cell.build in group.builds), cell.reason)
    return BuildAnswer(cell.build, f"{text}\n({ending})" if text else ending)


def _frequency(material: TriedMaterial) -> str:
    cells = [cell for cell in material.results.cells if cell.outcome is Outcome.REPRODUCED]
    runs = [outcome for cell in cells for outcome in bundle_words.verdicts_of(cell)]
    return bundle_words.how_often(
        runs.count(Outcome.REPRODUCED),
        len(runs),
        f"runs on {count_of(len(cells), 'build')} where it fails",
    )


def _rows(material: TriedMaterial) -> Iterator[tuple[str, ...]]:
    for build in material.results.builds:
        cell = material.results.cell(build.id, material.test)
        outcome = JUDGED_WORDS.get(cell.outcome, str(cell.outcome)) if cell else "not run"
        letter = material.group_of(build.id)
        yield (build.id, build.source, f"{outcome}, group {letter}" if letter else outcome)
    for lack in material.results.unavailable:
        yield (lack.entry, f"was unavailable: {lack.text}", "not run")
