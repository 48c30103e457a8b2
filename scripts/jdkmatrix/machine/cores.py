# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How many cores may this process use?"""

import os
from contextlib import suppress


def usable_cores() -> int:
    """The cores that this process may use; all cores if the system cannot tell (macOS), or a filter
    of system calls forbids to ask.
    """
    with suppress(AttributeError, OSError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
