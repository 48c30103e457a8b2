# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The playlist's own command on real JDKs, offline, in a tree as AQAvit stages it."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.supplier import Supplier
from tests.aqavit.tkg import run_command

pytestmark = [pytest.mark.network, pytest.mark.jdk]

# Of a bug that is fixed in 24, and the builds that start the fastest.
SHORT = "http/TruncatedReplyReadAsWhole.java"
AFFECTED, FIXED = "debian-17", "debian-25"
NO_NETWORK = {"HTTPS_PROXY": "http://127.0.0.1:1", "HTTP_PROXY": "http://127.0.0.1:1"}


@pytest.fixture(scope="session")
def supplier(root: Path, jdks: JdksFile) -> Supplier:
    return Supplier(jdks, root / "jdks.lock", cache_root())


@pytest.fixture(scope="session", autouse=True)
def environment(root: Path, supplier: Supplier) -> None:
    """The command is offline: what it needs must be in the cache before."""
    supplier.tool_jdk()
    subprocess.run([root / "scripts" / "matrix", "--version"], check=True, capture_output=True)


@pytest.fixture
def stage(root: Path, tmp_path: Path) -> Path:
    """The kit copied over an aqa-tests tree (get.sh, VENDOR_REPOS); its tier1 made one test."""
    test_root = tmp_path / "aqa-tests"
    for name in ("scripts", "test", "jtreg"):
        ignore = shutil.ignore_patterns("tests", ".*_cache")  # compiled it starts in half the time
        shutil.copytree(root / name, test_root / name, ignore=ignore)
    for name in ("jdks.yaml", "jdks.lock"):
        shutil.copy(root / name, test_root)
    (test_root / "test" / "TEST.groups").write_text(f"tier1 = {SHORT}\n")
    return test_root


@pytest.mark.parametrize("entry", [AFFECTED, FIXED])
def test_the_command_passes_on_a_build_that_is_as_its_version_says(
    stage: Path, supplier: Supplier, jdks: JdksFile, entry: str
) -> None:
    (jdk,) = supplier.supply([jdks.entry(entry)])
    assert isinstance(jdk, Build)
    playlist = stage / "jtreg" / "playlist.xml"
    process = run_command(
        playlist, "tls13_keepalive", stage, jdk.home, {**os.environ, **NO_NETWORK}
    )
    assert "tls13_keepalive_0_PASSED" in process.stdout, process.stdout + process.stderr
    (document,) = stage.parent.rglob("results.json")
    results = json.loads(document.read_text())
    (cell,) = results["cells"]
    expected = "reproduced" if entry == AFFECTED else "not-reproduced"
    assert (cell["test"], cell["outcome"], cell["grade"]) == (SHORT, expected, "as-expected")


def test_the_command_fails_on_what_is_no_jdk(stage: Path) -> None:
    playlist = stage / "jtreg" / "playlist.xml"
    process = run_command(playlist, "tls13_keepalive", stage, stage, {**os.environ})
    assert "tls13_keepalive_0_FAILED" in process.stdout
    assert f"--jdk {stage}: not a JDK" in process.stderr
