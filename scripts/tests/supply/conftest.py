# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where do supply tests buy? In a folder of wheels that the real pip is told to use."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.sources import wheel
from jdkmatrix.supply.supplier import Supplier
from tests.supply.adoptium_kit import Market
from tests.supply.pip_at_hand import PipAtHand
from tests.supply.standin import Standin, start
from tests.supply.supply_kit import Shop, from_wheel, jdks_of, open_shop


@pytest.fixture(scope="session")
def pip() -> Iterator[PipAtHand]:
    """One pip for all wheels of the session."""
    at_hand = PipAtHand()
    yield at_hand
    at_hand.end()


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pip: PipAtHand) -> Shop:
    """A shop with no wheel yet; pip sees nothing else."""
    monkeypatch.setattr(wheel, "run", pip.run)
    return open_shop(tmp_path, monkeypatch)


@pytest.fixture(scope="session")
def stock(pip: PipAtHand, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a shop with temurin-17.0.3+7 in its cache, for which pip is run once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wheel, "run", pip.run)
        shop = open_shop(tmp_path_factory.mktemp("stock"), patch)
        shop.offer("1.0", "17.0.3+7")
        jdks = jdks_of(from_wheel("temurin-17.0.3+7", "1.0"))
        (build,) = shop.supplier(jdks).supply(jdks.builds)
    assert isinstance(build, Build)
    return shop.root


@pytest.fixture
def stocked_shop(shop: Shop, stock: Path) -> Shop:
    """A shop with a wheel of temurin-17.0.3+7, and the build in its cache."""
    shutil.copytree(stock, shop.root, symlinks=True, dirs_exist_ok=True)
    return shop


Run = Callable[[str], "subprocess.Popen[str]"]


@pytest.fixture
def in_process(root: Path) -> Run:
    """Start a piece of Python in a process of its own that can import the kit and its tests."""

    def start(code: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": str(root / "scripts")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


@pytest.fixture(scope="session")
def wiremock(
    root: Path, jdks: JdksFile, tool_jdk: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Standin]:
    """One WireMock process for every test of the session."""
    supplier = Supplier(jdks, root / "jdks.lock", cache_root())
    class_path = supplier.jars(Checkout(root)).class_path("peer")
    process, standin = start(
        tool_jdk / "bin" / "java", class_path, tmp_path_factory.mktemp("wiremock")
    )
    try:
        yield standin
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def market(wiremock: Standin, shop: Shop) -> Market:
    """A shop that buys from the stand-in, which has nothing yet."""
    wiremock.reset()
    return Market(wiremock, shop)
