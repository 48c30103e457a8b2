# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does `scripts/matrix` say and end with? Without the start of a process of its own."""

import subprocess

import pytest

from jdkmatrix.cli.app import main

Capture = pytest.CaptureFixture[str]


def matrix(capsys: Capture, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, in this process."""
    capsys.readouterr()
    code = main([*arguments])
    stdout, stderr = capsys.readouterr()
    return subprocess.CompletedProcess(["matrix", *arguments], code, stdout, stderr)
