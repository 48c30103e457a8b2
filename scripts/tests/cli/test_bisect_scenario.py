# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a bisection by a scenario prints, and its exit code, with comparisons that are played."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jdkmatrix.bisect import scenario_probe
from jdkmatrix.cli.app import main
from jdkmatrix.throughput.selection import ThroughputSelection
from jdkmatrix.verdict.ratio import SpeedGrade
from tests.bisect.compared_kit import compared

RATIOS = {"17.0.2": 0.01, "17.0.3": 0.01, "17.0.7": 0.98, "17.0.9": 1.0}
ENDS = ["--bad", "temurin-17.0.2+8", "--good", "temurin-17.0.9+9"]
Play = Callable[[dict[str, float]], list[str]]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Comparisons with these ratios, by version; returns which builds were compared."""
    ran: list[str] = []

    def install(ratios: dict[str, float]) -> list[str]:
        def compare(_: object, selection: ThroughputSelection, *__: Any, **___: Any) -> Any:
            assert selection.baseline == "temurin-17.0.9+9"
            (build,) = (one.id for one in selection.entries if one.id != selection.baseline)
            ran.append(build)
            ratio = next(one for version, one in ratios.items() if version in build)
            grade = SpeedGrade.SLOWER if ratio < 0.9 else SpeedGrade.INCONCLUSIVE
            result = compared(ratio, grade=grade, build=build)
            return SimpleNamespace(complete=True, throughput=(result,)), Path()

        monkeypatch.setattr(scenario_probe, "run_throughput", compare)
        return ran

    return install


def test_agrees(play: Play, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = play(RATIOS)
    assert main(["bisect", "--scenario", "neighbour", *ENDS, "--out", str(tmp_path)]) == 0
    first, costs, runs = capsys.readouterr().out.splitlines()
    assert first == (
        "first no longer slower in neighbour: 17.0.7+7 (by JDK-8293562 the ledger says "
        "17.0.3+7 affected, 17.0.7+7 fixed): agrees"
    )
    assert costs.strip() == "3 of 3 builds run, 5 runs; linear: 3 builds"
    assert runs == f"runs: {tmp_path}"
    assert ran[0] == "temurin-17.0.2+8"
    assert set(ran) == {"temurin-17.0.2+8", "temurin-17.0.3+7", "temurin-17.0.7+7"}


def test_disagrees(play: Play, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play({**RATIOS, "17.0.7": 0.012})
    assert main(["bisect", "--scenario", "neighbour", *ENDS, "--out", str(tmp_path)]) == 1
    assert "17.0.9+9 fixed): disagrees, 17.0.7+7 was the last bad" in capsys.readouterr().out


def test_a_scenario_that_shows_no_bug(
    play: Play, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(RATIOS)
    assert main(["bisect", "--scenario", "reuse", *ENDS, "--out", str(tmp_path)]) == 0
    assert "reuse: 17.0.7+7 (the ledger has no bug that it shows)" in capsys.readouterr().out


def test_ends_that_do_not_differ(
    play: Play, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = play(dict.fromkeys(RATIOS, 0.99))
    assert main(["bisect", "--scenario", "neighbour", *ENDS, "--out", str(tmp_path)]) == 4
    err = capsys.readouterr().err
    # Inconclusive: three tries for each end, until only the baseline is left.
    assert "train 17 has no builds on both sides" in err
    assert len(ran) == 9
