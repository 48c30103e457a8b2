# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Was everything run that was planned?"""

from collections.abc import Iterator

from jdkmatrix.results.case import RUN, Case, CaseStatus
from jdkmatrix.results.document import Results

KIND = "completion"
NOT_COMPLETE = "not complete"


def cases_of(results: Results) -> Iterator[Case]:
    """A case if cells or blocks of the plan are missing."""
    if not results.complete:
        yield Case(
            kind=KIND,
            build=RUN,
            group=RUN,
            subject="complete",
            status=CaseStatus.ERROR,
            grade=NOT_COMPLETE,
            sentence="Some cells or blocks of the run were not run.",
            was_tried=False,
        )
