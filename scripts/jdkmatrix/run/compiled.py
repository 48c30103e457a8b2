# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a test compiled once for many builds, when each of its cells has a jtreg of its own?

A run tests one state of the suite: an edit of the library while it goes on is not seen by later
cells of a test, as jtreg compares the test's own class with its source only.
"""

import shutil
from pathlib import Path


def lend_classes(kept: Path, work: Path) -> None:
    """Copy a test's `kept` classes, if another cell has left some, to where jtreg looks."""
    if kept.is_dir():
        shutil.copytree(kept, work / "classes")


def keep_classes(work: Path, kept: Path) -> None:
    """Move the classes that jtreg compiled to `kept`, unless another cell was faster.

    Raises OSError if they can't be moved.
    """
    classes = work / "classes"
    if kept.is_dir() or not classes.is_dir():
        return
    kept.parent.mkdir(parents=True, exist_ok=True)
    try:
        classes.rename(kept)
    except OSError:
        if not kept.is_dir():
            raise
