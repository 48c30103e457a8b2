# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is the answer on known bugs told, as text and in Markdown? `results/known_bugs.py` has it."""

from collections.abc import Iterable
from dataclasses import dataclass

from jdkmatrix.config.ledger import Bug, LeftOut, jbs_page
from jdkmatrix.config.tags import has_change
from jdkmatrix.results.known_bugs import (
    BugFinding,
    BugsAnswer,
    ChangeFinding,
    Effect,
    Question,
)
from jdkmatrix.texts import count_of
from jdkmatrix.words.first_tags import between_text, short_text

_BEFORE_TEXT = "  "


@dataclass(frozen=True)
class _Row:
    """A bug or change: its id, a few words on it, a sentence, and what can be done."""

    id: str
    marks: tuple[str, ...]
    sentence: str
    remedy: str | None = None


@dataclass(frozen=True)
class _Section:
    heading: str
    rows: tuple[_Row, ...]


def bug_list(answer: BugsAnswer) -> str:
    """The answer as text: a heading, then a line for each bug, and one for what can be done."""
    lines = [headline(answer), *_notes(answer)]
    for section in _sections(answer):
        lines += ["", section.heading] if section.heading else []
        columns = zip(*(row.marks for row in section.rows), strict=True)
        widths = [max(map(len, column)) for column in columns]
        for row in section.rows:
            marks = (mark.ljust(width) for mark, width in zip(row.marks, widths, strict=True))
            lines.append(_BEFORE_TEXT.join((f"  {row.id}", *marks, row.sentence)).rstrip())
            lines += [f"      {row.remedy}"] if row.remedy else []
    return "\n".join(lines)


def bug_list_markdown(answer: BugsAnswer) -> str:
    """The answer as Markdown: a table for each part."""
    from jdkmatrix.templating import markdown  # the text needs no templates

    lines = [f"**{markdown(headline(answer))}**", *(f"\n{markdown(n)}" for n in _notes(answer))]
    for section in _sections(answer):
        lines += ["", f"### {markdown(section.heading)}"] if section.heading else []
        lines += ["", "| id | | |", "| --- | --- | --- |"]
        for row in section.rows:
            page = jbs_page(row.id)
            link = f"[{row.id}]({page})" if page else row.id
            marks = ", ".join(mark for mark in row.marks if mark)
            texts = ". ".join(text for text in (row.sentence, row.remedy) if text)
            lines.append(f"| {link} | {markdown(marks)} | {markdown(texts)} |")
    return "\n".join(lines) + "\n"


def headline(answer: BugsAnswer) -> str:
    """The answer in a sentence."""
    question = answer.question
    total = f"{answer.ledger_bugs} known bugs"
    if question.words and not (answer.bugs or answer.changes or answer.left_out):
        return f"No bug of the ledger is known by that{_on_text(question)}."
    counts = {effect: len(answer.with_effect(effect)) for effect in Effect}
    unknown = f", {counts[Effect.UNKNOWN]} unknown" if counts[Effect.UNKNOWN] else ""
    if question.update:
        return (
            f"{question.version} to {question.update} fixes {counts[Effect.FIXES]} of {total}, "
            f"brings {counts[Effect.BRINGS]}, leaves {counts[Effect.STAYS]}{unknown}; "
            f"{count_of(len(answer.changes), 'known change')}."
        )
    if question.version:
        return f"{question.version} has {counts[Effect.HITS]} of {total}{unknown}."
    return f"{len(answer.bugs)} of {total}."


def _on_text(question: Question) -> str:
    return f" on {question.version}" if question.version else ""


def _notes(answer: BugsAnswer) -> list[str]:
    version = answer.question.update or answer.question.version
    newest = answer.newest_with_data
    notes = []
    if version and version.build is None and not any(version.numbers[1:]) and not version.pre:
        notes.append(
            f"Note: {version.train} is taken as the first release of its line; an update is "
            "written as 17.0.21 or 8u504."
        )
    if version and newest:
        line = version.train if newest.train == version.train else "release"
        notes.append(
            f"Note: {newest.release} is the newest {line} that the ledger has data of: what came "
            f"in a later one, up to {version.release}, is not in this answer."
        )
    return notes


def _sections(answer: BugsAnswer) -> list[_Section]:
    question = answer.question
    sections = []
    for effect, heading in _HEADINGS.items():
        findings = answer.with_effect(effect)
        sections.append(_Section(heading, tuple(_row(f, question) for f in findings)))
    plain_findings = [finding for finding in answer.bugs if finding.effect is None]
    sections.append(_Section("", tuple(_listed_row(finding.bug) for finding in plain_findings)))
    sure_changes = [finding for finding in answer.changes if finding.is_sure]
    unsure_changes = [finding for finding in answer.changes if not finding.is_sure]
    rows = tuple(_change_row(finding, question) for finding in sure_changes)
    sections.append(_Section("Changes", rows))
    heading = "Changes, perhaps: the update is where nobody has looked"
    rows = tuple(_change_row(finding, question) for finding in unsure_changes)
    sections.append(_Section(heading, rows))
    sections.append(_Section("Left out of the ledger", tuple(map(_left_out_row, answer.left_out))))
    return [section for section in sections if section.rows]


_HEADINGS = {
    Effect.BRINGS: "Brings",
    Effect.FIXES: "Fixes",
    Effect.STAYS: "Stays",
    Effect.HITS: "",
    Effect.UNKNOWN: "Unknown",
}


def _row(finding: BugFinding, question: Question) -> _Row:
    bug, version = finding.bug, question.update or question.version
    assert version is not None
    unknown = finding.effect is Effect.UNKNOWN
    fix = _unknown_text(finding, question) if unknown else _fix_text(bug, version.train)
    remedy = None if finding.effect is Effect.FIXES else _remedy(bug)
    return _Row(bug.id, (str(bug.severity or ""), fix), bug.symptom or bug.title, remedy)


def _listed_row(bug: Bug) -> _Row:
    fixes = ", ".join(short_text(tag) for tag in bug.fixed.values()) or "not fixed"
    sentence = f"{bug.title}. {bug.symptom}" if bug.symptom else bug.title
    return _Row(bug.id, (str(bug.severity or ""),), f"{sentence}. Fixed in: {fixes}")


def _remedy(bug: Bug) -> str | None:
    if bug.workaround is None:
        failure = bug.workaround_tried
        return f"workaround: none known; tried in vain: {failure}" if failure else None
    run_text = f" (seen: {bug.workaround_seen})" if bug.workaround_seen else ""
    return f"workaround: {bug.workaround}{run_text}"


def _fix_text(bug: Bug, train: int) -> str:
    """Where the fix is, in that release line if it has one."""
    tag = bug.fixed.get(train)
    if tag is not None:
        return f"fixed {between_text(tag)}"
    later_trains = [later for later in sorted(bug.fixed) if later > train]
    if not later_trains:
        return "not fixed"
    return f"not fixed in {train}; in {short_text(bug.fixed[later_trains[0]])}"


def _unknown_text(finding: BugFinding, question: Question) -> str:
    """What the tags leave open of the first version of the two that is unknown."""
    versions = [version for version in (question.version, question.update) if version]
    for tags, verb in ((finding.bug.introduced or {}, "came"), (finding.bug.fixed, "fixed")):
        for version in versions:
            if has_change(version, tags) is None:
                return f"{verb} {between_text(tags[version.train])}"
    return "needs what nobody has looked for there"


_HAS_CHANGE = {True: "has it", False: "has it not", None: "unknown"}


def _change_row(finding: ChangeFinding, question: Question) -> _Row:
    change = finding.change
    if question.version is None:
        mark = "since " + ", ".join(map(short_text, change.since.values()))
    elif question.update is None:
        mark = f"{question.version} {_HAS_CHANGE[finding.of_version]}"
    else:
        mark = f"since {short_text(change.since[question.version.train])}"
    aspects: Iterable[str] = dict.fromkeys(part.aspect for part in change.changes)
    parts = [
        f"{aspect}: {', '.join(part.item for part in change.changes if part.aspect == aspect)}"
        for aspect in aspects
    ]
    sentence = f"{change.title} ({'; '.join(parts)})" if parts else change.title
    remedy = f"to get it back: {change.restore}" if change.restore else None
    return _Row(change.bug or "", (mark,), sentence, remedy)


def _left_out_row(bug: LeftOut) -> _Row:
    return _Row(bug.id, (), f"{bug.title}: {bug.reason}")
