# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is stored, or printed as JSON, of a rule that a recording meets, or may?"""

from jdkmatrix.records.model import Record


class Finding(Record):
    """A rule that fired. `bug` is `generic` where the ledger knows none.

    `blocked_ms` sums ended waits, `open_ms` is a lower bound of those still open, both over
    `threads`; `bound_ms` is the threshold, `baseline_ms` the baseline's waiting there, scaled to
    the same duration. Waits for a peer have no `lock_classes`. If threads spun, `blocked_ms` is for
    how long.
    """

    rule: str
    bug: str
    sentence: str
    frames: tuple[str, ...]
    lock_classes: tuple[str, ...]
    threads: int
    blocked_ms: float
    open_ms: float
    bound_ms: float
    baseline_ms: float | None = None


class Suspicion(Record):
    """What makes a bug probable, what would prove it, and what else looks the same."""

    sentence: str
    proof: str
    alike: str | None = None
