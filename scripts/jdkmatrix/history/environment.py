# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What else is different between two runs: the kit, the machine, the JDK under the same name?

Pure: rows of the tables `runs` and `builds` in, short phrases out.
"""

import sqlite3
from collections.abc import Iterator

from jdkmatrix.texts import count_of


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
