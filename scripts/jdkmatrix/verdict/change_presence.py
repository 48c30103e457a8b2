# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Has a JDK a known change? By what it does, not by its version. Pure.

A single build shows no change, only a state: each pattern of the change says how it looks before
and after. Where a state is neither, or both at once, that pattern says nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from jdkmatrix.config.known_changes import ChangePattern, Kind, KnownChange, RowPattern

_MOST_ITEMS, _MOST_ROWS = 5, 2


@dataclass(frozen=True)
class ChangeSign:
    """What one pattern looked at, what was seen, and whether that is the state after the change;
    None if it is not to be told.
    """

    subject: str
    state: str
    is_changed: bool | None


def signs_in_defaults(
    change: KnownChange, aspects: Mapping[str, Mapping[str, str]]
) -> tuple[ChangeSign, ...]:
    """A sign for each pattern of the change; `aspects` are those of a Defaults."""
    return tuple(_sign_in_defaults(pattern, aspects) for pattern in change.changes)


def signs_in_rows(change: KnownChange, texts: Mapping[str, str]) -> tuple[ChangeSign, ...]:
    """A sign for each pattern of rows; `texts` are those of the build's rows that it has."""
    return tuple(_sign_in_rows(pattern, texts) for pattern in change.behaviour)


def is_changed(signs: Iterable[ChangeSign]) -> bool | None:
    """Whether the build has the change: None if no sign tells, or signs contradict each other."""
    answers = {sign.is_changed for sign in signs} - {None}
    return answers.pop() if len(answers) == 1 else None


def _sign_in_defaults(
    pattern: ChangePattern, aspects: Mapping[str, Mapping[str, str]]
) -> ChangeSign:
    subject = f"{pattern.aspect}: {pattern.item}"
    fit_aspects = [aspects[name] for name in aspects if fnmatchcase(name, pattern.aspect)]
    if not fit_aspects or pattern.kind is Kind.REORDERED:
        return ChangeSign(subject, "not to be seen in one build", None)
    texts = {
        name: text
        for settings in fit_aspects
        for name, text in settings.items()
        if fnmatchcase(name, pattern.item)
    }
    is_older = any(fnmatchcase(text, pattern.older or "*") for text in texts.values())
    is_newer = any(fnmatchcase(text, pattern.newer or "*") for text in texts.values())
    state = _join([f"{name} = {text}" if text else name for name, text in texts.items()])
    if pattern.kind is Kind.ADDED:
        return ChangeSign(subject, state, is_newer)
    if pattern.kind is Kind.REMOVED:
        return ChangeSign(subject, state, not is_older)
    return ChangeSign(subject, state, is_newer if is_older != is_newer else None)


def _sign_in_rows(pattern: RowPattern, texts: Mapping[str, str]) -> ChangeSign:
    subject = ", ".join(pattern.rows)
    rows = {
        row: text
        for row, text in texts.items()
        if any(fnmatchcase(row, glob) for glob in pattern.rows)
    }
    if not rows:
        return ChangeSign(subject, "no such row on this build", None)
    newer_rows, older_rows = _fitting(rows, pattern.newer), _fitting(rows, pattern.older)
    shown_rows = newer_rows or older_rows or rows
    state = _join([f"{row}: {text}" for row, text in shown_rows.items()], _MOST_ROWS)
    if newer_rows and older_rows:
        return ChangeSign(subject, state, None)
    if newer_rows or older_rows:
        return ChangeSign(subject, state, bool(newer_rows))
    # Rows that show neither text: told apart by the one that is given.
    if "*" in (pattern.newer, pattern.older):
        return ChangeSign(subject, state, pattern.newer == "*")
    return ChangeSign(subject, state, None)


def _fitting(rows: Mapping[str, str], pattern: str) -> dict[str, str]:
    """The rows whose text fits; none for `*`, which says nothing."""
    if pattern == "*":
        return {}
    return {row: text for row, text in rows.items() if fnmatchcase(text, pattern)}


def _join(names: list[str], limit: int = _MOST_ITEMS) -> str:
    rest = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + rest if names else "none"
