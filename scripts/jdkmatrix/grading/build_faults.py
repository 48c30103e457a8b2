# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a build itself, whatever its cells say?

It lacks what its version promises, which silences the cells that need that, or it was replaced
during the run, or its JVM does not start.
"""

from collections.abc import Iterable, Iterator, Set

from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.results.document import BuildFault, BuildFaultKind, CellResult
from jdkmatrix.verdict.promises import broken_promises
from jdkmatrix.vocabulary import Grade
from jdkmatrix.words.cells import with_silenced
from jdkmatrix.words.promises import promise_sentence


def broken_of(build: BuildRecord, ledger: Ledger) -> dict[str, str]:
    """The conditions that the build promises and lacks, each with a sentence; empty if unasked."""
    if build.runtime is None:
        return {}
    promises = broken_promises(build.jdk_version, build.runtime, ledger)
    return {promise.condition.id: promise_sentence(promise) for promise in promises}


def silenced_by(build: BuildRecord, bug: Bug | None, test: str, ledger: Ledger) -> str | None:
    """Why a test of the bug cannot say anything about that build; None if it can."""
    sentences = broken_of(build, ledger) if bug else {}
    needs = ledger.conditions_of(bug, test) if bug and sentences else ()
    return next((sentences[need.id] for need in needs if need.id in sentences), None)


def faults_of(
    builds: Iterable[BuildRecord], cells: Iterable[CellResult], ledger: Ledger
) -> Iterator[BuildFault]:
    """The faults of all builds of a run, in their order."""
    silenced_cells = [cell for cell in cells if cell.grade is Grade.SILENCED]
    for build in builds:
        for kind, about, sentence in (
            (BuildFaultKind.REPLACED, "replaced", build.replaced),
            (BuildFaultKind.BROKEN_JVM, "start", build.refusal),
        ):
            if sentence:
                yield BuildFault(
                    build=build.id,
                    kind=kind,
                    about=about,
                    sentence=sentence,
                    rerun=f"scripts/matrix run {build.options}",
                )
        sentences = broken_of(build, ledger)
        for condition in ledger.conditions:
            if condition.id not in sentences or condition.implies in sentences:
                continue
            lost_ids = {
                need.id for need in ledger.conditions if condition.id in (need.id, need.implies)
            }
            mute = sum(
                cell.build == build.id and _needs(cell, lost_ids, ledger) for cell in silenced_cells
            )
            yield BuildFault(
                build=build.id,
                kind=BuildFaultKind.BROKEN_PROMISE,
                about=condition.id,
                sentence=with_silenced(sentences[condition.id], mute),
                silenced=mute,
                rerun=f"scripts/matrix run {build.options}",
            )


def _needs(cell: CellResult, lost_ids: Set[str], ledger: Ledger) -> bool:
    bug = next((bug for bug in ledger.bugs if bug.id == cell.bug), None)
    needs = ledger.conditions_of(bug, cell.test) if bug else ()
    return not lost_ids.isdisjoint(need.id for need in needs)
