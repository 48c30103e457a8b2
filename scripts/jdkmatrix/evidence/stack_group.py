# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do threads of a dump do that are in equal stacks? A part of the digest's document."""

from jdkmatrix.config.recording_rules import LockKind
from jdkmatrix.records.model import Record

# Stands for the frames below the eighth, which ThreadInfo.toString leaves out.
LEFT_OUT = "java.lang.management.ThreadInfo.leftOut"


class LockOwner(Record):
    """Who has a lock in a thread dump; `inferred` from what it does where no owner is named."""

    thread: str
    inferred: bool
    frames: tuple[str, ...]

    @property
    def is_cut(self) -> bool:
        """Whether frames are left out."""
        return self.frames[-1:] == (LEFT_OUT,)


class WantedLock(Record):
    """The lock that threads wait to enter in `frame`."""

    kind: LockKind
    lock_class: str
    frame: str
    owner: LockOwner | None


class StackGroup(Record):
    """Threads of the last dump in equal stacks, innermost frame first.

    `dumps` have shown them without a gap, all but the `changed_frames` innermost the same; for
    `stood_ms` the whole stack was. `cpu_share` is that of its life in which a thread used a core.
    """

    threads: int
    names: tuple[str, ...]
    state: str
    frames: tuple[str, ...]
    stood_ms: float
    dumps: int
    changed_frames: int
    cpu_share: float | None
    lock: WantedLock | None

    @property
    def lasting(self) -> tuple[str, ...]:
        """The frames that each dump shows."""
        return self.frames[self.changed_frames :]
