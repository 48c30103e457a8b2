# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a killed process leaves is removed by the next; what a living one has is not."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from jdkmatrix.machine.sealed_folder import made_once
from jdkmatrix.machine.trees import scratch_folder

HOLDER = """
import sys, time
from pathlib import Path
from jdkmatrix.machine.trees import scratch_folder
with scratch_folder("classes", Path(sys.argv[1])) as folder:
    (folder / "half.class").touch()
    print(folder, flush=True)
    sys.stdin.readline()
"""


def start_holder(place: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(place)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("is_killed", [True, False])
def test_only_what_nobody_holds_is_removed(tmp_path: Path, is_killed: bool) -> None:
    with start_holder(tmp_path) as holder:
        try:
            assert holder.stdout
            folder = Path(holder.stdout.readline().strip())
            assert (folder / "half.class").exists()
            if is_killed:
                holder.kill()
                holder.wait()
            made_once(tmp_path / "classes", lambda whole: (whole / "A.class").touch())
            assert folder.exists() == (not is_killed)
            holder.communicate("\n")
        finally:
            holder.kill()
    assert [path.name for path in tmp_path.iterdir()] == ["classes"]


def test_each_has_its_own_and_none_is_left(tmp_path: Path) -> None:
    with scratch_folder(place=tmp_path) as first, scratch_folder(place=tmp_path) as second:
        assert first != second
        assert first.is_dir()
        assert second.is_dir()
    assert list(tmp_path.iterdir()) == []


def test_one_that_is_taken_for_left_over_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost_folders: list[Path] = []

    def open_late(path: Path, flags: int) -> int:
        if not lost_folders:
            path.rmdir()
            lost_folders.append(path)
        return os.open(path, flags)

    monkeypatch.setattr(
        "jdkmatrix.machine.trees.os", SimpleNamespace(**{**vars(os), "open": open_late})
    )
    with scratch_folder(place=tmp_path) as folder:
        assert folder.is_dir()
        assert lost_folders not in ([], [folder])
