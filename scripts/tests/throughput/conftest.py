# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The load's programs, compiled once and started on the tool JDK."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.supplier import Supplier
from tests.throughput.load_kit import Java, PeerOf, classes


@pytest.fixture(scope="session")
def load_class_path(jdks: JdksFile, tool_jdk: Path, root: Path) -> str:
    """The class path of load, bare peer and relay, HdrHistogram included."""
    supplier = Supplier(jdks, root / "jdks.lock", cache_root())
    return classes(tool_jdk, root, supplier.jars(Checkout(root)).class_path("histogram"))


@pytest.fixture
def java(tool_jdk: Path, load_class_path: str, tmp_path: Path) -> Iterator[Java]:
    """Starts programs on the tool JDK, and ends them."""
    java = Java(tool_jdk, load_class_path, tmp_path)
    yield java
    java.close()


@pytest.fixture(scope="module")
def peer_of(
    tool_jdk: Path, load_class_path: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[PeerOf]:
    """The peer with these arguments, the same one for all tests of a file: they do not end it."""
    java = Java(tool_jdk, load_class_path, tmp_path_factory.mktemp("peers"))
    yield cache(java.peer)
    java.close()
