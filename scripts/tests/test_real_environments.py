# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Whatever the environment is: a good build never ends with exit code 1, a regression always does
where cells can run. No traceback, no finished cell lost.

The regression is planted in a copy of the ledger, which says that a real bug of a real build is
fixed there. Each time some of the environments are tried, with `scripts/test --long` all of them.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from tests import fuzz
from tests.environments import ENVIRONMENTS, Environment
from tests.test_real_matrix import AFFECTED_17, FIXED, ZERO

pytestmark = [pytest.mark.network, pytest.mark.jdk, pytest.mark.slow]

TIMEOUT_S = 600
_FIX_17 = "{8: 8u422-b01, 11: 11.0.20+1, 17: 17.0.8+1, 20: 20+20}"
_PLANTED = _FIX_17.replace("17.0.8+1", "17.0.1+1")
_OF_THE_KIT = ("scripts", "jtreg", "test", "jdks.yaml", "jdks.lock")


def copy_checkout(root: Path, place: Path) -> Path:
    """A checkout at `place` whose ledger says that the bug was fixed before it was."""
    ignore = shutil.ignore_patterns("tests", ".*_cache")  # compiled it starts in half the time
    for name in _OF_THE_KIT:
        source = root / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=ignore)
        else:
            place.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, place / name)
    ledger = place / "test" / "bugs.yaml"
    text = ledger.read_text()
    assert text.count(_FIX_17) == 1
    ledger.write_text(text.replace(_FIX_17, _PLANTED))
    return place


@pytest.fixture(scope="module")
def checkout(root: Path, tmp_path_factory: pytest.TempPathFactory, tool_jdk: Path) -> Path:
    assert tool_jdk
    place = copy_checkout(root, tmp_path_factory.mktemp("checkout") / "kit")
    fetch = [str(root / "scripts" / "matrix"), "jdks", "fetch", FIXED, AFFECTED_17]
    subprocess.run(fetch, check=True, capture_output=True, timeout=TIMEOUT_S)
    run(place, Environment("here", '"$@"'), place.parent / "warm", FIXED, AFFECTED_17)
    return place


def run(
    checkout: Path, environment: Environment, folder: Path, *builds: str
) -> subprocess.CompletedProcess[str]:
    """Run the cheapest cell on these builds there."""
    names = [option for build in builds for option in ("--build", build)]
    command = [str(checkout / "scripts" / "matrix"), "run", "--offline", "--no-confirm", *names]
    command += ["--test", ZERO, "--out", str(folder / "out")]
    (folder / "scratch").mkdir(parents=True)
    variables = {"t": str(folder / "scratch"), "c": str(cache_root())}
    return subprocess.run(
        ["sh", "-c", environment.script, "sh", *command],
        env={**os.environ, **variables, "JDKMATRIX_HISTORY": str(folder / "history.sqlite")},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


def check(process: subprocess.CompletedProcess[str], out: Path, code: int, refusal: str) -> None:
    """It ended with that code; without a traceback, with every cell that it finished."""
    text = f"{process.stdout}\n{process.stderr}"
    assert process.returncode == code, text
    assert "Traceback" not in text
    assert "defect" not in text
    if refusal:
        lines = [line for line in process.stderr.splitlines() if refusal in line]
        assert len(lines) == 1, text
        assert not list(out.rglob("cell.json"))
        return
    assert len(json.loads((out / "results.json").read_text())["cells"]) == 1
    assert len(list(out.rglob("cell.json"))) == 1


def skip_unless_it_can_be_made(environment: Environment) -> None:
    process = subprocess.run(["sh", "-c", environment.needs], capture_output=True, check=False)
    if process.returncode != 0:
        pytest.skip(f"an environment that can not be made here: {environment}: {environment.needs}")


@pytest.mark.parametrize(
    "environment",
    [line for line in ENVIRONMENTS if line.is_quick or fuzz.is_long()],
    ids=str,
)
def test_a_finding_is_one_and_nothing_else_is(
    checkout: Path, environment: Environment, tmp_path: Path
) -> None:
    skip_unless_it_can_be_made(environment)
    if environment.refusal:  # before a build is looked at
        process = run(checkout, environment, tmp_path / "none", FIXED, AFFECTED_17)
        check(process, tmp_path / "none/out", environment.code, environment.refusal)
        return
    for build, code in ((FIXED, environment.fine), (AFFECTED_17, 1)):
        process = run(checkout, environment, tmp_path / f"{code}", build)
        check(process, tmp_path / f"{code}/out", code, "")


# Paths that programs cut are refused; others are as good as any.
@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("a b", "has a space"),
        ("a:b", "has a colon"),
        ("a\nb", "has a line break"),
        pytest.param(
            "a'b\"c", "", marks=pytest.mark.skipif(not fuzz.is_long(), reason="only with --long")
        ),
        ("ä€😀" + "x" * 180, ""),
    ],
    ids=["blank", "colon", "line break", "quotes", "long, UTF-8"],
)
def test_whatever_the_path_of_the_checkout_is(
    checkout: Path, name: str, refusal: str, tmp_path: Path
) -> None:
    place = tmp_path / name / "kit"
    shutil.copytree(checkout, place)
    plain = Environment("here", '"$@"')
    if refusal:
        check(run(place, plain, tmp_path / "none", FIXED), tmp_path / "none/out", 4, refusal)
        return
    for build, code in ((FIXED, 0), (AFFECTED_17, 1)):
        process = run(place, plain, tmp_path / f"{code}", build)
        check(process, tmp_path / f"{code}/out", code, "")


def test_there_are_forty_and_no_two_are_alike() -> None:
    assert len({re.sub(r"\s+", " ", line.script) for line in ENVIRONMENTS}) >= 40
