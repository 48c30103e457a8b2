# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""In a bare Debian, do the README's first commands work?"""

import shutil
import subprocess
from pathlib import Path

import pytest

from bare_root import SUITES
from tests.fuzz import is_long

pytestmark = [
    pytest.mark.skipif(not is_long(), reason="only with --long"),
    pytest.mark.skipif(shutil.which("mmdebstrap") is None, reason="no mmdebstrap on this machine"),
    pytest.mark.jdk,
    pytest.mark.network,
    pytest.mark.slow,
]
# Some 25 minutes on two quiet cores, with all downloads.
MOST_S = 4 * 3600


@pytest.mark.parametrize("suite", SUITES)
def test_an_ordinary_user_runs_them_in_a_fresh_clone(root: Path, suite: str) -> None:
    command = [str(root / "scripts" / "bare-root"), suite]
    assert subprocess.run(command, check=False, timeout=MOST_S).returncode == 0
