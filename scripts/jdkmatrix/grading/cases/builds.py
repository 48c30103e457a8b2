# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is wrong with builds themselves, and which could not be had?"""

from collections.abc import Iterator

from jdkmatrix.results.case import BUILD, Case, CaseStatus
from jdkmatrix.results.document import BuildFaultKind, Results

FAULT = "build-fault"
AVAILABLE = "availability"
_STATUSES = {
    BuildFaultKind.BROKEN_PROMISE: CaseStatus.FAILED,
    BuildFaultKind.REPLACED: CaseStatus.ERROR,  # which of the two was it?
    BuildFaultKind.BROKEN_JVM: CaseStatus.ERROR,  # of the JDK, or of this machine?
}


def faults_of(results: Results) -> Iterator[Case]:
    """A case for each fault of a build."""
    for fault in results.build_faults:
        yield Case(
            kind=FAULT,
            build=fault.build,
            group=BUILD,
            subject=fault.about,
            status=_STATUSES[fault.kind],
            grade=fault.kind,
            sentence=fault.sentence,
            rerun=fault.rerun,
            was_tried=fault.kind is BuildFaultKind.BROKEN_JVM,
        )


def unavailable_of(results: Results) -> Iterator[Case]:
    """A case for each build that no source could provide.

    It is skipped, even where `--strict` makes the exit code 2: a run does not store that it was
    strict, and its reports may be rendered again.
    """
    for missing in results.unavailable:
        yield Case(
            kind=AVAILABLE,
            build=missing.entry,
            group=BUILD,
            subject="available",
            status=CaseStatus.SKIPPED,
            grade="unavailable",
            sentence=f"No source could provide it: {missing.text}",
            is_news=True,
            was_tried=False,
        )
