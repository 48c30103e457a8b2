# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which JDK do commands without a run of their own use for the kit's Java programs?"""

from pathlib import Path

from jdkmatrix.cli.console import progress_console
from jdkmatrix.paths import Checkout
from jdkmatrix.report.console.display import Display
from jdkmatrix.supply.supplier import Supplier


def tool_jdk(checkout: Checkout, *, offline: bool) -> Path:
    """The home of the tool JDK, fetched if need be. Raises MachineError."""
    with Display(progress_console()) as display:
        supplier = Supplier.of_checkout(checkout, offline, display)
        return supplier.tool_jdk().home
