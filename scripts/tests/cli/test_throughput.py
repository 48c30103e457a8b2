# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`throughput` and `validate`: mistakes, and what a dry run says."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.config.version import parse
from jdkmatrix.flow.tools import Tools
from jdkmatrix.supply.build import Build
from tests.conftest import ROOT
from tests.flow.run_kit import PLAIN, StandInSupplier

PATCH = ROOT / "test" / "planted" / "slow-10-17.diff"

MISTAKES = [
    ("throughput --blocks 0", "--blocks 0: too few; accepted: 1 or more"),
    ("throughput --blocks many", "--blocks many: accepted: a whole number"),
    ("throughput --scenario nix", "--scenario nix: no such scenario; accepted: neighbour, "),
    (
        "throughput --client curl",
        "--client curl: no such client or service; accepted: https-url-connection,",
    ),
    ("throughput --client h2load", "--client h2load: drives services; accepted: a client or a"),
    (
        "throughput --scenario server-steady --client java-net-http",
        "--client java-net-http: accepted in server-steady: jetty-plain, jetty-jsse,",
    ),
    (
        "throughput --scenario server-steady --client jetty-jsse --client java-net-http",
        "--client java-net-http: accepted in server-steady: jetty-plain, jetty-jsse,",
    ),
    ("throughput --build nix", "--build nix: no such build; accepted: debian-8"),
    ("throughput --sweep --scenario reuse", "no scenario chosen has a sweep; accepted: azure-500"),
    (
        "throughput --build temurin-17* --baseline temurin-11.0.13+8",
        "--baseline temurin-11.0.13+8: not in the selection; accepted: temurin-17.0.",
    ),
    ("throughput --baseline nix", "--baseline nix: not in the selection; accepted: debian-8"),
    (
        "throughput --overlay nix --overlay-patch nix",
        "--overlay and --overlay-patch: accepted: one of them",
    ),
    ("throughput --overlay-patch nix", "/nix: no such file; accepted: a unified"),
    ("throughput --overlay {tmp}", "--overlay {tmp}: no classes in it"),
    (
        "throughput --build debian-8 --baseline debian-8 --overlay-patch {patch}",
        "--baseline debian-8 and --overlay-patch {patch}: accepted: one of them",
    ),
    ("throughput --resume --blocks 3", "--resume takes all but --minutes, --wait, --offline,"),
    ("throughput --resume --out {tmp}", "{tmp}: not a run; accepted: a folder that holds run.json"),
    ("throughput --copies -1", "--copies -1: accepted: 0 or more"),
    ("throughput --minimum-effect 5", "--minimum-effect 5: accepted: 1 or less"),
    ("throughput --shard 1/2", "--shard: accepted with --seed N, the same for all shards"),
    (
        "throughput --dry-run --shard 3/2 --seed 1",
        "--shard 3/2: accepted: I/N with I from 1 to N, such as 2/3",
    ),
    ("throughput --dry-run --jdk {tmp}", "--jdk {tmp}: not a JDK: no bin/java"),
    ("validate", "validate: accepted: a JDK, as in scripts/matrix validate ~/jdk-17.0.20 "),
    ("validate debian-8 --resume", "); or --resume, with --minutes and the folders of the run"),
    (
        "validate debian-8 --baseline debian-8",
        "--baseline debian-8: is the build under test; accepted",
    ),
    ("validate nix", "JDK-OR-PATH nix: no such build; accepted: debian-8"),
    ("validate {tmp}/nix", "JDK-OR-PATH {tmp}/nix: no such folder"),
    ("validate {tmp}", "JDK-OR-PATH {tmp}: not a JDK: no bin/java"),
    ("validate debian-8 --baseline nix", "--baseline nix: no such build; accepted: debian-8"),
]


@pytest.fixture(autouse=True)
def own_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jdkmatrix.flow.tools.PLACE", tmp_path)


@pytest.mark.parametrize(("arguments", "line"), MISTAKES, ids=[m[0] for m in MISTAKES])
def test_one_line_and_exit_code_4(
    arguments: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments.format(tmp=tmp_path, patch=PATCH).split()) == 4
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert line.format(tmp=tmp_path, patch=PATCH) in err


def plan(arguments: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    assert main(f"throughput --dry-run --json {arguments}".split()) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == 2
    rows: list[dict[str, object]] = document["throughput"]
    return rows


def test_a_dry_run_fetches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path / "cache"))
    rows = plan("--scenario gap --build temurin-17.0.[39]* --blocks 3", capsys)
    assert not (tmp_path / "cache").exists()
    (row,) = rows
    # The older one is affected by what the scenario shows, so it is no baseline.
    assert (row["baseline"], row["builds"]) == ("temurin-17.0.9+9", ["temurin-17.0.3+7"])
    assert row["blocks"] == 3


def test_the_baseline_is_the_release_before(capsys: pytest.CaptureFixture[str]) -> None:
    builds = "--build temurin-17.0.3+7 --build temurin-17.0.7+7 --build temurin-17.0.9+9"
    (row,) = plan(f"--scenario gap {builds}", capsys)
    assert row["baseline"] == "temurin-17.0.7+7"
    (row,) = plan(f"--scenario reuse --client azure-jdk {builds}", capsys)
    assert row["baseline"] == "temurin-17.0.7+7"


def test_each_train_has_its_own_comparison_and_one_build_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    builds = "--build temurin-11* --build temurin-17* --build temurin-21.0.8+9"
    rows = plan(f"--scenario gap {builds}", capsys)
    assert [str(row["baseline"]).partition(".")[0] for row in rows] == ["temurin-11", "temurin-17"]
    rows = plan("--scenario gap --build temurin-2*.[28]+* --baseline temurin-25.0.2+10", capsys)
    assert [row["builds"] for row in rows] == [["temurin-21.0.2+13", "temurin-21.0.8+9"]]


def test_with_an_overlay_each_build_without_it_is_the_baseline(
    capsys: pytest.CaptureFixture[str],
) -> None:
    builds = "--build temurin-17.0.[39]*"
    rows = plan(f"--scenario reuse --client azure-jdk {builds} --overlay-patch {PATCH}", capsys)
    assert [(row["baseline"], row["builds"]) for row in rows] == [
        (build, [f"{build}+overlay-slow-10-17"])
        for build in ("temurin-17.0.3+7", "temurin-17.0.9+9")
    ]


def test_copies_of_the_baseline_are_compared_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    build = "temurin-17.0.9+9"
    (row,) = plan(f"--scenario gap --build {build} --copies 2 --blocks 1", capsys)
    assert (row["baseline"], row["builds"]) == (build, [f"{build}+copy-1", f"{build}+copy-2"])
    assert row["seconds_at_most"] == 81  # peers, a sample that is not graded, and four
    rows = plan(f"--scenario gap --build {build} --copies 1 --overlay-patch {PATCH}", capsys)
    assert rows[0]["builds"] == [f"{build}+overlay-slow-10-17", f"{build}+copy-1"]


def test_what_is_compared_with_nothing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    builds = "--build debian-8 --build temurin-17.0.3+7 --build temurin-17.0.9+9"
    command = f"throughput --dry-run {builds} --scenario"
    assert main(f"{command} gap".split()) == 0
    stderr = capsys.readouterr().err
    assert "is not compared: no other build of train 8; see --baseline" in stderr
    assert "17.0.3" not in stderr
    assert (
        main(["throughput", "--dry-run", *f"--scenario reuse {builds} --baseline debian-8".split()])
        == 0
    )
    stderr = capsys.readouterr().err
    assert stderr == "matrix: reuse with java-net-http is left out: needs two builds of 11+\n"


@pytest.mark.parametrize("option", ["", "--copies 1", "--overlay-patch {patch}"])
def test_a_build_that_is_too_old_is_told_what_is_needed(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "--scenario reuse --client java-net-http --build debian-8"
    arguments = f"--dry-run {options} {option.format(patch=PATCH)}"
    assert main(["throughput", *arguments.split()]) == 0
    stderr = capsys.readouterr().err
    assert stderr.endswith(" is not compared: the selected workloads need JDK 11 or later\n")
    assert stderr.count("\n") == 1


def test_a_client_runs_on_the_trains_that_it_is_made_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    builds = "--build debian-8 --build temurin-21.0.8+9 --baseline temurin-21.0.8+9"
    assert plan(f"--scenario reuse --client java-net-http {builds}", capsys) == []
    assert len(plan(f"--scenario reuse --client azure-jdk {builds}", capsys)) == 1


def test_a_scenario_is_for_builds_that_have_what_it_asks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    scenario = "--scenario server-handshake-pq --service netty-jsse"
    assert plan(f"{scenario} --build debian-2[67] --baseline debian-27", capsys) == []
    assert len(plan(f"{scenario} --build debian-27 --copies 1", capsys)) == 1


def test_controls_and_sweeps_are_workloads(capsys: pytest.CaptureFixture[str]) -> None:
    builds = "--build temurin-17.0.[39]*"
    rows = plan(f"--scenario gap* --scenario gap/tls* {builds}", capsys)
    assert [row["scenario"] for row in rows] == ["gap", "gap/tls12"]
    rows = plan(f"--scenario azure-500 --sweep {builds}", capsys)
    assert "azure-500@rtt-ms=2,threads=8" in [row["scenario"] for row in rows]
    assert len(rows) == 12
    seconds = {row["scenario"]: int(str(row["seconds_at_most"])) for row in rows}
    longest, usual = (f"azure-500@rtt-ms={point}" for point in ("200,threads=256", "2,threads=8"))
    # 256 threads let in one after the other, each held for 200 ms, before it is measured.
    assert seconds[longest] - seconds[usual] > 40 * 3


def test_a_control_has_the_baseline_of_its_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    builds = "--build temurin-11.0.13+8 --build debian-11.0.24+8"
    rows = plan(f"--scenario gap --scenario gap/* {builds}", capsys)
    assert len(rows) > 1
    assert {row["baseline"] for row in rows} == {"debian-11.0.24+8"}


def test_shards_are_parts_of_the_whole(capsys: pytest.CaptureFixture[str]) -> None:
    options = (
        "--build temurin-11* --build temurin-17* --scenario neighbour --scenario reuse --seed 1"
    )
    whole = plan(options, capsys)
    parts = [plan(f"{options} --shard {index}/3", capsys) for index in (1, 2, 3)]
    assert all(parts)
    assert [row for part in parts for row in part] == whole


OWN_VERSIONS = ("17.0.3+7", "21.0.4+7", "21.0.8+9")


class OwnJdks(StandInSupplier):
    """Each folder is the release that it is named for."""

    def local(self, path: Path, _: str = "") -> Build:
        number = parse(path.name)
        return replace(PLAIN, id=f"own-{path.name}", version=number, train=number.train, home=path)


@pytest.fixture
def own_jdks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The options that choose three JDKs of the user's own."""
    monkeypatch.setattr(Tools, "supplier", lambda *_, **__: OwnJdks())
    for name in OWN_VERSIONS:
        (tmp_path / name / "bin").mkdir(parents=True)
        (tmp_path / name / "bin" / "java").touch()
    return " ".join(f"--jdk {tmp_path / name}" for name in OWN_VERSIONS)


def test_a_shard_has_its_part_of_the_users_own_jdks(
    own_jdks: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = f"--scenario gap --build temurin-17.0.9+9 {own_jdks} --seed 1"
    parts = [plan(f"{options} --shard {index}/2", capsys) for index in (1, 2)]
    assert [(row["baseline"], row["builds"]) for part in parts for row in part] == [
        ("temurin-17.0.9+9", ["own-17.0.3+7"]),
        ("own-21.0.4+7", ["own-21.0.8+9"]),
    ]


def test_a_jdk_of_the_users_own_can_be_the_baseline(
    own_jdks: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = f"--scenario reuse --client azure-jdk --build temurin-17.0.9+9 {own_jdks}"
    (row,) = plan(f"{options} --baseline {tmp_path}/{OWN_VERSIONS[1]}", capsys)
    builds = ["temurin-17.0.9+9", "own-17.0.3+7", "own-21.0.8+9"]
    assert (row["baseline"], row["builds"]) == ("own-21.0.4+7", builds)
