# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The playlist's own command on real JDKs, offline, in a tree as AQAvit stages it."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.supplier import Supplier
from tests.aqavit.tkg import results_line, run_command
from tests.aqavit.vendor_kit import commit, compile_step, get

pytestmark = [pytest.mark.network, pytest.mark.jdk]

# Of a bug that is fixed in 24, and the builds that start the fastest.
SHORT = "http/TruncatedReplyReadAsWhole.java"
AFFECTED, FIXED = "debian-17", "debian-25"
NO_NETWORK = {"HTTPS_PROXY": "http://127.0.0.1:1", "HTTP_PROXY": "http://127.0.0.1:1"}


@pytest.fixture(scope="session")
def supplier(root: Path, jdks: JdksFile) -> Supplier:
    return Supplier(jdks, root / "jdks.lock", cache_root())


@pytest.fixture(scope="module")
def resources(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """TEST_RESROOT after get.sh and the compile step; the kit's tier1 made one test."""
    folder = tmp_path_factory.mktemp("aqavit")
    kit, test_root = folder / "kit", folder / "aqa-tests"
    for name in ("scripts", "test", "jtreg"):
        shutil.copytree(root / name, kit / name, ignore=shutil.ignore_patterns("tests", ".*_cache"))
    for name in ("jdks.yaml", "jdks.lock"):
        shutil.copy(root / name, kit)
    (kit / "test" / "TEST.groups").write_text(f"tier1 = {SHORT}\n")
    test_root.mkdir()
    commit(kit)
    get(kit, test_root)
    return compile_step(test_root, folder, {**os.environ})


@pytest.fixture
def place(resources: Path) -> Iterator[Path]:
    """The same, before a target ran."""
    yield resources
    shutil.rmtree(resources.parent / "TKG")


@pytest.mark.parametrize("entry", [AFFECTED, FIXED])
def test_the_command_passes_on_a_build_that_is_as_its_version_says(
    place: Path, supplier: Supplier, jdks: JdksFile, entry: str
) -> None:
    (jdk,) = supplier.supply([jdks.entry(entry)])
    assert isinstance(jdk, Build)
    environment = {**os.environ, **NO_NETWORK}
    options = '-Xmx512m -Dtext="a b"'
    process = run_command(place / "playlist.xml", "tls13_keepalive", jdk.home, environment, options)
    assert "tls13_keepalive_0_PASSED" in process.stdout, process.stdout + process.stderr
    assert results_line(process.stdout) == (
        "Test results: passed: 1; failed: 0; error: 0; skipped: 0"
    )
    assert list(place.parent.rglob("TKG/**/tls13_keepalive_0.zip"))
    (document,) = place.parent.rglob("TKG/**/results.json")
    results = json.loads(document.read_text())
    (cell,), (build,) = results["cells"], results["builds"]
    assert build["java_options"] == ["-Xmx512m", "-Dtext=a b"]
    expected = "reproduced" if entry == AFFECTED else "not-reproduced"
    assert (cell["test"], cell["outcome"], cell["grade"]) == (SHORT, expected, "as-expected")


def test_the_command_fails_on_what_is_no_jdk(place: Path) -> None:
    process = run_command(place / "playlist.xml", "tls13_keepalive", place, {**os.environ})
    assert "tls13_keepalive_0_FAILED" in process.stdout
    assert f"--jdk {place}: not a JDK" in process.stderr
