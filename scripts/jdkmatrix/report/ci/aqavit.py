# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a run leave for AQAvit? The counts of its cases, and files where Jenkins keeps them.

From aqa-tests at 55292f8b (`JenkinsfileBase`) and TKG at ffef6034 (`resultsSum.pl`): Jenkins keeps
`TKG/output_*`, reads each `junitreports/*.xml` in the workspace, and takes each `*.tap` there for
one of TKG's, whose failed tests are targets to run again.
"""

import shutil
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from jdkmatrix.machine.trees import plain_files
from jdkmatrix.results.case import CaseStatus
from jdkmatrix.results.document import Results
from jdkmatrix.texts import plain

# jtreg/aqavit.sh sets it to the folder of the target, TKG's REPORTDIR.
VARIABLE = "JDKMATRIX_AQAVIT"
# In jtreg's words and order.
_WORDS = {
    CaseStatus.PASSED: "passed",
    CaseStatus.FAILED: "failed",
    CaseStatus.ERROR: "error",
    CaseStatus.SKIPPED: "skipped",
}


def tell_aqavit(results: Results, folder: Path, environ: Mapping[str, str]) -> Iterator[str]:
    """Leave the files of the run in `folder` for AQAvit, if `environ` says that this is one of its
    targets; give the lines to print.
    """
    place = environ.get(VARIABLE)
    if not place:
        return
    try:
        yield f"report: {plain(str(_zip_of(folder, Path(place))))}"
    except OSError as error:  # the run itself is good: its exit code must not depend on this
        yield plain(f"matrix: the report could not be left in {place}: {error.strerror or error}")
    yield counts_line(results)


def counts_line(results: Results) -> str:
    """The line that ends jtreg's output, with every status."""
    counts = Counter(case.status for case in results.cases)
    parts = (f"{word}: {counts[status]}" for status, word in _WORDS.items())
    return f"Test results: {'; '.join(parts)}"


def _zip_of(folder: Path, place: Path) -> Path:
    """Put the run into one file, and its JUnit XML where Jenkins looks; its TAP is in the zip
    alone.
    """
    path = place / f"{place.name}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as target:
        for file in sorted(plain_files(folder)):
            target.write(file, file.relative_to(folder))
    reports = place / "junitreports"
    reports.mkdir(exist_ok=True)
    shutil.copyfile(folder / "junit.xml", reports / f"TEST-{place.name}.xml")
    (folder / "results.tap").unlink(missing_ok=True)
    return path
