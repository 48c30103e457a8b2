# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The file of planted faults, and what may be wrong in it."""

from pathlib import Path

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.planted import load_planted
from jdkmatrix.errors import UsageError
from jdkmatrix.overlay.patch import parse_patch
from jdkmatrix.plan.expectation import expect
from jdkmatrix.supply.cache.jdks_lock import LockFile
from jdkmatrix.vocabulary import Expectation

MISTAKES = [
    ("patch: close-under-lock-8.diff", "patch: nix.diff", "no file nix.diff beside it"),
    ("bug: JDK-8293562", "bug: JDK-1234567", "JDK-1234567: not in the ledger"),
    ("bug: JDK-8293562", "bug: JDK-8293562\n    tests: [a.java]", "a.java is not a test of JDK-8"),
    ("id: close-under-lock-11", "id: close-under-lock-8", "duplicate id 'close-under-lock-8'"),
    ("verdict: flaky", "verdict: as-expected", "verdict"),
    ("promise: tls13", "promise: tls14", "no condition 'tls14'; accepted: tls13, "),
    ("bug: JDK-8293562", "", "accepted: bug, or rows with tests"),
    ("    tests: [interop/QuickRows.java]\n", "", "accepted: bug, or rows with tests"),
    ("security: tls13-off.security", "", "accepted: patch or security, one of them"),
]


@pytest.mark.parametrize(("right", "wrong", "says"), MISTAKES)
def test_mistakes(
    root: Path, ledger: Ledger, tmp_path: Path, right: str, wrong: str, says: str
) -> None:
    for file in (root / "test" / "planted").iterdir():
        (tmp_path / file.name).write_text(file.read_text())
    path = tmp_path / "planted.yaml"
    text = path.read_text()
    assert right in text
    path.write_text(text.replace(right, wrong, 1))
    with pytest.raises(UsageError, match=says):
        load_planted(path, ledger)


def test_faults_lie_over_builds_that_do_not_have_the_bug(
    root: Path, ledger: Ledger, jdks: JdksFile
) -> None:
    last_builds = LockFile(root / "jdks.lock").last_builds()
    faults = load_planted(root / "test" / "planted" / "planted.yaml", ledger).planted
    for fault in faults:
        for build in fault.builds:
            jdks.entry(build)
            version = last_builds[build].version
            if fault.bug is None:
                continue
            expected = expect(ledger.bug(fault.bug), version, ledger)
            assert expected in (Expectation.FIXED, Expectation.NOT_APPLICABLE)
    for slow_down in load_planted(root / "test" / "planted" / "planted.yaml", ledger).throughput:
        assert jdks.entry(slow_down.builds[0])
    trains = {jdks.entry(build).version.train for fault in faults for build in fault.builds}
    assert trains >= {8, 11, 17, 21}


def test_the_diffs_carry_lines_of_ours_only(root: Path) -> None:
    for diff in (root / "test" / "planted").glob("*.diff"):
        for file in parse_patch(diff.read_text()):
            for hunk in file:
                assert all(line.is_added for line in hunk), diff


def test_a_slow_down_is_no_fault_of_cells_and_says_how_to_see_it(
    root: Path, ledger: Ledger
) -> None:
    file = load_planted(root / "test" / "planted" / "planted.yaml", ledger)
    with pytest.raises(UsageError) as error:
        file.fault("echo-slow-17")
    assert str(error.value) == (
        "planted echo-slow-17: shows only in throughput figures; run scripts/matrix throughput "
        "--scenario server-reuse-16kib --build debian-17.0.12+7 "
        "--overlay-patch test/planted/echo-slow-17.diff"
    )


def test_a_fault_that_there_is_not_leaves_no_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["planted", "close-under-lock-8", "nix", "--out", str(out)]) == 4
    assert not out.exists()


@pytest.mark.parametrize(
    ("shard", "says"),
    [
        ("8/7", "--shard 8/7: accepted: I/N with I from 1 to N, such as 2/3"),
        ("1/3", "3 shards of 2 cells; accepted: 1 to 2"),
    ],
)
def test_a_part_that_there_is_not_leaves_no_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shard: str, says: str
) -> None:
    out = tmp_path / "out"
    two_faults = ["close-under-lock-8", "close-under-lock-11"]
    assert main(["planted", *two_faults, "--shard", shard, "--out", str(out)]) == 4
    assert says in capsys.readouterr().err
    assert not out.exists()
