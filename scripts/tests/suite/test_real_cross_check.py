# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The kit starts the JVMs of its own tests itself. Does jtreg come to the same?"""

import json
import subprocess
from pathlib import Path

import pytest

pytestmark = [pytest.mark.network, pytest.mark.jdk]

BUILDS = ("temurin-17.0.3+7", "temurin-17.0.9+9")  # one affected, one fixed
TESTS = (
    "keepalive/RequestWaitsWhileAnotherCloses.java",
    "keepalive/ZeroKeepAliveTimeoutIgnored.java",
    "http/InterimReplyTakenAsFinal.java",
    "tls13/RetryForP256Server.java",
    "selftest/PeerAndClientAgree.java",
    "selftest/RelayDoesWhatItIsTold.java",
)


def outcomes(root: Path, out: Path, *options: str) -> dict[tuple[str, str], str]:
    """By build and test; for jtreg, `reproduced` is a test that fails."""
    chosen = [word for build in BUILDS for word in ("--build", build)]
    chosen += [word for test in TESTS for word in ("--test", test)]
    command = [str(root / "scripts" / "matrix"), "run", *chosen, *options, "--out", str(out)]
    done = subprocess.run(
        [*command, "--json"], capture_output=True, text=True, check=False, timeout=400
    )
    cells = json.loads(done.stdout)["cells"]
    return {(cell["build"], cell["test"]): cell["outcome"] for cell in cells}


def test_jtreg_comes_to_the_same(root: Path, tmp_path: Path) -> None:
    own = outcomes(root, tmp_path / "own", "--no-confirm")
    assert len(own) == len(BUILDS) * len(TESTS)
    assert {"reproduced", "not-reproduced"} == set(own.values())
    assert outcomes(root, tmp_path / "jtreg", "--suite", str(root / "test")) == own
