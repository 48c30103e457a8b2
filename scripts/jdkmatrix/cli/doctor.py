# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix doctor`: what does this machine lack, and how is that fixed?"""

from __future__ import annotations

from typing import Annotated

import typer

from jdkmatrix.cli.machine_checks import examine


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Say what this machine lacks to run the kit, and how to get it.

    Example: scripts/matrix doctor
    """
    return examine(as_json=as_json)
