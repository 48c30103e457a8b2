# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which machine, kit and time does a run's record name?"""

import os
import platform
import re
from datetime import UTC, datetime
from pathlib import Path

from jdkmatrix import __version__
from jdkmatrix.errors import UsageError
from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.machine.files import start_of
from jdkmatrix.machine.processes import run
from jdkmatrix.records.record import KitRecord, MachineRecord

# `git archive` writes the commit there (export-subst in .gitattributes beside it).
_COMMIT = Path("scripts", "jdkmatrix", "records", "commit.txt")
_DIGITS = 12
# Which repository git reads, whatever its folder: a hook has them (`git rev-parse
# --local-env-vars`), and the kit may be called by one.
_OF_A_REPOSITORY = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_WORK_TREE",
)


def now_iso() -> str:
    """The current time in UTC: `2026-11-21T08:30:00Z`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def machine_record() -> MachineRecord:
    """Facts of this machine, now."""
    return MachineRecord(
        os=_os_name(),
        kernel=platform.release(),
        architecture=platform.machine(),
        cores=usable_cores(),
        memory_mib=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20,
        load_1min=round(os.getloadavg()[0], 2),
    )


def kit_commit(root: Path) -> str | None:
    """The checkout's commit, with `-dirty` if it has local changes; of a tree that `git archive`
    made, the commit in its `commit.txt`. None for other copies, whatever repository they lie in.
    """
    if not (root / ".git").exists():
        return _archived_commit(root)
    # Whoever owns the checkout: what it says already runs.
    git = ["git", "-C", str(root), "-c", "safe.directory=*"]
    describe = [*git, "describe", "--always", "--dirty", f"--abbrev={_DIGITS}"]
    try:
        process = run(describe, env=dict.fromkeys(_OF_A_REPOSITORY), timeout_s=10)
        text = process.output.strip()
        return text if re.fullmatch(r"[\w.+-]+", text, re.ASCII) else None  # else no git's
    except OSError:
        return None


def _archived_commit(root: Path) -> str | None:
    try:
        text = start_of(root / _COMMIT).strip()
    except OSError:
        return None
    return text[:_DIGITS] if re.fullmatch("[0-9a-f]{40,64}", text) else None


def kit_here(root: Path) -> KitRecord:
    """The kit of the checkout at `root`, without its tools."""
    return KitRecord(version=__version__, commit=kit_commit(root))


def check_same_kit(run: Path, old_kit: KitRecord, root: Path) -> None:
    """Raises UsageError for a run that another kit began: its tests and load may have changed, and
    a run has the grades of one kit.
    """
    old, new = (_known_as(kit) for kit in (old_kit, kit_here(root)))
    if old != new:
        raise UsageError(
            f"{run}: begun by kit {old}; this is kit {new}; "
            "accepted: the kit that began it, or a new run"
        )


def _known_as(kit: KitRecord) -> str:
    """Version and commit; without `-dirty`, as a run itself may add to `jdks.lock`."""
    return f"{kit.version} {(kit.commit or '').removesuffix('-dirty')}".strip()


def _os_name() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.system()
