# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What else is different between two stored runs, for one of their tracks?"""

import sqlite3
from collections.abc import Iterator, Sequence

from jdkmatrix.history.answer import IdentityChange
from jdkmatrix.history.tracks import Track
from jdkmatrix.texts import count_of


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
