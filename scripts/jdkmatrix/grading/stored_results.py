# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a `results.json` of this or an earlier kit read?"""

from pathlib import Path

from jdkmatrix.grading.cases.kinds import with_cases
from jdkmatrix.records.model import read_record
from jdkmatrix.results.document import Results


def read_results(path: Path) -> Results:
    """The results in that file; those of schema 1 get their cases here. Raises UsageError."""
    results = read_record(path, Results)
    return results if results.cases else with_cases(results)
