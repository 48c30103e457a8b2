# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do the stored cells of a plain program say: on each build, and of all builds together?"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.evidence.cause import CauseSource
from jdkmatrix.evidence.findings import GENERIC, findings
from jdkmatrix.evidence.places import longest_wait, longest_waits
from jdkmatrix.evidence.program_answer import ProgramAnswer, outcome_by, read_answer, takes_too_long
from jdkmatrix.grading.cell_outcome import CellOutcome
from jdkmatrix.grading.cell_recordings import read_digest, read_hangs
from jdkmatrix.grading.cell_results import attempt_of, cell_result
from jdkmatrix.records.record import BuildRecord, CellRecord, RunRecord
from jdkmatrix.records.request import ProgramRequest
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import CellResult, EvidenceResult
from jdkmatrix.results.programs import ProgramGroup, ProgramRate, ProgramResult, ProgramStretch
from jdkmatrix.texts import command_line
from jdkmatrix.verdict.grade import grade_without_expectation
from jdkmatrix.verdict.program_groups import Likeness, Stretch, form_of, groups_of, stretches
from jdkmatrix.verdict.rates import exact_interval
from jdkmatrix.verdict.suite_differences import SuiteDifference
from jdkmatrix.vocabulary import Outcome
from jdkmatrix.words.cells import while_it_hung
from jdkmatrix.words.programs import line_of_train, sentences_of, telling, too_long_a_search
from jdkmatrix.words.waiting import finding_of, longest_waiting

# Of a group's output that the document carries; the cells' folders have all of it.
_MOST_LINES = 200
_MOST_WAITS = 5


def program_cell(
    attempts: Sequence[CellRecord], folder: RunFolder, run: RunRecord, rulebook: Rulebook
) -> CellResult:
    """The result of a program on one build by all its attempts; if one failed, it did."""
    request, suite = run.request.program, run.request.suite
    assert request and suite
    build = next(build for build in run.builds if build.id == attempts[0].build)
    results = [_attempt_cell(cell, folder, build, request, suite, rulebook) for cell in attempts]
    worst = next((cell for cell in results if cell.outcome is Outcome.REPRODUCED), results[0])
    if len(results) == 1:
        return worst
    pairs = zip(attempts, results, strict=True)
    of_cell = tuple(attempt_of(record, cell, folder) for record, cell in pairs)
    return worst.model_copy(update={"attempts": of_cell})


def _attempt_cell(
    cell: CellRecord,
    folder: RunFolder,
    build: BuildRecord,
    request: ProgramRequest,
    suite: str,
    rulebook: Rulebook,
) -> CellResult:
    home = folder.home_of(cell)
    said_there = read_answer(cell, home, build, rulebook.masks)
    outcome = outcome_by(said_there, request, rulebook.searches)
    hangs = read_hangs(home)
    reason = said_there.lack or telling(said_there.answer)
    if takes_too_long(said_there, request, rulebook.searches):
        reason = too_long_a_search(request)
    if hangs:
        reason = while_it_hung(f"{reason}.", hangs)
    cell_outcome = CellOutcome(outcome, reason)
    attempt_result = cell_result(
        cell, folder, build, cell_outcome, grade_without_expectation(outcome), suite
    )
    text = "\n".join((said_there.answer.ending, *said_there.answer.lines))
    return attempt_result.model_copy(
        update={
            "evidence": _evidence_of(home, rulebook).model_copy(update={"hangs": hangs}),
            **({"rerun": _rerun(build, request)} if request.places else {}),
            "answer_sha256": hashlib.sha256(text.encode(errors="replace")).hexdigest(),
        }
    )


def _evidence_of(home: Path, rulebook: Rulebook) -> EvidenceResult:
    """What its recording shows: a known bug's waiting, else what a rule says, else the longest."""
    recording, error = read_digest(home)
    if recording is None:
        return EvidenceResult(recording_error=error)
    matches = tuple(
        map(finding_of, findings(recording, rulebook.ledger.bugs, rulebook.recording_rules))
    )
    longest = longest_wait(recording)
    sentences = (
        finding.sentence if finding.bug == GENERIC else f"{finding.bug}: {finding.sentence}"
        for finding in matches
    )
    cause = next(sentences, longest_waiting(longest) if longest else "").removesuffix(".")
    return EvidenceResult(
        cause=cause or None,
        cause_from=CauseSource.RECORDING if cause else None,
        findings=matches,
        blocked=longest_waits(recording, _MOST_WAITS),
        timeline=recording.timeline,
    )


def _rerun(build: BuildRecord, request: ProgramRequest) -> str:
    """The command that runs a tried program again on that build."""
    judging = [command_line(*request.judging_options)] if request.judging_options else []
    return " ".join(("scripts/matrix try", build.options, *judging, *request.places))


def program_results(
    run: RunRecord, folder: RunFolder, rulebook: Rulebook
) -> tuple[ProgramResult, ...]:
    """Each program of a run on all builds that have run it so far."""
    tests = dict.fromkeys(cell.test for cell in run.cells)
    return tuple(_ProgramOnBuilds(run, folder, rulebook, test).grouping() for test in tests)


def differences_of(programs: Sequence[ProgramResult]) -> tuple[SuiteDifference, ...]:
    """The programs that do something else on some builds, and what they do on each."""
    return tuple(
        SuiteDifference(
            test=program.test,
            outcomes={build: group.sentence for group in program.groups for build in group.builds},
        )
        for program in programs
        if len(program.groups) > 1
    )


class _ProgramOnBuilds:
    """One program, by what it said on each build of a run."""

    def __init__(self, run: RunRecord, folder: RunFolder, rulebook: Rulebook, test: str) -> None:
        assert run.request.program
        self._request = run.request.program
        self._test = test
        self._searches = rulebook.searches
        in_order = sorted(run.builds, key=lambda build: (build.train, build.jdk_version))
        self._builds = {build.id: build for build in in_order}
        self._answers = {
            cell.build: [
                read_answer(
                    record, folder.home_of(record), self._builds[cell.build], rulebook.masks
                )
                for record in folder.read_attempts(cell)
            ]
            for cell in run.cells
            if cell.test == test
        }

    def grouping(self) -> ProgramResult:
        """The groups of builds, and where they differ."""
        forms = {
            build: form_of([answer.answer for answer in answers if not answer.lack])
            for build, answers in self._of_builds()
            if any(not answer.lack for answer in answers)
        }
        groups = groups_of(forms)
        sentences = sentences_of([group.form for group in groups])
        by_train = {
            train: tuple(stretches(builds, groups)) for train, builds in self._trains().items()
        }
        return ProgramResult(
            test=self._test,
            groups=tuple(map(_group, groups, sentences)),
            stretches=tuple(
                self._stretch(train, stretch)
                for train, of_train in by_train.items()
                for stretch in of_train
            ),
            sentences=tuple(self._sentences(by_train, groups)),
            unable={
                build: answers[0].lack
                for build, answers in self._of_builds()
                if answers and all(answer.lack for answer in answers)
            },
            rates=tuple(self._rates()),
        )

    def _of_builds(self) -> Iterator[tuple[str, list[ProgramAnswer]]]:
        for build in self._builds:
            yield build, self._answers.get(build, [])

    def _trains(self) -> dict[int, list[str]]:
        builds: dict[int, list[str]] = {}
        for build in self._builds.values():
            builds.setdefault(build.train, []).append(build.id)
        return builds

    def _stretch(self, train: int, stretch: Stretch) -> ProgramStretch:
        first, last = (self._builds[build].version for build in (stretch.first, stretch.last))
        return ProgramStretch(
            train=train, group=stretch.letter, first=first, last=last, builds=stretch.builds
        )

    def _sentences(
        self, by_train: Mapping[int, Sequence[Stretch]], groups: Sequence[Likeness]
    ) -> Iterator[str]:
        """A sentence for each release line, on where its own groups differ; those of one group by
        where all groups do.
        """
        versions = {build: record.version for build, record in self._builds.items()}
        overall = _do([*groups])
        for train, of_train in by_train.items():
            letters = {stretch.letter for stretch in of_train}
            if of_train:
                own_sentences = _do([group for group in groups if group.letter in letters])
                does = own_sentences if len(letters) > 1 else overall
                yield line_of_train(train, of_train, versions, does)

    def _rates(self) -> Iterator[ProgramRate]:
        if self._request.times == 1 or not self._request.judges:
            return
        for build, answers in self._of_builds():
            outcomes = [outcome_by(answer, self._request, self._searches) for answer in answers]
            failures = outcomes.count(Outcome.REPRODUCED)
            runs = failures + outcomes.count(Outcome.NOT_REPRODUCED)
            if runs:
                low, high = exact_interval(failures, runs)
                yield ProgramRate(build=build, failures=failures, runs=runs, low=low, high=high)


def _do(groups: Sequence[Likeness]) -> dict[str, str]:
    """What each of these groups does, by its letter, which is added where two do the same there."""
    sentences = sentences_of([group.form for group in groups])
    if len(groups) > 1:
        sentences = [
            f"{sentence} ({group.letter})" if sentences.count(sentence) > 1 else sentence
            for group, sentence in zip(groups, sentences, strict=True)
        ]
    return {group.letter: sentence for group, sentence in zip(groups, sentences, strict=True)}


def _group(group: Likeness, sentence: str) -> ProgramGroup:
    return ProgramGroup(
        group=group.letter,
        builds=group.builds,
        ending=" or ".join(group.form.endings),
        lines=group.form.lines[:_MOST_LINES],
        sentence=sentence,
        varying=group.varying,
        variations=group.variations,
    )
