# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What many tests start from: the shipped configuration."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gates import INPUTS
from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile, load_jdks
from jdkmatrix.config.ledger import Ledger, load_ledger
from jdkmatrix.supply.supplier import Supplier
from tests.fuzz import MOST_BYTES, Memory, choose, inputs_of
from tests.suite_copy import SuiteCopy

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = Path(__file__).with_name("fixtures")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--long`: many inputs for each test that is marked `fuzz`."""
    parser.addoption("--long", action="store_true", help="100,000 inputs for the tests that fuzz")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the form of the tests that fuzz, before they are imported. What the tests start gets
    none of `bootstrap.start`'s variables: as a user's shell would start it.
    """
    for name in ("PYTHONPATH", "PYTHONSAFEPATH", "PYTHONNOUSERSITE"):
        os.environ.pop(name, None)
    choose(long=config.getoption("--long"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Never look for garbage in what stays to the end: modules, and thousands of tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Count the inputs of a test that fuzzes, for the last line of scripts/test."""
    if not item.get_closest_marker("fuzz"):
        yield
        return
    # In the short form there is little to take.
    memory = Memory() if item.config.getoption("--long") else None
    yield
    item.user_properties.append((INPUTS, inputs_of(item)))
    assert memory is None or memory.taken_bytes() < MOST_BYTES


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first, so that none of them is left to one worker at the end."""
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    if item.path.name.startswith("test_real"):
        return 0
    return 1 if item.get_closest_marker("jdk") else 2


@pytest.fixture(scope="session", autouse=True)
def history_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Runs of tests add themselves to this file, and not to the checkout's own history."""
    file = tmp_path_factory.mktemp("history") / "history.sqlite"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JDKMATRIX_HISTORY", str(file))
        yield file


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def suite_copy(tmp_path_factory: pytest.TempPathFactory) -> SuiteCopy:
    """A copy of `test/`, to be changed by one test after the other."""
    return SuiteCopy(ROOT / "test", tmp_path_factory.mktemp("suite") / "test")


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
