# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A path is shown as a user would type it, wherever the kit is called."""

from pathlib import Path

import pytest

from jdkmatrix.paths import shown_path


def test_a_path_below_the_current_folder_is_relative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert shown_path(folder / "run") == "run"
    assert shown_path(tmp_path / "run") == str(tmp_path / "run")
    folder.rmdir()
    assert shown_path(folder / "run") == str(folder / "run")
