# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""All that is still missing for a bug, in one list with the fix of each."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jdkmatrix.config.new_bug import add_bug
from jdkmatrix.paths import Checkout
from tests.bug_gaps import STORED, list_gaps
from tests.suite_copy import SuiteCopy

TEST = "http/CookieOutlivesItsMaxAge.java"


def test_no_bug_of_the_ledger_lacks_anything(root: Path) -> None:
    gaps = list_gaps(root)
    assert not gaps, "still missing:\n" + "\n".join(gaps)


@pytest.fixture
def scratch(root: Path, tmp_path: Path, suite_copy: SuiteCopy) -> Iterator[Path]:
    """A copy of what the list is about."""
    (tmp_path / STORED).parent.mkdir(parents=True)
    shutil.copy(root / STORED, tmp_path / STORED)
    with suite_copy.lend(tmp_path / "test"):
        yield tmp_path


def test_a_skeleton_lacks_all_that_is_to_be_written(scratch: Path) -> None:
    files = add_bug(Checkout(scratch), "8276774", "httpclient/CookieSentTwice")
    gaps = list_gaps(scratch)
    assert sum("test/bugs.yaml:" in gap for gap in gaps) == 9
    assert sum("CookieSentTwice.java: " in gap and "TODO" in gap for gap in gaps) > 10
    assert f"{STORED}: no reproduced cell of httpclient/CookieSentTwice.java" in gaps[-1]
    for file in files:
        file.write_text(file.read_text().replace("TODO: ", "").replace("TODO", ""))
    assert [gap.partition(":")[0] for gap in list_gaps(scratch)] == [STORED]


def edit(path: str, pattern: str, text: str = "") -> Callable[[Path], None]:
    """A change that leaves a gap: the first match in a file becomes that text."""

    def change(root: Path) -> None:
        old = (root / path).read_text()
        new = re.sub(pattern, text, old, count=1, flags=re.MULTILINE)
        assert new != old
        (root / path).write_text(new)

    return change


@pytest.mark.parametrize(
    ("change", "gap"),
    [
        (edit(f"test/{TEST}", r"^// SPDX-Lic.*\n"), "add the header: // SPDX-License-Identifier"),
        (
            edit(f"test/{TEST}", "What goes wrong: "),
            "no line that begins with '* What goes wrong:'",
        ),
        (edit(f"test/{TEST}", "Judged by a "), "no line that begins with '* Judged by a'"),
        (edit(f"test/{TEST}", r"^ \*     -Dpeer.*\n"), "below 'Without its precondition'"),
        (edit(f"test/{TEST}", "@bug 8351983", "@bug 8351984"), "@bug 8351983"),
        (edit(f"test/{TEST}", "@summary "), "'* @summary'"),
        (edit(f"test/{TEST}", "@library /lib"), "@library /lib"),
        (edit(f"test/{TEST}", r"^ \* @run .* control\n"), "its @run lines: "),
        (edit(f"test/{TEST}", r"@run main/othervm", "@run shell"), "its header: "),
        (edit(f"test/{TEST}", '"JDK-8351983", args', '"JDK-1", args'), "main: call Reproducer.run"),
        (
            edit("test/bugs.yaml", r"^    no-evidence: .*\n(?=    cause)"),
            "add evidence, or no-evid",
        ),
        (edit("test/bugs.yaml", "; nobody waits", ""), "add hint, or no-hint with the reason"),
        (
            edit("test/bugs.yaml", r"^    severity: .*\n"),
            "add symptom, what a user sees, and sever",
        ),
        (edit("test/bugs.yaml", "browse/JDK-8351983", "browse/x"), "links: add https://"),
        (edit("test/bugs.yaml", r"^    fixed: .*\n"), "mend it first"),
        (edit("test/TEST.groups", ":http ", ""), f"{TEST} is not in full"),
        (edit(STORED, rf'^.*"{TEST}".*\n'), f"no reproduced cell of {TEST}"),
        (lambda root: (root / "test" / TEST).unlink(), f"test/{TEST}: no such file"),
        (
            edit("test/selftest/preconditions/NoSilentPass.java", '"certpath"', '"x"'),
            "no NoSilentPass has certpath",
        ),
    ],
)
def test_each_gap_is_listed(scratch: Path, change: Callable[[Path], None], gap: str) -> None:
    change(scratch)
    assert any(gap in line for line in list_gaps(scratch)), list_gaps(scratch)
