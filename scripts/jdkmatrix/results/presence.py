# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a bug's fix in a build? Judged by what its reproducers did there, not by version. Pure."""

from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import Field

from jdkmatrix.plan.expectation import TELLING
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.results.published import PublishedDocument, PublishedPart
from jdkmatrix.vocabulary import Expectation, Grade, Outcome, Presence


class TestFound(PublishedPart):
    """What one reproducer did, and why: its outcome and a sentence."""

    __test__ = False  # not a pytest test

    test: str
    outcome: Outcome
    reason: str


class PresenceAnswer(PublishedDocument):
    """The answer; `by_ledger` is what the ledger says of the version, whatever was measured:
    affected if any reproducer must show the bug.
    """

    schema_: Literal[2] = Field(default=2, alias="schema")
    bug: str
    title: str
    build: str
    presence: Presence
    by_ledger: Expectation = Field(alias="expectation")
    cells: tuple[TestFound, ...]
    reason: str

    @property
    def agrees(self) -> bool | None:
        """Whether the answer agrees with the ledger; None if either of them is undecided."""
        expectations = {Presence.FIXED: Expectation.FIXED, Presence.AFFECTED: Expectation.AFFECTED}
        if self.by_ledger not in expectations.values() or self.presence not in expectations:
            return None
        return expectations[self.presence] is self.by_ledger


def presence_of(results: Results, bug_id: str) -> PresenceAnswer:
    """The answer from a finished run of that bug's reproducers on one build; at least one cell."""
    cells = [cell for cell in results.cells if cell.bug == bug_id]
    bug = next(bug for bug in results.bugs if bug.id == bug_id)
    presence, reason = _judge(bug_id, cells)
    if replacement := next((build.replaced for build in results.builds if build.replaced), None):
        presence, reason = Presence.CANNOT_SAY, replacement
    return PresenceAnswer(
        bug=bug_id,
        title=bug.title,
        build=cells[0].build,
        presence=presence,
        expectation=min((cell.expectation for cell in cells), key=TELLING.index),
        cells=tuple(
            TestFound(
                test=cell.test,
                outcome=cell.outcome,
                reason=cell.evidence.cause or cell.confirmation or cell.reason,
            )
            for cell in cells
        ),
        reason=reason,
    )


def _judge(bug_id: str, cells: Sequence[CellResult]) -> tuple[Presence, str]:
    """Affected if any reproducer shows the bug; fixed if one did not, and none casts doubt."""
    steady = [cell for cell in cells if cell.grade is not Grade.FLAKY]
    proofs = [cell for cell in steady if cell.shows_bug]
    if proofs:
        return Presence.AFFECTED, f"{len(proofs)} of {len(cells)} reproducers show it"
    if len(steady) < len(cells):
        return Presence.CANNOT_SAY, "a reproducer showed it in some attempts, and not in others"
    if any(cell.wider for cell in cells):
        return Presence.CANNOT_SAY, "its symptom shows in the control too: a wider fault"
    open_ = [cell for cell in cells if cell.outcome in (Outcome.INCONCLUSIVE, Outcome.ERROR)]
    if open_:
        return Presence.CANNOT_SAY, f"{len(open_)} of {len(cells)} reproducers gave no verdict"
    sentence = next((text for cell in cells for text in _recording_sentences(bug_id, cell)), None)
    if sentence:
        return Presence.CANNOT_SAY, sentence
    clean_cells = [cell for cell in cells if cell.outcome is Outcome.NOT_REPRODUCED]
    if clean_cells:
        return (
            Presence.FIXED,
            f"{len(clean_cells)} of {len(cells)} reproducers ran, and none shows it",
        )
    return Presence.CANNOT_SAY, "it cannot show on this build"


def _recording_sentences(bug_id: str, cell: CellResult) -> Iterator[str]:
    """What recordings show of the bug, whatever the outcome: flags of any attempt, then findings
    that do not contradict the ledger.
    """
    yield from (flag for flag in cell.flags if bug_id in flag)
    for finding in cell.evidence.findings:
        if finding.bug == bug_id:
            yield f"Its recording shows {bug_id}: {finding.sentence}"
