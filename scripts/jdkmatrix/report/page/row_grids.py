# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which rows of the interoperability suite differ between the builds of a train? Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from jdkmatrix.report.page.grid import Grid
from jdkmatrix.results.document import CellResult, Results, RowResult

_FEATURE_PARTS = 2  # side and feature are the first parts of an id
_Line = tuple[RowResult | None, ...]


@dataclass(frozen=True)
class RowLine:
    """One row that differs between builds or is a surprise; `name` is the rest of its id."""

    name: str
    rows: _Line

    @property
    def bugs(self) -> tuple[str, ...]:
        """The bugs that explain it."""
        return tuple(sorted({row.bug for row in self.rows if row and row.bug}))


@dataclass(frozen=True)
class FeatureRows:
    """The rows of one side and feature, `client/resumed`. `alike` counts those that are the same
    on all builds: `36 passed, 3 unsupported`.
    """

    name: str
    alike: str
    lines: tuple[RowLine, ...]

    @property
    def debug_rows(self) -> tuple[RowResult, ...]:
        """The rows for which there is JSSE's debug output, from before and now."""
        return tuple(
            row for line in self.lines for row in line.rows if row is not None and row.debug
        )

    @property
    def wants_a_look(self) -> bool:
        """Whether any row is a surprise."""
        return any(
            row.grade.is_surprise for line in self.lines for row in line.rows if row is not None
        )


@dataclass(frozen=True)
class RowGrid:
    """The rows of one train's builds, oldest first."""

    train: int | None
    builds: tuple[str, ...]
    features: tuple[FeatureRows, ...]


def row_grids_of(results: Results, grid: Grid) -> tuple[RowGrid, ...]:
    """A grid for each train that has rows."""
    cells: dict[str, list[CellResult]] = {}
    for cell in results.cells:
        if cell.rows:
            cells.setdefault(cell.build, []).append(cell)
    grids = []
    for train in grid.trains:
        builds = tuple(build for build in train.builds if build in cells)
        if builds:
            rows = {
                build: {row.row: row for cell in cells[build] for row in cell.rows}
                for build in builds
            }
            grids.append(RowGrid(train.number, builds, tuple(_features(builds, rows))))
    return tuple(grids)


def _features(
    builds: Sequence[str], rows: Mapping[str, Mapping[str, RowResult]]
) -> Iterator[FeatureRows]:
    ids = dict.fromkeys(row for build in builds for row in rows[build])
    for feature, group in groupby(sorted(ids, key=_feature), _feature):
        lines: list[RowLine] = []
        alike: Counter[str] = Counter()
        for row in group:
            line: _Line = tuple(rows[build].get(row) for build in builds)
            statuses = {row_result.status if row_result else None for row_result in line}
            if len(statuses) > 1 or any(
                row_result and row_result.grade.is_surprise for row_result in line
            ):
                lines.append(RowLine(row.removeprefix(f"{feature}/"), line))
            else:
                alike.update(filter(None, statuses))
        tally = ", ".join(f"{count} {status}" for status, count in alike.most_common())
        yield FeatureRows(feature, tally, tuple(lines))


def _feature(row: str) -> str:
    return "/".join(row.split("/")[:_FEATURE_PARTS])
