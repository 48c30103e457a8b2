# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do commands without a run of their own get a JDK, and see what is fetched for it?"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jdkmatrix.cli.console import progress_display
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.supplier import Supplier


@contextmanager
def shown_supplier(checkout: Checkout, *, offline: bool) -> Iterator[Supplier]:
    """The supplier of builds, with its downloads on the terminal."""
    with progress_display() as display:
        yield Supplier.of_checkout(checkout, offline, display)


def tool_jdk(checkout: Checkout, *, offline: bool) -> Path:
    """The home of the tool JDK, for the kit's Java programs; fetched if need be. Raises
    MachineError.
    """
    with shown_supplier(checkout, offline=offline) as supplier:
        return supplier.tool_jdk().home
