# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The red 8u: a fixed build with a planted fault is graded a regression, under an id of its own."""

import json
from pathlib import Path

import jsonschema
import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.results.document import Results

# Of those of the bug the one that takes the least CPU time.
SHORT = "keepalive/RequestWaitsWhileAnotherCloses.java"
FAULT = "test/planted/close-under-lock-8.diff"


@pytest.mark.network
@pytest.mark.jdk
def test_a_planted_fault_is_a_regression(
    root: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(root)
    options = ["--build", "debian-8", "--overlay-patch", FAULT, "--test", SHORT]
    code = main(["run", *options, "--out", str(tmp_path / "out"), "--json"])
    stdout, stderr = capsys.readouterr()
    assert code == 1, stderr
    document = json.loads(stdout)
    jsonschema.Draft202012Validator(Results.published_schema()).validate(document)
    (build,), (cell,) = document["builds"], document["cells"]
    assert build["id"] == cell["build"] == f"debian-{build['version']}+overlay-close-under-lock-8"
    assert build["overlay"]["note"].startswith("its Debian source package, compiled by debian-8u")
    assert (cell["expectation"], cell["outcome"], cell["grade"]) == (
        "fixed",
        "reproduced",
        "regression",
    )
    assert cell["confirmation"] == "Reproduced in 3 of 3 attempts."
    for attempt in cell["attempts"]:
        assert list((tmp_path / "out" / attempt["folder"] / "jfr").glob("*.jfr"))
    assert cell["rerun"] == f"scripts/matrix run {' '.join(options)}"
