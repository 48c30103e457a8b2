# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the user read of a program that ran on each build: which groups, where they differ?"""

from collections.abc import Iterator

from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.results.programs import ProgramGroup, ProgramResult
from jdkmatrix.vocabulary import Outcome
from jdkmatrix.words import programs


def tried_lines(results: Results) -> Iterator[str]:
    """Each program with its groups and the release lines."""
    for program in results.programs:
        if len(results.programs) > 1:
            yield f"\n{program.test}"
        yield from lines_of(program, results)


def lines_of(program: ProgramResult, results: Results) -> Iterator[str]:
    """The groups of one program with what each said, and the release lines."""
    for group in program.groups:
        yield from _group(group, program, results)
    if len(program.groups) > 1:
        yield ""
        yield from program.sentences
    for rate in program.rates:
        yield f"{rate.build}: {programs.rate_words(rate.failures, rate.runs, rate.low, rate.high)}"
    yield from programs.unable_lines(program.unable)
    for missing in results.unavailable:
        yield f"{missing.entry} is unavailable: {missing.text}"


def _group(group: ProgramGroup, program: ProgramResult, results: Results) -> Iterator[str]:
    own_stretches = [stretch for stretch in program.stretches if stretch.group == group.group]
    cell = results.cell(group.builds[0], program.test)
    outcome = cell.outcome if cell else Outcome.ERROR
    verdict = f", {programs.JUDGED_WORDS.get(outcome, outcome)}" if results.is_judged else ""
    yield f"{group.group}  {', '.join(group.builds)}{verdict}"
    if not program.is_alike:
        yield f"   {group.sentence}; {programs.members(own_stretches)}"
    if cell and (program.is_alike or cell.evidence.hangs or outcome is Outcome.INCONCLUSIVE):
        yield f"   {cell.reason}"
    if cell and cell.evidence.cause:
        yield f"   recorded on {cell.build}: {cell.evidence.cause}"
    if program.is_alike and (want := programs.want_of(group)):
        yield f"   {want}"
    if group.variations:
        yield f"   {_variations_of(group, cell)}"


def _variations_of(group: ProgramGroup, cell: CellResult | None) -> str:
    variations = group.variations or ()
    place = programs.place_of_difference(variations)
    lines = ", ".join(f"`{programs.excerpt(line, place)}`" for line in variations)
    if group.varying == group.builds:
        return f"differs from run to run: {lines}"
    run_count = len(cell.attempts) if cell else 0
    return (
        f"differs from run to run on {', '.join(group.varying)}: {lines}; {run_count} runs of each "
        f"are too few to tell that from the others: --times {min(4 * run_count, 99)}"
    )
