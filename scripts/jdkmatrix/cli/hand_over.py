# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Who gets a finished run? CI and the history first: whoever reads what is printed may leave."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from jdkmatrix.cli.console import result_console
from jdkmatrix.flow.flow import Finished
from jdkmatrix.history.remember import remember
from jdkmatrix.paths import Checkout
from jdkmatrix.report.ci.github import tell_github
from jdkmatrix.results.document import Results


def hand_over(
    checkout: Checkout,
    finished: Finished,
    show: Callable[[Console, Results, Path], None],
    *,
    as_json: bool,
) -> None:
    """Give a run to GitHub Actions, if this is one of its jobs, to the history of the checkout, and
    to the user: `show` prints it, if it is not wanted as JSON.
    """
    results, folder = finished
    tell_github(results, folder, os.environ, sys.stderr)
    remember(checkout, results, [(shard.run, shard.started) for shard in results.merged])
    if as_json:
        print(results.to_json(), end="")
    else:
        show(result_console(), results, folder)
