# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Who else is told of a run? They come first: whoever reads what is printed may go away."""

import os
import sys
from pathlib import Path

from jdkmatrix.history.remember import remember
from jdkmatrix.paths import Checkout
from jdkmatrix.report.github import tell_github
from jdkmatrix.report.results import Results


def hand_over(checkout: Checkout, results: Results, folder: Path) -> None:
    """Tell GitHub Actions, if this is one of its jobs, and the history of the checkout."""
    tell_github(results, folder, os.environ, sys.stderr)
    remember(checkout, results, [(shard.run, shard.started) for shard in results.merged])
