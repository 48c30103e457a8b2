# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What many tests start from: the shipped configuration."""

from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile, load_jdks
from jdkmatrix.config.ledger import Ledger, load_ledger
from jdkmatrix.supply.fetch import Supplier

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def ledger() -> Ledger:
    """The shipped ledger."""
    return load_ledger(ROOT / "test" / "bugs.yaml")


@pytest.fixture(scope="session")
def jdks() -> JdksFile:
    """The shipped `jdks.yaml`."""
    return load_jdks(ROOT / "jdks.yaml")


@pytest.fixture(scope="session")
def tool_jdk(jdks: JdksFile) -> Path:
    """The home of the kit's tool JDK, fetched if need be."""
    return Supplier(jdks, ROOT / "jdks.lock", cache_root()).tool_jdk().home
