# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do the reports describe what an update changed in a JDK's defaults?"""

from collections.abc import Iterator, Sequence

from jdkmatrix.config.known_changes import DefaultChange, Kind
from jdkmatrix.texts import count_of
from jdkmatrix.verdict.defaults_difference import DefaultsDifference

_SIGNS = {Kind.ADDED: "+", Kind.REMOVED: "-", Kind.CHANGED: "~", Kind.REORDERED: "~"}
_MOST_NAMED = 5
_HARMLESS = "unexplained, and not what connections agree on"
# Characters of a SHA-256, enough to find the root by.
_HASH_SHOWN = 16


def difference_lines(difference: DefaultsDifference) -> Iterator[str]:
    """All changes, one per line, grouped under what explains them."""
    for explanation in difference.explained:
        yield f"{explanation.bug or 'builds'}: {explanation.title}"
        yield from (f"  {change_line(change)}" for change in explanation.changes)
    if difference.weaknesses:
        yield "weaker: nothing can explain it"
        yield from (f"  {change_line(change)}" for change in difference.weaknesses)
    strange, harmless = _split_unexplained(difference)
    if strange:
        yield "unexplained: no entry of test/changes.yaml fits"
        yield from (f"  {change_line(change)}" for change in strange)
    if harmless:
        yield f"{_HARMLESS}: no entry of test/changes.yaml fits"
        yield from (f"  {change_line(change)}" for change in harmless)
    for aspect, reason in difference.not_compared.items():
        yield f"not compared: {aspect}: {reason}"


def difference_headline(difference: DefaultsDifference) -> str:
    """`79 defaults changed, 2 of them for no known reason`."""
    count = sum(len(explanation.changes) for explanation in difference.explained)
    unknown = len(difference.unexplained)
    if not count + unknown:
        return "no default changed"
    reasons = f"{unknown or 'none'} of them for no known reason"
    if not count:
        reasons = "for no known reason"
    return f"{count_of(count + unknown, 'default')} changed, {reasons}"


def difference_sentence(difference: DefaultsDifference) -> str:
    """A validation's sentence: the surprises, then the counts and the bugs that explain changes."""
    headline = difference_headline(difference)
    bugs = [explanation.bug for explanation in difference.explained if explanation.bug]
    if bugs:
        headline += f" (explained by {', '.join(bugs)})"
    strange, harmless = _split_unexplained(difference)
    parts = [
        *_list_lines("weaker", difference.weaknesses),
        *_list_lines("for no known reason", strange),
        headline,
        *_list_lines(_HARMLESS, harmless),
    ]
    return "; ".join(parts)


def _split_unexplained(
    difference: DefaultsDifference,
) -> tuple[list[DefaultChange], list[DefaultChange]]:
    """What speaks against an update without weakening it, and what does not."""
    surprises = difference.surprises
    strange = [change for change in surprises if change not in difference.weaknesses]
    return strange, [change for change in difference.unexplained if change not in surprises]


def _list_lines(name: str, changes: Sequence[DefaultChange]) -> Iterator[str]:
    """`weaker: - root CN=x; + provider y and 3 more`, or nothing."""
    if changes:
        yield f"{name}: {_first_lines(changes)}"


def _first_lines(changes: Sequence[DefaultChange]) -> str:
    lines = "; ".join(change_line(change) for change in changes[:_MOST_NAMED])
    surplus = len(changes) - _MOST_NAMED
    return f"{lines} and {surplus} more" if surplus > 0 else lines


def change_line(change: DefaultChange) -> str:
    """`- client-cipher-suite TLS_RSA_WITH_AES_128_GCM_SHA256`; a root by its name."""
    if change.aspect == "root":
        subject = change.before or change.after
        return f"{_SIGNS[change.kind]} root {subject}, SHA-256 {change.item[:_HASH_SHOWN]}"
    text = f"{_SIGNS[change.kind]} {change.aspect} {change.item}"
    if change.kind is Kind.CHANGED:
        return f"{text}: {change.before} -> {change.after}"
    if change.kind is Kind.REORDERED:
        return f"{_SIGNS[change.kind]} {change.aspect}, in another order: {change.after}"
    setting = change.before or change.after
    is_of_module = change.aspect == "provider"
    return f"{text} = {setting}" if setting and not is_of_module else text
