# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The red 8u: a fixed build with a planted fault is graded a regression, under an id of its own."""

import json
import subprocess
from pathlib import Path

import jsonschema
import pytest

from jdkmatrix.results.document import schema

SHORT = "keepalive/DisconnectWaitsForSilentPeer.java"
FAULT = "test/planted/close-under-lock-8.diff"


@pytest.mark.network
@pytest.mark.jdk
def test_a_planted_fault_is_a_regression(root: Path, tmp_path: Path) -> None:
    what = ["--build", "debian-8", "--overlay-patch", FAULT, "--test", SHORT]
    done = subprocess.run(
        ["scripts/matrix", "run", *what, "--out", str(tmp_path / "out"), "--json"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 1, done.stderr
    document = json.loads(done.stdout)
    jsonschema.Draft202012Validator(schema()).validate(document)
    (build,), (cell,) = document["builds"], document["cells"]
    assert build["id"] == cell["build"] == f"debian-{build['version']}+overlay-close-under-lock-8"
    assert build["overlay"]["note"].startswith("its Debian source package, compiled by debian-8u")
    assert (cell["expectation"], cell["outcome"], cell["grade"]) == (
        "fixed",
        "reproduced",
        "regression",
    )
    assert cell["confirmation"] == "Reproduced in 3 of 3 attempts."
    for one in cell["attempts"]:
        assert list((tmp_path / "out" / one["folder"] / "jfr").glob("*.jfr"))
    assert cell["rerun"] == f"scripts/matrix run {' '.join(what)}"
