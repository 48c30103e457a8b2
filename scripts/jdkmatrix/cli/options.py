# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which options mean the same in several commands? Each is written here once."""

from pathlib import Path
from typing import Annotated

import typer

Offline = Annotated[bool, typer.Option("--offline", help="Use only what is in the cache.")]
RunFolderOut = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="The run's folder. Default: a new one in reports/. The history stays in reports/.",
    ),
]
ResultsAsJson = Annotated[
    bool, typer.Option("--json", help="Print results.json on standard output.")
]
