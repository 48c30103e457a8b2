# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which bugs of the ledger show in a recording of any application, and what could it not show?

Pure: no matrix run is needed, only a digest's recording, the ledger and the rules.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import inf

from pydantic import Field

from jdkmatrix.config import version
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.recording_rules import GenericRule
from jdkmatrix.config.tags import has_change
from jdkmatrix.config.thread_rules import ActivityRule
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.evidence.activities import activity_sentences
from jdkmatrix.evidence.against import RecordingBaseline
from jdkmatrix.evidence.digest import Recording, Setting
from jdkmatrix.evidence.findings import Finding, findings
from jdkmatrix.evidence.longest import LongestWait, StillWaiting, longest_waits, open_waits
from jdkmatrix.evidence.probable import Suspicion, at_once, by_hint, by_rule, may_have
from jdkmatrix.evidence.recording_difference import (
    LEAST_FACTOR,
    LEAST_MS_PER_S,
    WaitChange,
    WaitDifference,
    difference,
)
from jdkmatrix.evidence.unseen import unseen_below_ms, unseen_in_baseline
from jdkmatrix.plan.expectation import expect
from jdkmatrix.records.model import Record
from jdkmatrix.vocabulary import Expectation

# The threshold in jtreg/jfr/blocking.jfc; shorter waits do not tell a fixed build from others.
_KIT_THRESHOLD_MS = 1.0
_MOST_WAITS = 5
_SEEN_BY = {
    "jdk.JavaMonitorEnter": "waits for monitors (JDK 8 and 11 wait for most locks so)",
    "jdk.ThreadPark": "waits for java.util.concurrent locks (JDK 17 and later mostly wait so)",
    "jdk.SocketRead": "reads from the network that a lock's holder sits in",
}
_DUMP = "jdk.ThreadDump"
_SAMPLE = "jdk.ExecutionSample"
_UNFINISHED = "The recording was never closed: what came after its last flush is not in it."
# JEP 491: from this train on, a virtual thread that waits for a monitor leaves its carrier.
_FIRST_UNPINNED_TRAIN = 24
# Releases from before the ledger's first: 7u80, 1.7.0_80, 6; not 1.8.0_504.
_UNLISTED = re.compile(r"(?!1\.8)(?:1\.)?(?P<train>[1-7])(?=u|\.|$)")


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
    is_listed = not _UNLISTED.match(recording.jvm.version or "")
    bugs = ledger.bugs if is_listed else ()
    rule_findings = findings(recording, bugs, rules, reference)
    by_bug = {finding.bug: finding for finding in rule_findings}
    build = _version(recording)
    return Diagnosis(
        file=recording.file,
        version=recording.jvm.version,
        duration_ms=recording.duration_ms,
        threads=recording.threads,
        bugs=tuple(_diagnoses(recording, ledger, build, by_bug)) if is_listed else (),
        bugs_of_ledger=len(ledger.bugs),
        others=tuple(finding for finding in rule_findings if finding.bug not in _ids(ledger)),
        longest=longest_waits(recording, _MOST_WAITS),
        still_waiting=open_waits(recording, _MOST_WAITS),
        hidden=tuple(_all_hidden(recording, build, baseline)),
        changes=_changes(baseline, recording) if baseline else (),
        dumps=recording.hang.dumps if recording.hang else 0,
        shapes=recording.shapes,
        deadlocks=recording.hang.deadlock_sentences if recording.hang else (),
        queues=recording.hang.queue_sentences if recording.hang else (),
        activities=activity_sentences(recording, activity_rules),
    )


def _all_hidden(
    recording: Recording, build: JdkVersion | None, baseline: Recording | None
) -> Iterator[str]:
    """What the recording, or its comparison with the baseline, cannot show."""
    yield from recording.unread
    if old_build := _UNLISTED.match(recording.jvm.version or ""):
        yield f"Which bugs this build has: JDK {old_build['train']} is not in the ledger."
    if recording.source == "sampled":
        yield from _hidden_between_dumps(recording)
    else:
        yield from list_hidden(recording.settings)
    if baseline:
        yield from unseen_in_baseline(baseline.settings, recording.settings)
    yield from _hidden_of_virtual_threads(recording, build)
    if not recording.finished:
        yield _UNFINISHED


def _changes(baseline: Recording, recording: Recording) -> tuple[str, ...]:
    """A sentence for each place whose waiting differs from the baseline's."""
    rows = difference([baseline], [recording])
    return tuple(
        row.sentence()
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


def list_hidden(settings: Mapping[str, Setting]) -> tuple[str, ...]:
    """What a recording with these settings cannot show, in one sentence each."""
    if not settings:
        return ("The recording does not include its settings: what they hid is unknown.",)
    sentences: list[str] = []
    for event, subject in _SEEN_BY.items():
        setting = settings.get(event)
        if setting is None or not setting.enabled:
            sentences.append(f"{event} was off: no {subject} are in it.")
        else:
            sentences += _hidden_by(event, setting, subject)
    if _is_off(settings.get(_DUMP)):
        sentences.append(f"{_DUMP} was off: waits still open at the end are not in it.")
        if _is_off(settings.get(_SAMPLE)):
            sentences.append(f"{_SAMPLE} was off, too: what kept threads busy is not in it.")
    return tuple(sentences)


def _is_off(setting: Setting | None) -> bool:
    return setting is None or not setting.enabled


def _hidden_by(event: str, setting: Setting, subject: str) -> Iterator[str]:
    """What the settings of an event that was on keep out of the recording."""
    if not setting.stack_trace:
        yield f"{event} was recorded without stack traces: its waits cannot be attributed to code."
    if setting.threshold_ms is not None and setting.threshold_ms > _KIT_THRESHOLD_MS:
        limit = f"{setting.threshold_ms:g} ms"
        yield (
            f"{event} was recorded from {limit} on: shorter {subject} are not in it,"
            " however many there were."
        )
    if setting.is_throttled:
        yield f"{event} was throttled to {setting.throttle}: beyond that, {subject} are not in it."


def _hidden_between_dumps(recording: Recording) -> Iterator[str]:
    if recording.hang and recording.hang.dumps == 1:
        yield (
            "How long threads have waited, and what keeps them busy: that takes two dumps,"
            " 10 s apart, by jcmd PID Thread.print -l."
        )
        return
    if recording.duration_ms == 0:
        yield "How long threads have waited: no dump says when it was taken."
    else:
        yield (
            "What threads did between two dumps: one that waits at the same place in both is"
            " assumed to have waited there."
        )
    if recording.hang and recording.stacks and all(g.cpu_share is None for g in recording.stacks):
        yield "Whether a thread spins: dumps of 8, and in JSON, have no CPU times."


def _hidden_of_virtual_threads(recording: Recording, build: JdkVersion | None) -> Iterator[str]:
    """What is not recorded of their waits, as recordings of 21.0.8, 25.0.2 and 26.0.2 show."""
    if recording.virtual_threads.used:
        is_pinned = build is not None and build.train < _FIRST_UNPINNED_TRAIN
        locks = "java.util.concurrent locks" if is_pinned else "locks of any kind"
        but = " Waits for monitors are recorded if the thread had a carrier." if is_pinned else ""
        yield (
            f"The program uses virtual threads ({recording.virtual_threads.shown} show):"
            f" their waits for {locks} are in no event, and in no dump but JSON of 25.{but}"
        )


def _diagnoses(
    recording: Recording,
    ledger: Ledger,
    build: JdkVersion | None,
    findings_by_bug: Mapping[str, Finding],
) -> Iterator[BugDiagnosis]:
    """One for each bug that a recording can show, and for others that a dump makes probable."""
    answers: dict[str, tuple[Finding | None, Suspicion | None]] = {
        bug.id: _by_rule(recording, bug, ledger, build, findings_by_bug.get(bug.id))
        for bug in ledger.bugs
    }
    rules = [bug.evidence for bug in ledger.bugs if bug.evidence and any(answers[bug.id])]
    for bug in ledger.bugs:
        finding, suspicion = answers[bug.id]
        if not finding and not suspicion:
            suspicion = by_hint(recording, bug, build, ledger, rules)
        if bug.evidence or suspicion:
            yield _diagnosis(bug, build, ledger, finding, suspicion)


def _by_rule(
    recording: Recording,
    bug: Bug,
    ledger: Ledger,
    build: JdkVersion | None,
    finding: Finding | None,
) -> tuple[Finding | None, Suspicion | None]:
    """What shows the bug, or else makes it probable; dumps without times do not show any."""
    if finding and recording.source == "sampled" and recording.duration_ms == 0:
        is_possible = may_have(recording, bug, build, ledger)
        return None, at_once(finding.sentence) if is_possible else None
    return finding, None if finding else by_rule(recording, bug, build, ledger)


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


def _ids(ledger: Ledger) -> set[str]:
    return {bug.id for bug in ledger.bugs}


def _version(recording: Recording) -> JdkVersion | None:
    try:
        return version.parse(recording.jvm.version or "")
    except ValueError:
        return None
