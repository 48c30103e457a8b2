# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which bugs does a version have, and what does an update fix, leave, bring and change? Pure.

Answered from the ledger, the known changes and the versions alone; `report/console/bug_list.py` has
the words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from jdkmatrix.config.known_changes import KnownChange
from jdkmatrix.config.ledger import Bug, Ledger, LeftOut, id_in
from jdkmatrix.config.tags import TagsByTrain
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import UsageError, suggest
from jdkmatrix.plan.expectation import expect_whole
from jdkmatrix.results.bug_search import (
    find_bugs,
    has_trace,
    is_trace,
    scores_by_words,
    word_weights,
)
from jdkmatrix.texts import document_text
from jdkmatrix.vocabulary import Expectation, Severity

# Of `bugs --json`. Schema 1 said `on` and `to` for what is now `version`, `update`, `expectation`.
BUGS_SCHEMA = 2


class Effect(StrEnum):
    """What a version, or an update, has of a bug."""

    FIXES = "fixes"
    BRINGS = "brings"
    STAYS = "stays"
    UNKNOWN = "unknown"
    HITS = "hits"
    ABSENT = "absent"


@dataclass(frozen=True)
class Question:
    """What is asked: `words` may be an id, an exception, a stack or words."""

    words: str = ""
    version: JdkVersion | None = None
    update: JdkVersion | None = None
    area: str | None = None


@dataclass(frozen=True)
class BugFinding:
    """A bug, and what the version or the update has of it; None if no version is asked for."""

    bug: Bug
    effect: Effect | None
    of_version: Expectation | None = None
    of_update: Expectation | None = None


@dataclass(frozen=True)
class ChangeFinding:
    """A change by the update; not `is_sure`: the tags leave it open whether it lies between.

    Without an update, it is a change that was asked for, and `of_version` says whether the version
    has it; None if the tags leave it open.
    """

    change: KnownChange
    is_sure: bool = True
    of_version: bool | None = None


@dataclass(frozen=True)
class BugsAnswer:
    """The answer. Bugs come the worst first, or the likeliest if words were given."""

    question: Question
    ledger_bugs: int
    bugs: tuple[BugFinding, ...]
    changes: tuple[ChangeFinding, ...]
    left_out: tuple[LeftOut, ...]
    newest_with_data: JdkVersion | None

    def with_effect(self, effect: Effect) -> tuple[BugFinding, ...]:
        """The bugs with that effect."""
        return tuple(finding for finding in self.bugs if finding.effect is effect)

    def to_json(self) -> str:
        """The document of `bugs --json`."""
        from jdkmatrix.results.bugs_document import ChangeEntry, LeftOutEntry  # a text needs none

        return document_text(
            BUGS_SCHEMA,
            version=_text(self.question.version),
            update=_text(self.question.update),
            words=self.question.words,
            area=self.question.area,
            newest_with_data=_text(self.newest_with_data),
            bugs=[_bug_json(finding, self.question) for finding in self.bugs],
            changes=[
                ChangeEntry.from_change(finding.change, is_sure=finding.is_sure).model_dump(
                    by_alias=True
                )
                for finding in self.changes
            ],
            left_out=[
                LeftOutEntry.model_validate(bug, from_attributes=True).model_dump()
                for bug in self.left_out
            ],
        )


def answer(question: Question, ledger: Ledger, changes: Sequence[KnownChange]) -> BugsAnswer:
    """The answer to a question. Raises UsageError for an area or versions that fit nothing."""
    check_question(question, ledger)
    bugs, meant_changes, left_out = _find_meant(question, ledger, changes)
    findings = [_finding(bug, question, ledger) for bug in bugs]
    if question.version:
        findings = [finding for finding in findings if finding.effect is not Effect.ABSENT]
    if not question.words:
        findings.sort(key=lambda finding: _worst_first(finding.bug))
    return BugsAnswer(
        question=question,
        ledger_bugs=len(ledger.bugs),
        bugs=tuple(findings),
        changes=_changes(question, meant_changes),
        left_out=left_out,
        newest_with_data=_newest_with_data(question, ledger, changes),
    )


def check_question(question: Question, ledger: Ledger) -> None:
    """Raises UsageError for versions of two lines, in the wrong order, and for an unknown area."""
    areas = sorted({area for bug in ledger.bugs for area in bug.areas})
    if question.area and question.area not in areas:
        raise UsageError(f"--area {question.area}: no such area; {suggest(question.area, areas)}")
    older, newer = question.version, question.update
    if newer is not None and older is None:
        raise UsageError(f"--to {newer}: accepted with it: --on VERSION, or --jdk PATH")
    for option, version in (("--on", older), ("--to", newer)):
        if version is not None and version.train < _OLDEST_TRAIN:
            raise UsageError(f"{option} {version}: the ledger begins with {_OLDEST_TRAIN}")
    if older is None or newer is None:
        return
    if older.train != newer.train:
        counts = [
            f"{version.release} has {_count_affected(ledger, version)}"
            for version in (older, newer)
        ]
        raise UsageError(
            f"--to {newer}: of another release line than {older}; of {len(ledger.bugs)} bugs "
            f"{' and '.join(counts)}; use an update of {older.train}, or ask for each alone"
        )
    if newer < older:
        raise UsageError(f"--to {newer}: older than {older}; use --on {newer} --to {older}")
    if newer == older:
        raise UsageError(f"--to {newer}: is --on itself; accepted: an update of it")


_OLDEST_TRAIN = 8


def _count_affected(ledger: Ledger, version: JdkVersion) -> int:
    return [expect_whole(bug, version, ledger) for bug in ledger.bugs].count(Expectation.AFFECTED)


def _find_meant(
    question: Question, ledger: Ledger, changes: Sequence[KnownChange]
) -> tuple[tuple[Bug, ...], tuple[KnownChange, ...], tuple[LeftOut, ...]]:
    """The bugs, changes and bugs left out that the words mean; without words all, none left out."""
    bugs = tuple(bug for bug in ledger.bugs if question.area is None or question.area in bug.areas)
    of_bugs = tuple(change for change in changes if change.is_excuse)
    if not question.words:
        return bugs, of_bugs, ()
    bug_id = id_in(question.words)
    if bug_id:
        return (
            tuple(bug for bug in bugs if bug.id == bug_id),
            tuple(change for change in of_bugs if change.bug == bug_id),
            tuple(bug for bug in ledger.left_out if bug.id == bug_id),
        )
    found_bugs = find_bugs(question.words, bugs)
    if is_trace(question.words):
        without_test = (bug for bug in ledger.left_out if has_trace(question.words, bug.traces))
        return found_bugs, (), tuple(without_test)
    texts = {change.bug or "": word_weights(_change_texts(change)) for change in of_bugs}
    changes_meant = scores_by_words(question.words, texts)
    titles = {
        bug.title: word_weights([(text, 1.0) for text in (bug.title, *bug.traces)])
        for bug in ledger.left_out
    }
    left_out_meant = scores_by_words(question.words, titles)
    return (
        found_bugs,
        tuple(change for change in of_bugs if change.bug in changes_meant),
        tuple(bug for bug in ledger.left_out if bug.title in left_out_meant),
    )


def _change_texts(change: KnownChange) -> list[tuple[str, float]]:
    texts = [(change.title, 2.0), (change.restore or "", 1.0)]
    return texts + [(f"{part.aspect} {part.item}", 1.0) for part in change.changes]


def _worst_first(bug: Bug) -> int:
    severities = list(Severity)
    return severities.index(bug.severity) if bug.severity else len(severities)


def _finding(bug: Bug, question: Question, ledger: Ledger) -> BugFinding:
    if question.version is None:
        return BugFinding(bug, None)
    of_version = expect_whole(bug, question.version, ledger)
    if question.update is None:
        return BugFinding(bug, _EFFECT_ON.get(of_version, Effect.ABSENT), of_version)
    of_update = expect_whole(bug, question.update, ledger)
    return BugFinding(bug, _effect_of_update(of_version, of_update), of_version, of_update)


_EFFECT_ON = {Expectation.AFFECTED: Effect.HITS, Expectation.UNKNOWN: Effect.UNKNOWN}


def _effect_of_update(older: Expectation, newer: Expectation) -> Effect:
    if Expectation.UNKNOWN in (older, newer):
        return Effect.UNKNOWN
    match older is Expectation.AFFECTED, newer is Expectation.AFFECTED:
        case True, True:
            return Effect.STAYS
        case True, False:
            return Effect.FIXES
        case False, True:
            return Effect.BRINGS
    return Effect.ABSENT


def _changes(question: Question, changes: Iterable[KnownChange]) -> tuple[ChangeFinding, ...]:
    """The changes that the update brings, and those that it may bring; with words and no versions,
    those that are meant.
    """
    older, newer = question.version, question.update
    if newer is None or older is None:
        return tuple(
            ChangeFinding(change, of_version=change.is_in(older) if older else None)
            for change in changes
            if question.words
        )
    findings = []
    for change in changes:
        is_in_older, is_in_newer = change.is_in(older), change.is_in(newer)
        if is_in_older is not True and is_in_newer is not False:
            findings.append(ChangeFinding(change, (is_in_older, is_in_newer) == (False, True)))
    return tuple(findings)


def _newest_with_data(
    question: Question, ledger: Ledger, changes: Sequence[KnownChange]
) -> JdkVersion | None:
    """The newest version of the line that any tag names, or of all if none does, if a newer release
    is asked for.
    """
    asked_version = question.update or question.version
    if asked_version is None:
        return None
    all_tags: list[TagsByTrain | None] = [change.since for change in changes]
    all_tags += [tags for bug in ledger.bugs for tags in (bug.fixed, bug.introduced)]
    all_tags += [condition.since for condition in ledger.conditions]
    versions = [tag.present_in for tags in all_tags if tags for tag in tags.values()]
    of_train = [version for version in versions if version.train == asked_version.train]
    newest = max(of_train or versions)
    return newest if asked_version.numbers > newest.numbers else None


def _text(version: JdkVersion | None) -> str | None:
    return None if version is None else str(version)


def _bug_json(finding: BugFinding, question: Question) -> dict[str, Any]:
    from jdkmatrix.results.bugs_document import BugEntry

    entry = BugEntry.model_validate(finding.bug, from_attributes=True)
    content = entry.model_dump(by_alias=True)
    if question.version:
        tag = finding.bug.fixed.get(question.version.train)
        content |= {
            "effect": finding.effect,
            "expectation": finding.of_version,
            "expectation_of_update": finding.of_update,
            "first_fix": None if tag is None else str(tag),
        }
    return content
