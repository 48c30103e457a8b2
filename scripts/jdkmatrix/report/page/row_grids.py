# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which rows of the interoperability suite differ between the builds of a train? Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from jdkmatrix.report.page.grid import Grid
from jdkmatrix.results.document import CellResult, Results, RowResult
from jdkmatrix.vocabulary import RowStatus


@dataclass(frozen=True)
class RowLine:
    """One row on all builds; None where it was not run."""

    name: str
    rows: tuple[RowResult | None, ...]

    @property
    def bugs(self) -> tuple[str, ...]:
        """The bugs that explain how it differs."""
        return tuple(sorted({row.bug for row in self.rows if row and row.bug}))

    @property
    def is_surprise(self) -> bool:
        """Whether it is one on any build."""
        return any(row.grade.is_surprise for row in self.rows if row)

    @property
    def differs(self) -> bool:
        """Whether it is not the same on all builds, or a surprise."""
        statuses = {row.status if row else None for row in self.rows}
        return len(statuses) > 1 or self.is_surprise

    @property
    def fails(self) -> bool:
        """Whether it fails on all builds alike."""
        return not self.differs and self.status is RowStatus.FAILED

    @property
    def status(self) -> RowStatus | None:
        """That of the first build with it."""
        return next((row.status for row in self.rows if row), None)

    @property
    def failure(self) -> str:
        """What went wrong, as the newest build says it."""
        return next((row.failure for row in reversed(self.rows) if row and row.failure), "")


@dataclass(frozen=True)
class Crossing:
    """The rows of one side and feature: how many differ, and `9 passed, 1 failed` of the others."""

    different: int
    alike: str
    is_surprise: bool


@dataclass(frozen=True)
class RowGrid:
    """The rows of one train's builds, oldest first: what differs, surprises first; what fails
    alike; and all rows by feature, with a crossing for each of `sides`, None where it has none.
    """

    train: int | None
    builds: tuple[str, ...]
    changes: tuple[RowLine, ...]
    failures: tuple[RowLine, ...]
    sides: tuple[str, ...]
    features: tuple[tuple[str, tuple[Crossing | None, ...]], ...]

    @property
    def debug_rows(self) -> tuple[RowResult, ...]:
        """The rows for which there is JSSE's debug output, from before and now."""
        return tuple(row for line in self.changes for row in line.rows if row and row.debug)


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
            grids.append(_grid(train.number, builds, tuple(_lines(builds, rows))))
    return tuple(grids)


def _lines(builds: Sequence[str], rows: Mapping[str, Mapping[str, RowResult]]) -> Iterator[RowLine]:
    for name in sorted({row for build in builds for row in rows[build]}):
        yield RowLine(name, tuple(rows[build].get(name) for build in builds))


def _grid(train: int | None, builds: tuple[str, ...], lines: Sequence[RowLine]) -> RowGrid:
    crossings: dict[tuple[str, str], list[RowLine]] = {}
    for line in lines:
        side, _, rest = line.name.partition("/")
        crossings.setdefault((side, rest.partition("/")[0]), []).append(line)
    sides = tuple(sorted({side for side, _ in crossings}))
    features = {
        feature: [line for side in sides for line in crossings.get((side, feature), ())]
        for feature in sorted({feature for _, feature in crossings})
    }
    return RowGrid(
        train=train,
        builds=builds,
        changes=tuple(
            sorted((line for line in lines if line.differs), key=lambda line: not line.is_surprise)
        ),
        failures=tuple(line for line in lines if line.fails),
        sides=sides,
        features=tuple(
            (feature, tuple(_crossing(crossings.get((side, feature))) for side in sides))
            for feature in sorted(features, key=lambda feature: _calm(features[feature]))
        ),
    )


def _calm(lines: Sequence[RowLine]) -> tuple[int, int, int]:
    """A key that puts surprises first, then what differs, then what fails alike."""
    return (
        -sum(line.is_surprise for line in lines),
        -sum(line.differs for line in lines),
        -sum(line.fails for line in lines),
    )


def _crossing(lines: Sequence[RowLine] | None) -> Crossing | None:
    if not lines:
        return None
    alike = Counter(line.status for line in lines if not line.differs)
    return Crossing(
        different=sum(line.differs for line in lines),
        alike=", ".join(f"{count} {status}" for status, count in alike.most_common()),
        is_surprise=any(line.is_surprise for line in lines),
    )
