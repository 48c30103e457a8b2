# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a bisection by a scenario prints, and its exit code, with comparisons that are played."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jdkmatrix.cli.bisect_scenario import bisect_scenario
from jdkmatrix.errors import UnfinishedError, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import Request
from jdkmatrix.vocabulary import SpeedGrade
from tests.bisect.compared_kit import make_comparison
from tests.report.conftest import make_build

RATIOS = {"17.0.2": 0.01, "17.0.3": 0.01, "17.0.7": 0.98, "17.0.8": 0.99, "17.0.9": 1.0}
BAD, GOOD = "temurin-17.0.2+8", "temurin-17.0.9+9"


class PlayedComparisons:
    """Comparisons with these ratios, by version; `builds` are those that were compared."""

    def __init__(self, ratios: dict[str, float]) -> None:
        self.ratios = ratios
        self.builds: list[str] = []

    def __call__(self, request: Request, _: Path) -> Any:
        assert request.speed
        assert request.speed.baseline == GOOD
        (build,) = (name for name in request.builds if name != GOOD)
        self.builds.append(build)
        ratio = next(figure for version, figure in self.ratios.items() if version in build)
        grade = SpeedGrade.SLOWER if ratio < 0.9 else SpeedGrade.INCONCLUSIVE
        comparison = make_comparison(ratio, grade=grade, build=build)
        builds = tuple(make_build(name) for name in request.builds)
        return SimpleNamespace(complete=True, builds=builds, throughput=(comparison,))


def bisect(runs: PlayedComparisons, out: Path, scenario: str = "neighbour") -> int:
    return bisect_scenario(Checkout.current(), scenario, None, GOOD, BAD, runs, out)


def test_agrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake = PlayedComparisons(RATIOS)
    assert bisect(fake, tmp_path) == 0
    first, costs, runs = capsys.readouterr().out.splitlines()
    assert first == (
        "first no longer slower in neighbour: 17.0.7+7 (by JDK-8293562 the ledger says "
        "17.0.3+7 affected, 17.0.7+7 fixed): agrees"
    )
    assert costs.strip() == "3 of 4 builds run, 5 runs; linear: 4 builds"
    assert runs == f"runs: {tmp_path}"
    assert fake.builds[0] == "temurin-17.0.2+8"
    assert set(fake.builds) == {"temurin-17.0.2+8", "temurin-17.0.3+7", "temurin-17.0.7+7"}


def test_disagrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bisect(PlayedComparisons({**RATIOS, "17.0.7": 0.012}), tmp_path) == 1
    assert "17.0.8.1+1 fixed): disagrees, 17.0.7+7 was the last bad" in capsys.readouterr().out


def test_a_scenario_that_shows_no_bug(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bisect(PlayedComparisons(RATIOS), tmp_path, "reuse") == 0
    assert "reuse: 17.0.7+7 (the ledger has no bug that it shows)" in capsys.readouterr().out


def test_ends_that_do_not_differ(tmp_path: Path) -> None:
    runs = PlayedComparisons(dict.fromkeys(RATIOS, 0.99))
    # Inconclusive: three tries for each end, until only the baseline is left.
    with pytest.raises(UsageError, match="train 17 has no builds on both sides of the change: "):
        bisect(runs, tmp_path)
    assert len(runs.builds) == 12


def test_a_build_that_moved_meanwhile_gives_no_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = PlayedComparisons(RATIOS)

    def move(request: Request, folder: Path) -> Any:
        results = runs(request, folder)
        results.builds = tuple(
            build.model_copy(update={"version": "17.0.4+8"}) if "17.0.7" in build.entry else build
            for build in results.builds
        )
        return results

    assert bisect_scenario(Checkout.current(), "neighbour", None, GOOD, BAD, move, tmp_path) == 0
    out, err = capsys.readouterr()
    assert out.startswith("first no longer slower in neighbour: 17.0.8.1+1 ")
    assert "  passed over: temurin-17.0.7+7 gave no verdict\n" in out
    assert ": temurin-17.0.7+7: no verdict: it was 17.0.7+7 when the search began\n" in err


def test_interrupted_it_goes_on_offline(tmp_path: Path) -> None:
    def interrupt(*_: object) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(UnfinishedError) as error:
        bisect_scenario(
            Checkout.current(), "neighbour", None, GOOD, BAD, interrupt, tmp_path, offline=True
        )
    command = "scripts/matrix bisect --scenario neighbour --offline"
    options = f"{command} --good {GOOD} --bad {BAD}"
    assert str(error.value) == f"not everything was run; to continue: {options}"
