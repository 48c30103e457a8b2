# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A user's suite on real JDKs: one with a compiler, and one without, which a test fails on."""

import json
import shlex
from pathlib import Path

import jsonschema
import pytest

from jdkmatrix.results.document import Results
from tests.in_process import Capture, matrix

pytestmark = [pytest.mark.network, pytest.mark.jdk]

JDK_8, RUNTIME_17 = "debian-8", "temurin-17.0.9+9"


def test_what_differs_between_builds_is_the_result(
    root: Path, tmp_path: Path, capsys: Capture
) -> None:
    suite = root / "scripts" / "tests" / "fixtures" / "own-suite"
    builds = [option for build in (JDK_8, RUNTIME_17) for option in ("--build", build)]
    out = ["--out", str(tmp_path / "run")]
    process = matrix(capsys, "run", "--suite", str(suite), *builds, *out, "--json")
    assert process.returncode == 1, process.stderr
    document = json.loads(process.stdout)
    jsonschema.Draft202012Validator(Results.published_schema()).validate(document)
    records = {build["entry"]: build for build in document["builds"]}
    jdk_8 = records[JDK_8]["id"]
    assert records[JDK_8]["compile_options"] == []  # it compiles by itself
    assert records[RUNTIME_17]["compile_options"] != []
    assert document["differences"] == [
        {
            "test": "net/FailsSinceSeventeen.java",
            "outcomes": {
                jdk_8: "not-reproduced",
                RUNTIME_17: "reproduced",
            },
        }
    ]
    cells = {(cell["build"], cell["test"]): cell for cell in document["cells"]}
    assert len(cells) == 8
    for build in (jdk_8, RUNTIME_17):
        assert cells[build, "net/SameEverywhere.java"]["outcome"] == "not-reproduced"
        assert cells[build, "net/OneOfTwoFails.java"]["outcome"] == "reproduced"
        assert "always" in cells[build, "net/OneOfTwoFails.java"]["reason"]
        cell_17 = cells[build, "NeedsSeventeen.java"]
        expected = (
            ("not-reproduced", "recorded") if "17" in build else ("not-applicable", "skipped")
        )
        assert (cell_17["outcome"], cell_17["grade"]) == expected, cell_17["reason"]
    cell = cells[RUNTIME_17, "net/FailsSinceSeventeen.java"]
    assert cell["grade"] == "recorded"
    command = f"scripts/matrix run --suite {shlex.quote(str(suite))} --build {RUNTIME_17}"
    assert cell["rerun"].startswith(command)
    assert not any(".jfr" in artifact for artifact in cell["artifacts"])  # it runs as it is
