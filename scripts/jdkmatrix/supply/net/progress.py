# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a download report its progress to whatever shows it?"""

from typing import Protocol


class Progress(Protocol):
    """Calls come from several threads. A label is an entry's id, or a sentence for an index."""

    def start(self, label: str, total_bytes: int | None) -> None:
        """`label` is now being fetched; `total_bytes` is None if not known beforehand."""

    def advance(self, label: str, done_bytes: int) -> None:
        """`done_bytes` of `label` have arrived in all."""

    def finish(self, label: str) -> None:
        """`label` has ended, successfully or not."""

    def notice(self, text: str) -> None:
        """One line that a reader of the run must see."""


class NullProgress:
    """Shows nothing."""

    def start(self, label: str, total_bytes: int | None) -> None:
        """Ignore it."""

    def advance(self, label: str, done_bytes: int) -> None:
        """Ignore it."""

    def finish(self, label: str) -> None:
        """Ignore it."""

    def notice(self, text: str) -> None:
        """Ignore it."""
