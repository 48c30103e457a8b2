# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do the rows of a cell end, and how did they end on earlier builds?"""

from collections import Counter
from collections.abc import Iterator, Sequence

from jdkmatrix.results.document import RowResult
from jdkmatrix.texts import count_of
from jdkmatrix.verdict.grade import RowGrade
from jdkmatrix.vocabulary import Grade, RowStatus

_MOST_NAMED = 3
_WITHOUT_PEER = {
    RowStatus.ERROR: "Rows whose peer the kit failed to bring",
    RowStatus.LACKING: "Rows without a peer",
}


def row_change(row_grade: RowGrade, status: RowStatus, text: str) -> str | None:
    """How a row that says `text` ended otherwise before, or that it must not end so."""
    earlier = row_grade.earlier_row
    if earlier is None:
        return text if row_grade.grade is Grade.REGRESSION else None
    if status is RowStatus.PASSED:
        return f"works, but did not on {earlier.build}: {earlier.text}"
    return f"{status}, but passed on {earlier.build} ({earlier.text}): {text}"


def wavering(change: str | None) -> str:
    """The sentence on a row that changed in some attempts alone."""
    return f"{change}; not in every attempt: flaky"


def rows_sentences(
    rows: Sequence[RowResult], bad: Sequence[RowResult], earlier: Sequence[str]
) -> Iterator[str]:
    """What is bad comes first, as a verdict quotes it; then the counts. `earlier` are the builds
    that the rows were compared with.
    """
    for row in bad[:_MOST_NAMED]:
        yield f"{row.row}: {(row.change or '').rstrip('.')}."
    if len(bad) > _MOST_NAMED:
        yield f"{count_of(len(bad) - _MOST_NAMED, 'row')} more."
    counts = {status: sum(row.status is status for row in rows) for status in RowStatus}
    sums = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    yield f"{len(rows)} rows: {sums}; {_comparison(rows, bad, earlier)}."
    for status, words in _WITHOUT_PEER.items():
        reasons = Counter(row.failure for row in rows if row.status is status)
        if reasons:
            phrases = (f"{reason} ({count})" for reason, count in reasons.most_common(_MOST_NAMED))
            yield f"{words}: {', '.join(phrases)}."
    if changes := Counter(row.bug for row in rows if row.bug):
        sums = ", ".join(f"{change} ({count})" for change, count in sorted(changes.items()))
        yield f"Rows with known changes: {sums}."


def _comparison(rows: Sequence[RowResult], bad: Sequence[RowResult], earlier: Sequence[str]) -> str:
    """`none worse than on debian-8u452-ga`."""
    if all(row.status in _WITHOUT_PEER for row in rows):
        return "none was tried"
    if not earlier:
        return "no earlier build to compare with"
    reference = earlier[0] if len(earlier) == 1 else f"{len(earlier)} earlier builds"
    if bad:
        return f"compared with {reference}"
    exception = " except for known changes" if any(row.bug for row in rows) else ""
    return f"none worse than on {reference}{exception}"
