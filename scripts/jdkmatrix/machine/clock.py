# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which moment is it, as records say it?"""

from datetime import UTC, datetime


def now_iso() -> str:
    """This moment in UTC: `2026-11-21T08:30:00Z`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
