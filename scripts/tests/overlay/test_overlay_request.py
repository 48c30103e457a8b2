# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The option that gives an overlay again works in a shell, in the checkout's root."""

import shlex
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from jdkmatrix.overlay.overlay_request import OverlayRequest
from jdkmatrix.records.record import OverlayRecord
from jdkmatrix.vocabulary import Intent
from tests.grading.test_whole_run import build


@pytest.mark.parametrize("name", ["fix.diff", "my fix.diff", "it's;$(x).diff"])
def test_a_patch_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    request = OverlayRequest.from_options(None, name)
    assert request is not None
    assert str(request) == f"--overlay-patch {name}"  # as the user wrote it, in errors
    assert shlex.split(request.option) == ["--overlay-patch", str(tmp_path.resolve() / name)]


def test_a_patch_of_the_checkout(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root / "test" / "planted")
    request = OverlayRequest.from_options(None, "close-under-lock-8.diff")
    assert request is not None
    assert request.option == "--overlay-patch test/planted/close-under-lock-8.diff"


@pytest.mark.parametrize("intent", [None, Intent.FIXED])
@pytest.mark.parametrize("has_sources", [False, True])
def test_sources_and_what_is_meant_are_part_of_it(
    tmp_path: Path, intent: Intent | None, has_sources: bool
) -> None:
    (tmp_path / "a.diff").touch()
    tree = str(tmp_path) if has_sources else None
    request = OverlayRequest.from_options(None, f"{tmp_path}/a.diff", tree, intent)
    assert request is not None
    words = ["--overlay-patch", f"{tmp_path}/a.diff"]
    words += ["--sources", str(tmp_path)] * has_sources + ["--expect", "fixed"] * bool(intent)
    assert shlex.split(request.option) == words
    fields: dict[str, Any] = {"name": "a", "sha256": "", "java_options": (), "note": ""}
    assert OverlayRecord(option=request.option, **fields).option == request.option


@pytest.mark.parametrize("options", ["--build x", "--sources", "--expect fixed --sources /x"])
def test_a_record_has_no_other_options(options: str) -> None:
    fields: dict[str, Any] = {"name": "a", "sha256": "", "java_options": (), "note": ""}
    with pytest.raises(ValidationError, match="not an option of an overlay"):
        OverlayRecord(option=f"--overlay-patch a.diff {options}", **fields)


def test_a_jdk_in_a_folder_with_a_blank() -> None:
    local = build("17.0.9+9").model_copy(update={"source": "local", "home": "/my jdk's/17"})
    assert shlex.split(local.options) == ["--jdk", "/my jdk's/17"]
