# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do the reports describe what an update changed in a JDK's defaults?"""

from collections.abc import Iterator

from jdkmatrix.texts import count_of
from jdkmatrix.verdict.defaults_difference import DefaultChange, DefaultsDifference, Kind

_SIGNS = {Kind.ADDED: "+", Kind.REMOVED: "-", Kind.CHANGED: "~", Kind.REORDERED: "~"}
_MOST_NAMED = 5


def difference_lines(found: DefaultsDifference) -> Iterator[str]:
    """All changes, one per line, grouped under what explains them."""
    for one in found.explained:
        yield f"{one.bug or 'vendors'}: {one.title}"
        yield from (f"  {change_line(change)}" for change in one.changes)
    if found.unexplained:
        yield "unexplained: no entry of test/changes.yaml fits"
        yield from (f"  {change_line(change)}" for change in found.unexplained)
    for aspect, why in found.not_compared.items():
        yield f"not compared: {aspect}: {why}"


def difference_headline(found: DefaultsDifference) -> str:
    """`79 changes explained, 2 unexplained`."""
    explained = sum(len(one.changes) for one in found.explained)
    return f"{count_of(explained, 'change')} explained, {len(found.unexplained)} unexplained"


def difference_sentence(found: DefaultsDifference) -> str:
    """A validation's sentence: the surprises, then the counts and the bugs that explain changes."""
    told = difference_headline(found)
    bugs = [one.bug for one in found.explained if one.bug]
    if bugs:
        told += f" (explained by {', '.join(bugs)})"
    if not found.surprises:
        rest = " of what connections agree on" if found.unexplained else ""
        return f"{told}; nothing{rest} without an explanation"
    named = "; ".join(change_line(change) for change in found.surprises[:_MOST_NAMED])
    more = len(found.surprises) - _MOST_NAMED
    return f"unexplained: {named}{f' and {more} more' if more > 0 else ''}; {told}"


def change_line(change: DefaultChange) -> str:
    """`- client-cipher-suite TLS_RSA_WITH_AES_128_GCM_SHA256`."""
    text = f"{_SIGNS[change.kind]} {change.aspect} {change.item}"
    if change.kind is Kind.CHANGED:
        return f"{text}: {change.before} -> {change.after}"
    if change.kind is Kind.REORDERED:
        return f"{_SIGNS[change.kind]} {change.aspect}, in another order: {change.after}"
    value = change.before or change.after
    return f"{text} = {value}" if value else text
