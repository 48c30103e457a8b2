# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which words does the page have that other reports do not?"""

import re
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatchcase

from markupsafe import Markup, escape

from jdkmatrix.evidence.cause import CauseSource
from jdkmatrix.evidence.findings import GENERIC
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.results.finding import Finding
from jdkmatrix.vocabulary import Grade

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_READ_FROM = {
    CauseSource.RECORDING: "its recording",
    CauseSource.FACTS: "what the test saw",
    CauseSource.REASON: "the test's own words",
}
# Eight builds with all tests of the ledger: a page of 1.2 MB.
_MOST_IN_FULL = 700
# The most telling files first; the rest is in the cell's folder.
_LOGS = ("*/jvm-*.log", "*.jtr", "*/hang-*.txt", "*/hs_err_pid*.log")


def grade_counts(cells: Sequence[CellResult]) -> list[tuple[Grade, int]]:
    """How many cells have each grade that occurs, in the order in which grades are declared."""
    counts = Counter(cell.grade for cell in cells)
    return [(grade, counts[grade]) for grade in Grade if counts[grade]]


def told_in_full(cells: Sequence[CellResult]) -> frozenset[tuple[str, str]]:
    """Build and test of the cells that are shown with all that was seen; the others get a line.

    In a large run these are surprises, flagged cells, those run again, and for each test and
    outcome the cell that shows it best: otherwise a page of 2,000 cells would take ten seconds to
    open.
    """
    in_full = {(cell.build, cell.test) for cell in cells if cell.grade.is_surprise or cell.flags}
    best: dict[tuple[str, str], CellResult] = {}
    for cell in cells:
        key = (cell.test, cell.outcome)
        if key not in best or cell.severity > best[key].severity:
            best[key] = cell
        if cell.attempts or len(cells) <= _MOST_IN_FULL:
            in_full.add((cell.build, cell.test))
    return frozenset(in_full | {(cell.build, cell.test) for cell in best.values()})


def shown_files(cell: CellResult) -> list[str]:
    """The cell's files that a reader wants first: its logs, a thread dump, a crash log."""
    return [name for log in _LOGS for name in cell.artifacts if fnmatchcase(name, log)]


def recordings(cell: CellResult) -> list[str]:
    """The cell's recordings, which JDK Mission Control opens from the run's folder."""
    return [name for name in cell.artifacts if name.endswith(".jfr")]


def cell_folder(cell: CellResult) -> str:
    """The folder of the cell's files; in a combined run, it is below that of one of its runs."""
    if cell.attempts:
        return f"{cell.attempts[cell.attempt - 1].folder}/"
    name = f"cells/{cell.build}/{cell.test.removesuffix('.java')}/"
    prefix, match, _ = cell.artifacts[0].partition(name) if cell.artifacts else ("", "", "")
    return prefix + name if match else name


def other_findings(cell: CellResult) -> list[Finding]:
    """What the cell's recording shows besides known bugs and what its flags already say."""
    flags = " ".join(cell.flags)
    return [
        finding
        for finding in cell.evidence.findings
        if finding.bug == GENERIC and finding.sentence not in flags
    ]


def read_from(cell: CellResult) -> str:
    """What the cell's sentence of cause was read from."""
    return _READ_FROM[cell.evidence.cause_from or CauseSource.RECORDING]


def format_duration(results: Results) -> str:
    """`1 h 12 min`, or empty if unknown."""
    if results.took_s is None:
        return ""
    hours, rest = divmod(int(results.took_s), 3600)
    minutes, seconds = divmod(rest, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def tick(figure: float) -> str:
    """A round value beside an axis: `0.5`, `1`, `2,000`."""
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:g}"


def breakable(name: str) -> Markup:
    """A name in camel case that may be broken at its humps."""
    return Markup("<wbr>").join(escape(part) for part in _HUMP.split(name))
