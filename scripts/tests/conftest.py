# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What many tests start from: the shipped configuration."""

from pathlib import Path

import pytest

from jdkmatrix.config.jdks import JdksFile, load_jdks
from jdkmatrix.config.ledger import Ledger, load_ledger

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
