# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the history say of the latest runs? Only queries: whatever takes long is stored."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jdkmatrix.errors import UsageError, suggest
from jdkmatrix.history.answer import (
    SLOWER_AS_EXPECTED,
    ChangePoint,
    GradeChange,
    HistoryAnswer,
    IdentityChange,
    RunAnswer,
)
from jdkmatrix.history.database import reading
from jdkmatrix.history.tracks import GradedRow, Track, tracks_of
from jdkmatrix.texts import count_of

_SPEED_GRADE = (
    f"CASE WHEN grade = 'slower' AND surprise = 0 THEN '{SLOWER_AS_EXPECTED}' ELSE grade END"
)
# Figures of comparisons are graded one by one, in `throughput`; a validation rests on its cases.
_OF_BUILDS = "kind NOT IN ('comparison', 'law-point', 'validation', 'availability', 'completion')"
# The grades of reproducers have words of their own.
_CASE_GRADE = "CASE WHEN kind = 'cell' THEN grade ELSE status END"


@dataclass(frozen=True)
class HistoryQuery:
    """The options: a bug's id, a glob on scenarios, a glob on entries and builds. None: all.

    `runs` is how many of the latest runs with such rows are looked at.
    """

    bug: str | None = None
    scenario: str | None = None
    build: str | None = None
    runs: int = 30

    @property
    def is_narrow(self) -> bool:
        """Whether to show a line for each test, not one for each build."""
        return bool(self.bug or self.scenario)

    def cells(self) -> tuple[str, list[str]]:
        """A condition on `cells`, and its values."""
        if self.scenario:
            return "0", []
        conditions, parameters = self._builds()
        if self.bug:
            conditions.append("bug = ?")
            parameters.append(self.bug)
        return " AND ".join(conditions), parameters

    def throughput(self) -> tuple[str, list[str]]:
        """A condition on `throughput`, and its values."""
        conditions, parameters = self._builds()
        if self.scenario:
            conditions.append("scenario GLOB ?")
            parameters.append(self.scenario)
        if self.bug:
            conditions.append("' ' || bugs || ' ' LIKE ?")
            parameters.append(f"% {self.bug} %")
        return " AND ".join(conditions), parameters

    def _builds(self) -> tuple[list[str], list[str]]:
        if self.build is None:
            return ["1"], []
        return ["(entry GLOB ? OR build GLOB ?)"], [self.build, self.build]


def in_no_run(connection: sqlite3.Connection, request: HistoryQuery) -> UsageError:
    """The error that no run has what was wanted; it names what there is."""
    options, hints = [], []
    for option, argument, query in (
        (
            "--bug",
            request.bug,
            "SELECT bug FROM cells WHERE bug IS NOT NULL UNION SELECT bugs FROM throughput",
        ),
        ("--scenario", request.scenario, "SELECT scenario FROM throughput"),
        ("--build", request.build, "SELECT entry FROM builds"),
    ):
        if argument is not None:
            names = {name for (row,) in connection.execute(query) for name in row.split()}
            options.append(f"{option} {argument}")
            hint = suggest(argument, sorted(names)) if names else "accepted: none"
            hints.append(hint.replace("accepted: ", f"accepted: {option} "))
    if not options:
        return UsageError("the history has no run yet")
    return UsageError(f"{' '.join(options)}: in no run; {'; '.join(hints)}")


def answer(path: Path, request: HistoryQuery) -> HistoryAnswer:
    """The answer to the options. Raises UsageError if the file is no history, or no run has what
    was asked for.
    """
    with reading(path) as connection:
        connection.row_factory = sqlite3.Row
        return Reader(connection, request).answer()


class Reader:
    """Reads the latest runs that have what was wanted."""

    def __init__(self, connection: sqlite3.Connection, request: HistoryQuery) -> None:
        self._connection = connection
        self._differences = Differences(connection)
        self._request = request
        self._cells, self._cell_values = request.cells()
        self._throughput, self._throughput_values = request.throughput()
        self._runs = self._latest_runs()
        if not self._runs:
            raise in_no_run(connection, request)
        self._ids = [int(run["id"]) for run in self._runs]

    def answer(self) -> HistoryAnswer:
        """The whole answer."""
        rows = list(self._read_grades())
        (count,) = self._connection.execute("SELECT count(*) FROM runs").fetchone()
        return HistoryAnswer(
            schema=2,
            runs_stored=count,
            runs=tuple(self._run_answers(rows)),
            tracks=tracks_of(rows, self._ids, narrow=self._request.is_narrow),
            changes=tuple(self._grade_changes(rows)),
            change_points=tuple(self._change_points()),
            identities=tuple(self._differences.identities(self._ids)),
        )

    def _latest_runs(self) -> list[sqlite3.Row]:
        query = f"""
            SELECT * FROM runs WHERE
                EXISTS (SELECT 1 FROM cells WHERE run_id = runs.id AND {self._cells})
                OR EXISTS (SELECT 1 FROM throughput WHERE run_id = runs.id AND {self._throughput})
            ORDER BY started DESC, id DESC LIMIT ?
        """
        parameters = (*self._cell_values, *self._throughput_values, self._request.runs)
        return self._connection.execute(query, parameters).fetchall()[::-1]

    def _read_grades(self) -> Iterator[GradedRow]:
        condition = f"run_id IN ({', '.join('?' * len(self._ids))})"
        cases = f"""
            SELECT run_id, entry, variant, subject, '' AS baseline, build, {_CASE_GRADE} AS grade
            FROM cases WHERE {condition} AND {_OF_BUILDS} AND {self._cells}
            ORDER BY kind <> 'cell', entry, variant, subject
        """
        for row in self._connection.execute(cases, (*self._ids, *self._cell_values)):
            yield GradedRow(**dict(row), speed=False)
        throughput = f"""
            SELECT run_id, entry, variant, scenario || ' ' || client || ' ' || metric AS subject,
                   baseline_entry AS baseline, build, {_SPEED_GRADE} AS grade FROM throughput
            WHERE {condition} AND {self._throughput} ORDER BY entry, variant, subject, baseline
        """
        for row in self._connection.execute(throughput, (*self._ids, *self._throughput_values)):
            yield GradedRow(**dict(row), speed=True)

    def _run_answers(self, rows: Iterable[GradedRow]) -> Iterator[RunAnswer]:
        counts: dict[tuple[int, bool], dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for row in rows:
            counts[row.run_id, row.speed][row.grade] += 1
        for previous, run in zip([None, *self._runs], self._runs, strict=False):
            yield RunAnswer(
                **_fields(run, "run", "started", "finished", "verdict"),
                kit=kit_of(run),
                machine=machine_of(run),
                grades=counts[run["id"], False],
                speed=counts[run["id"], True],
                environment=tuple(run_differences(previous, run)) if previous else (),
            )

    def _grade_changes(self, rows: Iterable[GradedRow]) -> Iterator[GradeChange]:
        latest = self._runs[-1]
        for row in rows:
            if row.run_id != latest["id"]:
                continue
            last = self._last_grade(row, latest)
            if (last["grade"] if last else None) != row.grade:
                yield GradeChange(
                    **row.track.fields,
                    build=row.build,
                    before=last["grade"] if last else None,
                    last_run=last["run"] if last else None,
                    after=row.grade,
                    run=latest["run"],
                    environment=self._differences.between(last["id"], latest["id"], row.track)
                    if last
                    else (),
                )

    def _last_grade(self, graded_row: GradedRow, latest: sqlite3.Row) -> sqlite3.Row | None:
        track = graded_row.track
        if graded_row.speed:
            scenario, client, metric = track.subject.split(" ")
            table, grade = "throughput", _SPEED_GRADE
            condition = "scenario = ? AND client = ? AND metric = ?"
            condition += " AND baseline_entry = ?"
            parameters: tuple[str, ...] = (scenario, client, metric, track.baseline)
        else:
            table, grade, parameters = "cases", _CASE_GRADE, (track.subject,)
            condition = f"{_OF_BUILDS} AND subject = ?"
        query = f"""
            SELECT r.id, r.run, {grade} AS grade
            FROM runs r CROSS JOIN {table} c ON r.id = c.run_id  -- run by run, to the first hit
            WHERE c.entry = ? AND c.variant = ? AND {condition} AND (r.started, r.id) < (?, ?)
            ORDER BY r.started DESC, r.id DESC LIMIT 1
        """
        place = (track.entry, track.variant, *parameters, latest["started"], latest["id"])
        row: sqlite3.Row | None = self._connection.execute(query, place).fetchone()
        return row

    def _change_points(self) -> Iterator[ChangePoint]:
        query = f"""
            SELECT c.*, r.run, r.started, l.run AS last_run
            FROM change_points c JOIN runs r ON r.id = c.run_id JOIN runs l ON l.id = c.last_run_id
            WHERE (r.started, r.id) >= (?, ?) AND (
                EXISTS (SELECT 1 FROM cells WHERE run_id = c.run_id AND entry = c.entry
                        AND variant = c.variant AND test = c.subject AND {self._cells})
                OR EXISTS (SELECT 1 FROM throughput WHERE run_id = c.run_id AND entry = c.entry
                        AND variant = c.variant AND scenario || ' ' || client = c.subject
                        AND {self._throughput}))
            ORDER BY r.started DESC, r.id DESC, c.entry, c.variant, c.subject, c.figure
        """
        first = self._runs[0]
        parameters = (*self._cell_values, *self._throughput_values)
        for row in self._connection.execute(query, (first["started"], first["id"], *parameters)):
            track = Track(row["entry"], row["variant"], row["subject"], row["baseline"])
            yield ChangePoint(
                **_fields(row, "entry", "variant", "subject", "baseline", "figure"),
                **_fields(row, "run", "started", "last_run", "before", "after"),
                **_fields(row, "runs_before", "runs_after"),
                environment=self._differences.between(row["last_run_id"], row["run_id"], track),
            )


def _fields(row: sqlite3.Row, *names: str) -> dict[str, Any]:
    """The columns of these names, which the answer's fields have too."""
    return {name: row[name] for name in names}


class Differences:
    """Compares runs and builds that are stored in a history."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def between(self, old_run: int, new_run: int, track: Track) -> tuple[str, ...]:
        """How kit, machine, and the JDKs of the track's build and baseline differ."""
        old, new = (
            self._connection.execute("SELECT * FROM runs WHERE id = ?", (run,)).fetchone()
            for run in (old_run, new_run)
        )
        differences = list(run_differences(old, new))
        for entry, variant in ((track.entry, track.variant), (track.baseline, "")):
            difference = build_difference(
                *(self._build(run, entry, variant) for run in (old_run, new_run))
            )
            differences += [difference] if difference else []
        return tuple(differences)

    def identities(self, runs: Sequence[int]) -> Iterator[IdentityChange]:
        """A change for each entry whose JDK differs from the last of these runs that had it."""
        last_rows: dict[tuple[str, str], sqlite3.Row] = {}
        query = f"""
            SELECT b.*, r.run FROM builds b JOIN runs r ON r.id = b.run_id
            WHERE b.run_id IN ({", ".join("?" * len(runs))}) ORDER BY r.started, r.id, b.entry
        """
        for row in self._connection.execute(query, runs):
            key = (row["entry"], row["variant"])
            difference = build_difference(last_rows.get(key), row)
            last_rows[key] = row
            if difference:
                yield IdentityChange(
                    entry=key[0], variant=key[1], run=row["run"], difference=difference
                )

    def _build(self, run: int, entry: str, variant: str) -> sqlite3.Row | None:
        query = "SELECT * FROM builds WHERE run_id = ? AND entry = ? AND variant = ?"
        row: sqlite3.Row | None = self._connection.execute(query, (run, entry, variant)).fetchone()
        return row


def kit_of(run: sqlite3.Row) -> str:
    """`0.1.0 eb09753d6ec8`."""
    return f"{run['kit_version']} {run['kit_commit'] or ''}".strip()


def machine_of(run: sqlite3.Row) -> str:
    """`Debian GNU/Linux 12, kernel 6.1, x86_64, 2 cores, 24 GiB`."""
    cores = count_of(run["cores"], "core")
    parts = (run["os"], f"kernel {run['kernel']}", run["architecture"], cores)
    return f"{', '.join(parts)}, {round(run['memory_mib'] / 1024)} GiB"


def run_differences(older: sqlite3.Row, newer: sqlite3.Row) -> Iterator[str]:
    """A phrase for each difference in kit, machine, jtreg or tool JDK."""
    for name, words_of in (("kit", kit_of), ("machine", machine_of)):
        if words_of(older) != words_of(newer):
            yield f"{name} {words_of(older)} to {words_of(newer)}"
    for name in ("jtreg", "tool_jdk"):
        old, new = older[name], newer[name]
        if old and new and old != new:
            yield f"{name.replace('_', ' ').replace('jdk', 'JDK')} {old} to {new}"


def build_difference(older: sqlite3.Row | None, newer: sqlite3.Row | None) -> str | None:
    """How the JDK of one entry differs between two runs; None if it does not, or one had none."""
    if older is None or newer is None:
        return None
    if older["version"] != newer["version"]:
        return f"{newer['entry']} {older['version']} to {newer['version']}"
    if older["sha256"] != newer["sha256"]:
        old, new = older["sha256"][:12], newer["sha256"][:12]
        return f"{newer['entry']} still {newer['version']}, but other bytes: {old} to {new}"
    return None
