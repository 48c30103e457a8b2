# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix doctor`: what does this machine lack, and how is that fixed?"""

from __future__ import annotations

from jdkmatrix.cli.machine_checks import examine
from jdkmatrix.cli.options import AsJson


def doctor(
    as_json: AsJson = False,
) -> int:
    """Say what this machine lacks to run the kit, and how to get it.

    Example: scripts/matrix doctor
    """
    return examine(as_json=as_json)
