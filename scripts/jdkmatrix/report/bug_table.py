# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""On which builds did each bug show? The page `test/GRID.md`, from one run."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from jdkmatrix.config import version
from jdkmatrix.config.ledger import jbs_page
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.texts import count_of
from jdkmatrix.vocabulary import Outcome

# Wider tables are cut off on the pages that show them.
_MOST_COLUMNS = 10
# A bug with several tests gets the first of these marks that any of them found.
MARKS = {
    Outcome.ERROR: "?",
    Outcome.INCONCLUSIVE: "?",
    Outcome.REPRODUCED: "R",
    Outcome.NOT_REPRODUCED: "·",
    Outcome.NOT_APPLICABLE: "-",
}
LEGEND = "R reproduced, · not-reproduced, - not-applicable, ? inconclusive or error, empty not run."
# The page lies under test/, so it has the licence of what is there.
PAGE_HEAD = """\
<!-- SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors -->
<!-- SPDX-License-Identifier: GPL-2.0-only -->

# All bugs on all builds

What cells found; `scripts/matrix report RUN --bug-table > test/GRID.md` writes this page. A bug
that came after that run has no row yet.

"""


def bug_table(results: Results, bugs: Sequence[str]) -> str:
    """A Markdown page with tables of a few trains each: a row for each of `bugs` that was run, a
    column per build.
    """
    bugs_run = {cell.bug for cell in results.cells}
    rows = [bug for bug in bugs if bug in bugs_run]
    builds_run = {cell.build for cell in results.cells}
    builds = sorted(
        (build for build in results.builds if build.id in builds_run),
        key=lambda build: (version.parse(build.version), build.id),
    )
    cells = sum(cell.bug is not None for cell in results.cells)
    surprises = sum(cell.bug is not None and cell.grade.is_surprise for cell in results.cells)
    odd = f"{count_of(surprises, 'surprise')} (!)"
    lines = [f"{count_of(cells, 'cell')} of {results.started_at[:10]}, {odd}. {LEGEND}"]
    for columns in _portions(builds):
        heads = ["bug", *("<br>".join(build.id_lines) for build in columns)]
        lines += ["", _row(heads), _row(["---", *([":-:"] * len(columns))])]
        for bug in rows:
            page = jbs_page(bug)
            link = f"[{bug.removeprefix('JDK-')}]({page})" if page else bug
            lines.append(_row([link, *(_mark(results, bug, build.id) for build in columns)]))
    return PAGE_HEAD + "\n".join(lines) + "\n"


def _portions(builds: Iterable[BuildRecord]) -> Iterator[list[BuildRecord]]:
    """The builds in portions of whole trains, as many as fit side by side."""
    portion: list[BuildRecord] = []
    for _, train in groupby(builds, key=lambda build: build.train):
        of_train = list(train)
        if portion and len(portion) + len(of_train) > _MOST_COLUMNS:
            yield portion
            portion = []
        portion += of_train
    if portion:
        yield portion


def _mark(results: Results, bug: str, build: str) -> str:
    cells = [cell for cell in results.cells if (cell.bug, cell.build) == (bug, build)]
    first: CellResult | None = min(
        cells, key=lambda cell: list(MARKS).index(cell.outcome), default=None
    )
    if first is None:
        return ""
    return MARKS[first.outcome] + ("!" if any(cell.grade.is_surprise for cell in cells) else "")


def _row(texts: Iterable[str]) -> str:
    return f"| {' | '.join(texts)} |"
