# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a `results.json` of this or an earlier kit read?"""

from pathlib import Path

from jdkmatrix.grading.cases.kinds import with_cases
from jdkmatrix.records.model import read_record
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import Results

# 2,286 rows of behaviour on each of 46 builds have 89 MB.
_MOST_BYTES = 512 << 20


def read_results(path: Path) -> Results:
    """The results in that file, with the cases that this kit makes of them. Raises UsageError."""
    return with_cases(read_record(path, Results, _MOST_BYTES))


def results_of(reports: Path, run: Path) -> Results:
    """The results that a user names: a file, a run's folder, or its name below `reports`.

    Raises UsageError.
    """
    path = run if run.is_file() else RunFolder.find(reports, run).path
    return read_results(path if path.is_file() else path / "results.json")
