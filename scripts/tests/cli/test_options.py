# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a run stores of its options means the same in whichever folder it is gone on with."""

from pathlib import Path

import pytest

from jdkmatrix.cli.options import request_of
from jdkmatrix.errors import UsageError


def test_paths_of_a_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", f"{tmp_path}/x")
    for home in ("jdk", "x/jdk"):
        (tmp_path / home / "bin").mkdir(parents=True)
        (tmp_path / home / "bin" / "java").touch()
    paths = ["./jdk", "~/jdk", f"{tmp_path}/jdk"]
    request = request_of(None, paths, None, None, "suite", "fix.jar", "x.diff")
    assert request.jdks == tuple(f"{tmp_path}/{home}" for home in ("jdk", "x/jdk", "jdk"))
    assert request.suite == f"{tmp_path}/suite"
    assert (request.overlay, request.overlay_patch) == (f"{tmp_path}/fix.jar", f"{tmp_path}/x.diff")


def test_a_pattern_of_jdks(tmp_path: Path) -> None:
    for name in ("18", "19", "odd[1]"):
        (tmp_path / name / "bin").mkdir(parents=True)
        (tmp_path / name / "bin" / "java").touch()
    (tmp_path / ".19.partial").touch()  # as beside the JDKs that an IDE has got
    for pattern in ("1*", "**[89]", "[!o]*"):
        assert request_of(jdks=[f"{tmp_path}/{pattern}"]).jdks == (
            f"{tmp_path}/18",
            f"{tmp_path}/19",
        )
    assert request_of(jdks=[f"{tmp_path}/odd[1]"]).jdks == (f"{tmp_path}/odd[1]",)
    with pytest.raises(UsageError, match=r"/2\*: nothing fits this pattern; accepted: folders of"):
        request_of(jdks=[f"{tmp_path}/2*"])
    (tmp_path / "1x").mkdir()
    with pytest.raises(UsageError, match="1x: not a JDK: no bin/java"):
        request_of(jdks=[f"{tmp_path}/1*"])
