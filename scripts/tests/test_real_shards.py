# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A run in three shards merges to one run, on real JDKs; the same grades: flow/test_merge.py."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from jdkmatrix.results.document import Results
from tests.in_process import Capture, matrix

pytestmark = [pytest.mark.network, pytest.mark.jdk]

CHOSEN = [
    *("--build", "temurin-11.0.13+8", "--build", "temurin-17.0.3+7", "--build", "temurin-17.0.9+9"),
    *("--test", "http/HeadReplyGoesToNextRequest.java"),
]


def grades(document: dict[str, Any]) -> dict[tuple[str, str], tuple[str, str, str]]:
    jsonschema.Draft202012Validator(Results.published_schema()).validate(document)
    return {
        (cell["build"], cell["test"]): (cell["expectation"], cell["outcome"], cell["grade"])
        for cell in document["cells"]
    }


def test_three_shards_merge_to_one_run(tmp_path: Path, capsys: Capture) -> None:
    shards = [tmp_path / f"shard-{index}" for index in (1, 2, 3)]
    for index, out in enumerate(shards, 1):
        process = matrix(
            capsys, "run", *CHOSEN, "--shard", f"{index}/3", "--out", str(out), "--json"
        )
        assert process.returncode == 0, process.stderr
        assert len(json.loads(process.stdout)["cells"]) == 1

    lacking = matrix(
        capsys, "merge", str(shards[2]), str(shards[0]), "--out", str(tmp_path / "part")
    )
    assert lacking.returncode == 2
    assert "Not complete." in lacking.stdout
    assert "matrix: shard 2/3 is missing: 1 cell was not run" in lacking.stderr

    whole = matrix(capsys, "merge", *map(str, shards), "--out", str(tmp_path / "whole"), "--json")
    assert whole.returncode == 0, whole.stderr
    document = json.loads(whole.stdout)
    assert [grade for _, _, grade in grades(document).values()] == ["as-expected"] * 3
    assert [part["shard"] for part in document["merged"]] == ["1/3", "2/3", "3/3"]
    causes = {cell["build"] for cell in document["cells"] if cell["evidence"]["cause"]}
    assert causes == {
        cell["build"] for cell in document["cells"] if cell["outcome"] == "reproduced"
    }
    report = matrix(capsys, "report", str(tmp_path / "whole"), "--json")
    assert report.stdout == whole.stdout

    rest = matrix(capsys, "run", "--resume", "--offline", "--out", str(tmp_path / "part"), "--json")
    assert rest.returncode == 0, rest.stderr
    assert grades(json.loads(rest.stdout)) == grades(document)
