# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do the attempts at a cell say together?"""

from collections import Counter
from collections.abc import Sequence

from jdkmatrix.verdict.attempts import Attempt, CombinedAttempts, flags_of, with_verdict
from jdkmatrix.vocabulary import Grade


def confirmation(attempts: Sequence[Attempt], summary: CombinedAttempts) -> str | None:
    """How many attempts there were, and what they showed; None for a single one that is neither a
    surprise nor flagged.
    """
    count = len(attempts)
    flags = flags_of(attempts)
    if count == 1:
        is_odd = summary.grade.is_surprise or any(flags)
        return "One attempt, not confirmed." if is_odd else None
    ending = ": not confirmed" if summary.is_unconfirmed else ""
    text = _outcomes(attempts) + (": flaky" if summary.grade is Grade.FLAKY else ending)
    if not any(flags):
        return f"{text}."
    total = str(count) if len(flags) == count else f"the {len(flags)} recorded"
    return f"{text}. Flagged in {sum(flags)} of {total}."


def _outcomes(attempts: Sequence[Attempt]) -> str:
    """`Reproduced in 2 of 3 attempts, 1 without a verdict`."""
    count = len(attempts)
    outcomes = Counter(str(attempt.outcome) for attempt in with_verdict(attempts))
    if not outcomes:
        return f"No verdict in {count} of {count} attempts"
    (first, number), *rest = outcomes.items()
    parts = [f"{first.capitalize()} in {number} of {count} attempts"]
    parts += [f"{outcome} in {n}" for outcome, n in rest]
    if outcomes.total() < count:
        parts.append(f"{count - outcomes.total()} without a verdict")
    return ", ".join(parts)
