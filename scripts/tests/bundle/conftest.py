# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Every reproducer of the ledger as one file, made once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.bundle.flatten import Flattener, JavaFiles
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.machine.java_program import JavaTool
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.supplier import Supplier


@pytest.fixture(scope="session")
def flattener(tool_jdk: Path) -> Flattener:
    return Flattener(JavaTool.of_checkout(Checkout.current(), tool_jdk))


@pytest.fixture(scope="session")
def flat(flattener: Flattener, ledger: Ledger, root: Path) -> dict[str, JavaFiles]:
    """The flattened reproducers, by the names of their files."""
    reproducers = [root / "test" / test for bug in ledger.bugs for test in bug.tests]
    return flattener.flatten(reproducers, root / "test" / "lib")


@pytest.fixture(scope="session")
def home_of(jdks: JdksFile, root: Path) -> Callable[[str], Path]:
    """The home of a build of `jdks.yaml`, fetched if need be."""

    def home(entry_id: str) -> Path:
        supplier = Supplier(jdks, root / "jdks.lock", cache_root())
        entry = next(entry for entry in jdks.builds if entry.id == entry_id)
        (build,) = supplier.supply([entry])
        assert isinstance(build, Build), build
        return build.home

    return home
