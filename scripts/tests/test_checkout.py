# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A checkout is the same bytes everywhere: other ends of lines would make other cache keys."""

import subprocess
from pathlib import Path

import pytest

FILES = ("scripts/matrix", "scripts/requirements.txt", "test/bugs.yaml")


def test_no_settings_of_git_change_the_ends_of_lines(root: Path) -> None:
    if not (root / ".git").exists():
        pytest.skip("this machine has none of the history")
    command = ["git", "-C", str(root), "-c", "core.autocrlf=true", "archive", "--format=tar"]
    archive = [*command, "--worktree-attributes", "HEAD", *FILES]
    assert b"\r\n" not in subprocess.run(archive, check=True, capture_output=True).stdout
