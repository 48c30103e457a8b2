# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where do results and progress go?"""

import sys

from rich.console import Console

# A file or pipe has no width; the widest row of the table of cells fits.
_FILE_WIDTH = 140


def result_console() -> Console:
    """Standard output, for results."""
    return Console(width=None if sys.stdout.isatty() else _FILE_WIDTH)


def progress_console() -> Console:
    """Standard error, for progress and notes."""
    return Console(stderr=True)
