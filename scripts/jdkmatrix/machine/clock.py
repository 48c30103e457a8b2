# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What time is it, as records write it?"""

from datetime import UTC, datetime


def now_iso() -> str:
    """The current time in UTC: `2026-11-21T08:30:00Z`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
