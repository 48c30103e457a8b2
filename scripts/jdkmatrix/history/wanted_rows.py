# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which of the history's rows was `matrix history` asked about?"""

import sqlite3
from dataclasses import dataclass

from jdkmatrix.errors import UsageError, suggest


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
