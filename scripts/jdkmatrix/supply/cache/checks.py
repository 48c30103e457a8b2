# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did it cost to check the cached JDKs before they were used?"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class CheckCost:
    """What checks looked at and how long they took; `hashed_bytes` is 0 for a quick check."""

    installs: int = 0
    files: int = 0
    hashed_bytes: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        method = "by size, times and inode"
        if self.hashed_bytes:
            method = f"{self.hashed_bytes / 1e6:.0f} MB of them hashed"
        return f"{self.installs} installs, {self.files} files, {method}, in {self.seconds:.2f} s"


class Checks:
    """Adds up the cost of checks, from several threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._sum = CheckCost()

    @contextmanager
    def measure(self) -> Iterator[CheckCost]:
        """Time one check; the caller fills in what it looked at."""
        cost = CheckCost(installs=1)
        began_s = time.monotonic()
        try:
            yield cost
        finally:
            with self._guard:
                self._sum.installs += 1
                self._sum.files += cost.files
                self._sum.hashed_bytes += cost.hashed_bytes
                self._sum.seconds += time.monotonic() - began_s

    @property
    def total(self) -> CheckCost:
        """All checks so far."""
        with self._guard:
            return CheckCost(**vars(self._sum))
