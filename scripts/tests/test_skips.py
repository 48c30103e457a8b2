# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""No test is skipped in CI in silence."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import skips

ODD = skips.Skip("tests/x.py::test_x", "no time today")
BARE = skips.Skip("tests/x.py::test_y", "no gpg to sign with")
BUSY = skips.Skip("tests/x.py::test_z", "the machine is busy (load 30): a time says nothing")


@pytest.mark.parametrize(
    ("skip", "environ", "failures"),
    [
        (ODD, {"CI": "true"}, 1),
        (ODD, {}, 0),
        (BARE, {"CI": "true"}, 0),
        (BARE, {"CI": "true", "GITHUB_ACTIONS": "true"}, 1),
        (BUSY, {"CI": "true", "GITHUB_ACTIONS": "true"}, 0),
    ],
)
def test_what_ci_does_not_expect_fails_it(
    skip: skips.Skip, environ: dict[str, str], failures: int
) -> None:
    (line,), count = skips.lines([skip], environ)
    assert count == failures
    assert skip.reason in line


def test_a_skip_is_read_from_what_pytest_wrote(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(
        "import pytest\n"
        "@pytest.mark.skipif(True, reason='by a mark')\ndef test_a(): pass\n"
        "def test_b(): pytest.skip('by itself')\n"
        "def test_c(): pass\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=x.xml"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    all_skips = list(skips.skips(tmp_path / "x.xml"))
    assert [skip.reason for skip in all_skips] == ["by a mark", "by itself"]
    assert all_skips[0].test.endswith("::test_a")


def test_each_expected_reason_is_one_that_a_test_has() -> None:
    tests = Path(__file__).parent
    text = "\n".join(
        file.read_text() for file in tests.rglob("test_*.py") if "skips" not in file.name
    )
    for pattern in (*skips.ANYWHERE, *skips.ON_A_BARE_MACHINE):
        words = re.split(r"\\d\+|\.\*|\\", pattern)
        assert all(word.split("(")[0].strip() in text for word in words), pattern
