# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is the verdict of `matrix validate` on its build?"""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence

from jdkmatrix.config.known_changes import KnownChange
from jdkmatrix.grading.judged_speed import on_speed
from jdkmatrix.grading.row_cells import was_tried
from jdkmatrix.paths import test_name
from jdkmatrix.records.comparison_record import ThroughputRecord
from jdkmatrix.results.defaults_words import difference_sentence
from jdkmatrix.results.document import BuildFaultKind, CellResult, Results
from jdkmatrix.results.run_words import counts
from jdkmatrix.results.speed import (
    TopicResult,
    ValidationResult,
)
from jdkmatrix.supply.defaults import Defaults
from jdkmatrix.verdict.defaults_difference import DefaultsDifference, difference
from jdkmatrix.verdict.validation import (
    gravest,
    of_cells,
)
from jdkmatrix.vocabulary import MACHINE_LACKS, Expectation, Grade, Verdict

_ROWS = "interoperability"
_REFUSED = "rows that must be refused"
_FLAGGED = "flagged"


def validation_of(
    results: Results,
    plan: ThroughputRecord,
    known: Sequence[KnownChange] = (),
    minutes: int | None = None,
) -> ValidationResult:
    """Judge a run's results. `plan` is a validation's, `minutes` how long it was to take."""
    assert plan.validates
    judged, baseline = plan.validates
    of_build = [cell for cell in results.cells if cell.build == judged]
    lacking = [cell for cell in of_build if cell.reason.startswith(MACHINE_LACKS)]
    own = [cell for cell in of_build if cell not in lacking]
    defaults = _defaults_of(results, judged, baseline)
    changed = difference(*defaults, known) if defaults else None
    topics = [
        *_on_builds(results, judged, baseline),
        *_on_lacking(lacking),
        _on_bugs([cell for cell in own if not cell.rows], results),
        *_on_rows([cell for cell in own if cell.rows], results, baseline),
        *_on_defaults(changed, defaults),
        *on_speed(results, plan, baseline),
    ]
    verdict = gravest(one.verdict for one in topics)
    decisive = [f"{one.topic}: {one.sentence}" for one in topics if one.verdict is verdict]
    if verdict is Verdict.GOOD:
        *firsts, last = (one.topic for one in topics)
        names = f"{', '.join(firsts)} or {last}" if firsts else last
        if baseline is None:
            names = names.replace(_ROWS, f"{_ROWS} ({_REFUSED})")
        decisive = [f"no regression found in {names}"]
    left_out = [*plan.left_out, *_on_vendors(results, judged, baseline)]
    if baseline is None:
        pass  # the plan says so
    elif changed is None:
        left_out.append("defaults: one of the two builds could not be asked")
    else:
        left_out += [f"defaults, {aspect}: {why}" for aspect, why in changed.not_compared.items()]
    return ValidationResult(
        build=judged,
        baseline=baseline,
        verdict=verdict,
        reason=f"{'; '.join(decisive)}.",
        topics=tuple(topics),
        defaults=changed,
        not_looked_at=tuple(left_out),
        rerun=_rerun(results, judged, baseline, minutes),
    )


def _on_builds(results: Results, judged: str, baseline: str | None) -> Iterator[TopicResult]:
    """What is wrong with the build itself, its baseline or the run.

    Yields nothing if all are sound.
    """
    faults = [one for one in results.build_faults if one.build in (judged, baseline)]
    broken = {one.build for one in faults if one.kind is BuildFaultKind.BROKEN_PROMISE}
    if judged in broken:
        verdict = Verdict.BAD
    elif faults or not results.complete:
        verdict = Verdict.UNDECIDED
    else:
        return
    whose = {baseline: f"{baseline}: ", judged: ""}
    said = [f"{whose[one.build]}{one.sentence.rstrip('.')}" for one in faults]
    if not results.complete:
        said.append("the run was interrupted")
    yield TopicResult(topic="build", verdict=verdict, sentence="; ".join(said))


def _on_lacking(cells: Sequence[CellResult]) -> Iterator[TopicResult]:
    """Tests not run as the machine lacks what they need: no build is good without them."""
    if cells:
        sentence = "; ".join(f"{test_name(cell.test)}: {cell.reason}" for cell in cells)
        yield TopicResult(topic="machine", verdict=Verdict.UNDECIDED, sentence=sentence)


def _on_bugs(cells: Sequence[CellResult], results: Results) -> TopicResult:
    flagged = [cell for cell in cells if cell.flags]
    # A build where a symptom came and went is not good; if the bug is expected, it is no worse.
    wavering = [
        cell
        for cell in cells
        if cell.grade is Grade.FLAKY and cell.expectation is not Expectation.AFFECTED
    ]
    bad = [cell for cell in cells if cell.grade.is_surprise or cell.flags]
    said = list(_by_bug(bad, {bug.id: bug.title for bug in results.bugs}))
    said.append(counts(cells) or "no reproducer was run")
    if flagged:
        said.append(f"{len(flagged)} flagged by their recordings")
    return TopicResult(
        topic="bugs",
        verdict=of_cells([cell.grade for cell in cells], len(flagged) + len(wavering)),
        sentence="; ".join(said),
    )


def _by_bug(bad: Iterable[CellResult], titles: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each grade and bug, with the bug's title and the reason of the first test.

    What makes the build bad comes first. A cell that only its recording speaks against is
    `flagged`.
    """
    together: dict[tuple[str, str | None], list[CellResult]] = {}
    for cell in bad:
        grade = cell.grade if cell.grade.is_surprise else _FLAGGED
        together.setdefault((grade, cell.bug), []).append(cell)
    for (grade, bug), cells in sorted(together.items(), key=lambda one: _weight(one[0][0])):
        name = "".join(f"{text} " for text in (bug, titles.get(bug or "")) if text)
        others = f", and {len(cells) - 1} more of its tests" if len(cells) > 1 else ""
        first = cells[0]
        reason = first.reason if first.grade.is_surprise else first.flags[0]
        yield f"{grade}: {name}({test_name(first.test)}: {reason.rstrip('.')}){others}"


def _weight(grade: str) -> int:
    """The place of a grade among the reasons; 0 is the gravest."""
    gravest_first: tuple[str, ...] = (Grade.REGRESSION, _FLAGGED, Grade.FLAKY)
    return gravest_first.index(grade) if grade in gravest_first else len(gravest_first)


def _on_rows(
    cells: Sequence[CellResult], results: Results, baseline: str | None
) -> Iterator[TopicResult]:
    """Which peers the build still talks to. Rows are judged against the baseline's, which must
    exist; without a baseline, only rows that must be refused are judged.
    """
    grades = [cell.grade for cell in cells]
    said = [cell.reason.rstrip(".") for cell in cells]
    for cell in cells:
        beside = results.cell(baseline, cell.test) if baseline else None
        tried = _tried(cell)
        if not tried or any(of_build in results.not_asked for of_build in (cell, beside)):
            grades.append(Grade.ERROR)
        elif baseline and tried.isdisjoint(_tried(beside)):
            grades.append(Grade.ERROR)
            said.append(f"{baseline} has no rows: {beside.reason if beside else 'not run'}")
        elif all(row.grade in (Grade.RECORDED, Grade.SKIPPED) for row in cell.rows):
            grades.append(Grade.INCONCLUSIVE)
            said.append("no row works")
    if baseline is None:
        said.append(f"{_REFUSED} alone")
    if cells:
        yield TopicResult(topic=_ROWS, verdict=of_cells(grades, 0), sentence="; ".join(said))


def _tried(cell: CellResult | None) -> set[str]:
    return {row.row for row in cell.rows if was_tried(row)} if cell else set()


def _on_defaults(
    changed: DefaultsDifference | None, defaults: tuple[Defaults, Defaults] | None
) -> Iterator[TopicResult]:
    if changed is not None and defaults is not None:
        aspects = {aspect for one in defaults for aspect in one.aspects}
        verdict = Verdict.BAD if changed.surprises else Verdict.GOOD
        sentence = difference_sentence(changed)
        if aspects <= changed.not_compared.keys():
            verdict, sentence = Verdict.UNDECIDED, "nothing of them could be compared"
        yield TopicResult(topic="defaults", verdict=verdict, sentence=sentence)


def _defaults_of(
    results: Results, judged: str, baseline: str | None
) -> tuple[Defaults, Defaults] | None:
    """Those of the baseline and of the build; None if one of the two could not be asked."""
    defaults: dict[str | None, Defaults | None] = {one.id: one.defaults for one in results.builds}
    older, newer = defaults.get(baseline), defaults.get(judged)
    return (older, newer) if older and newer else None


def _on_vendors(results: Results, judged: str, baseline: str | None) -> Iterator[str]:
    vendors = {build.id: build.vendor for build in results.builds}
    new, old = vendors.get(judged), vendors.get(baseline) if baseline else None
    if baseline and new != old:
        yield f"the update alone: {baseline} is of another vendor ({old}, not {new})"


def _rerun(results: Results, judged: str, baseline: str | None, minutes: int | None) -> str:
    builds = {build.id: build for build in results.builds}
    wanted = [judged, *([baseline] if baseline else [])]
    if not all(name in builds for name in wanted):
        return ""
    named = [
        shlex.quote(one.home) if one.source == "local" else one.entry
        for one in (builds[name] for name in wanted)
    ]
    lasts = f" --minutes {minutes}" if minutes else ""
    return f"scripts/matrix validate {' --baseline '.join(named)}{lasts}"
