# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which bugs of the ledger show in a recording of any application, and what could it not show?

Pure: no matrix run is needed, only a digest's recording, the ledger and the rules.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import inf

from pydantic import Field

from jdkmatrix.config import version
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.recording_rules import ActivityRule, GenericRule
from jdkmatrix.config.tags import has_change
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.evidence.activities import activities
from jdkmatrix.evidence.against import RecordingBaseline
from jdkmatrix.evidence.digest import Recording
from jdkmatrix.evidence.findings import GENERIC, Match, findings
from jdkmatrix.evidence.places import LongestWait, StillWaiting, longest_waits, open_waits
from jdkmatrix.evidence.probable import by_hint, by_rule, may_have
from jdkmatrix.evidence.recording_difference import (
    LEAST_FACTOR,
    LEAST_MS_PER_S,
    WaitChange,
    WaitDifference,
    difference,
)
from jdkmatrix.evidence.unseen import unlisted_train, unseen_below_ms, unseen_of
from jdkmatrix.plan.expectation import expect
from jdkmatrix.records.model import Record
from jdkmatrix.results.finding import Finding, Suspicion
from jdkmatrix.vocabulary import Expectation
from jdkmatrix.words import threads
from jdkmatrix.words.unseen import unseen_sentence
from jdkmatrix.words.waiting import finding_of, wait_change

_MOST_WAITS = 5


class BugDiagnosis(Record):
    """One bug of the ledger: does it show, and is the build known to have it?

    `introduced_in` and `first_fix` are the first build tags of the recording's train with the bug
    and with its fix, `first_fixes` those of all trains with one; `lacking` is what the
    build lacks, by its version. `finding` is None if the bug does not show, and `suspicion` if it
    is not probable either. A bug without a rule for recordings has no bound.
    """

    bug: str
    title: str
    symptom: str | None = None
    expectation: Expectation
    introduced_in: str | None = None
    first_fix: str | None
    first_fixes: tuple[str, ...] = Field(default=(), alias="fixed")
    workaround: str | None = None
    lacking: str | None = None
    bound_ms: int | None
    bound_source: str | None
    finding: Finding | None
    suspicion: Suspicion | None = None


class Diagnosis(Record):
    """What one recording says about ended waits and those still open when it ended.

    `bugs` are those that a recording can show, out of `bugs_of_ledger` in the ledger. `hidden` are
    sentences on what its settings, and the baseline's, left out; `changes` are sentences on the
    places whose waiting appeared, grew, shrank or went since the baseline. For thread dumps,
    `dumps` is how many there were, `shapes` in which shapes they came that are not HotSpot's own,
    and `deadlocks` and `queues` are sentences on what stood still from the first to the last.
    `activities` are sentences on what the threads do, the longest and largest first.
    """

    file: str
    version: str | None
    duration_ms: float
    threads: int
    bugs: tuple[BugDiagnosis, ...]
    bugs_of_ledger: int
    others: tuple[Finding, ...]
    longest: tuple[LongestWait, ...]
    still_waiting: tuple[StillWaiting, ...]
    hidden: tuple[str, ...]
    changes: tuple[str, ...] = ()
    dumps: int = 0
    shapes: tuple[str, ...] = ()
    deadlocks: tuple[str, ...] = ()
    queues: tuple[str, ...] = ()
    activities: tuple[str, ...] = ()
    error: None = None

    @property
    def shows(self) -> bool:
        """Whether it shows a bug of the ledger, or makes one probable; or shows a deadlock, or
        waiting that the baseline lacks.
        """
        return (
            bool(self.deadlocks)
            or any(bug.finding or bug.suspicion for bug in self.bugs)
            or any(finding.baseline_ms is not None for finding in self.others)
        )


def diagnose(
    recording: Recording,
    ledger: Ledger,
    rules: Sequence[GenericRule],
    baseline: Recording | None = None,
    activity_rules: Sequence[ActivityRule] = (),
) -> Diagnosis:
    """Diagnose one recording. Bugs without a rule are left out: no recording can show them."""
    reference = RecordingBaseline.baseline(baseline) if baseline else None
    # No rule of a bug holds for a release that the ledger does not know.
    is_listed = unlisted_train(recording) is None
    bugs = ledger.bugs if is_listed else ()
    matches = findings(recording, bugs, rules, reference)
    by_bug = {match.bug: match for match in matches}
    build, hang = _version(recording), recording.hang
    return Diagnosis(
        file=recording.file,
        version=recording.jvm.version,
        duration_ms=recording.duration_ms,
        threads=recording.threads,
        bugs=tuple(_diagnoses(recording, ledger, build, by_bug)) if is_listed else (),
        bugs_of_ledger=len(ledger.bugs),
        others=tuple(finding_of(match) for match in matches if match.bug == GENERIC),
        longest=longest_waits(recording, _MOST_WAITS),
        still_waiting=open_waits(recording, _MOST_WAITS),
        hidden=(
            *recording.unread,
            *map(unseen_sentence, unseen_of(recording, build, baseline)),
        ),
        changes=_changes(baseline, recording) if baseline else (),
        dumps=hang.dumps if hang else 0,
        shapes=recording.shapes,
        deadlocks=threads.deadlock_sentences(hang) if hang else (),
        queues=threads.queue_sentences(hang) if hang else (),
        activities=threads.activity_sentences(*activities(recording, activity_rules)),
    )


def _changes(baseline: Recording, recording: Recording) -> tuple[str, ...]:
    """A sentence for each place whose waiting differs from the baseline's."""
    rows = difference([baseline], [recording])
    return tuple(
        wait_change(row)
        for row in rows
        if row.change is not WaitChange.SAME and _is_shown(row, baseline, recording)
    )


def _is_shown(row: WaitDifference, baseline: Recording, recording: Recording) -> bool:
    """Whether it is a change even without waits that the side with less could not show."""
    if row.change in (WaitChange.APPEARED, WaitChange.GREW):
        larger, smaller, smaller_recording, larger_recording = row.new, row.old, baseline, recording
    else:
        larger, smaller, smaller_recording, larger_recording = row.old, row.new, recording, baseline
    below_ms = max(
        unseen_below_ms(kind, smaller_recording.settings, larger_recording.settings)
        for kind in larger.kinds
    )
    if below_ms == inf:
        return False
    shown_ms_per_s = larger.ms_per_s - larger.waits_per_s * below_ms
    return shown_ms_per_s >= max(LEAST_MS_PER_S, LEAST_FACTOR * smaller.ms_per_s)


def _diagnoses(
    recording: Recording,
    ledger: Ledger,
    build: JdkVersion | None,
    matches: Mapping[str, Match],
) -> Iterator[BugDiagnosis]:
    """One for each bug that a recording can show, and for others that a dump makes probable."""
    answers: dict[str, tuple[Finding | None, Suspicion | None]] = {
        bug.id: _by_rule(recording, bug, ledger, build, matches.get(bug.id)) for bug in ledger.bugs
    }
    rules = [bug.evidence for bug in ledger.bugs if bug.evidence and any(answers[bug.id])]
    for bug in ledger.bugs:
        finding, suspicion = answers[bug.id]
        if not finding and not suspicion:
            sign = by_hint(recording, bug, build, ledger, rules)
            suspicion = threads.suspicion_of(sign) if sign else None
        if bug.evidence or suspicion:
            yield _diagnosis(bug, build, ledger, finding, suspicion)


def _by_rule(
    recording: Recording,
    bug: Bug,
    ledger: Ledger,
    build: JdkVersion | None,
    match: Match | None,
) -> tuple[Finding | None, Suspicion | None]:
    """What shows the bug, or else makes it probable; dumps without times do not show any."""
    if match is None:
        sign = by_rule(recording, bug, build, ledger)
        return None, threads.suspicion_of(sign) if sign else None
    if recording.source == "sampled" and recording.duration_ms == 0:
        is_possible = may_have(recording, bug, build, ledger)
        return None, threads.suspicion_at_once(finding_of(match)) if is_possible else None
    return finding_of(match), None


def _diagnosis(
    bug: Bug,
    build: JdkVersion | None,
    ledger: Ledger,
    finding: Finding | None,
    suspicion: Suspicion | None,
) -> BugDiagnosis:
    rule = bug.evidence
    tag = bug.fixed.get(build.train) if build else None
    origin = bug.introduced.get(build.train) if build and bug.introduced else None
    return BugDiagnosis(
        bug=bug.id,
        title=bug.title,
        symptom=bug.symptom,
        expectation=expect(bug, build, ledger) if build else Expectation.UNKNOWN,
        introduced_in=str(origin) if origin else None,
        first_fix=str(tag) if tag else None,
        fixed=tuple(str(bug.fixed[train]) for train in sorted(bug.fixed)),
        workaround=bug.workaround,
        lacking=_lacking(bug, build, ledger) if build else None,
        bound_ms=rule.bound_ms if rule else None,
        bound_source=" ".join(rule.bound_source.split()) if rule else None,
        finding=finding,
        suspicion=suspicion,
    )


def _lacking(bug: Bug, build: JdkVersion, ledger: Ledger) -> str | None:
    """The condition that the build's version does not meet."""
    for condition in ledger.conditions_of(bug):
        if condition.since and has_change(build, condition.since) is False:
            return condition.title
    return None


def _version(recording: Recording) -> JdkVersion | None:
    try:
        return version.parse(recording.jvm.version or "")
    except ValueError:
        return None
