# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A run's folder may be anybody's: what its record names is not started on its word alone."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest
from rich.console import Console

from jdkmatrix.cli.app import main
from jdkmatrix.errors import UsageError
from jdkmatrix.flow import flow
from jdkmatrix.paths import Checkout
from jdkmatrix.records.provenance import machine_record
from jdkmatrix.records.record import MergedShard
from jdkmatrix.records.request import Request, SpeedRequest
from jdkmatrix.report.console.display import Display
from tests.flow.run_kit import PLAIN, PlayedTools, Stage, StandInSupplier, store

SPEED = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1)
VALIDATES = SPEED.model_copy(update={"minutes": 1, "baseline": "/evil/old"})
FOREIGN: list[tuple[str, Request]] = [
    ("run --resume --jdk /evil/jdk", Request(jdks=("/evil/jdk",))),
    ("run --resume --jdk '/evil/a b' --jdk /b", Request(jdks=("/evil/a b", "/b"))),
    ("run --resume --suite /evil", Request(builds=(PLAIN.id,), suite="/evil")),
    ("run --resume --overlay /evil", Request(builds=(PLAIN.id,), overlay="/evil")),
    ("run --resume --overlay-patch /evil", Request(builds=(PLAIN.id,), overlay_patch="/evil")),
    (
        "throughput --resume --jdk /evil/jdk",
        Request(jdks=("/evil/jdk",), cells=False, speed=SPEED),
    ),
    (
        "validate --resume /evil/jdk --baseline /evil/old",
        Request(jdks=("/evil/jdk",), speed=VALIDATES),
    ),
]


class NoLocalSupplier(StandInSupplier):
    """Looks at no folder."""

    def local(self, path: Path, _: str = "") -> NoReturn:
        raise AssertionError(f"{path} was started")


def resume(
    run: Path | None, request: Request, places: Sequence[str], stage: Stage, reports: Path
) -> flow.FinishedRun:
    tools = PlayedTools(stage)
    tools.lock_place = reports
    tools.checkout = Reports(tools.checkout.root, reports)
    options = flow.RunOptions(jobs=1, out=run, places=tuple(places))
    return flow.resume(tools, request.command, options, Display(Console(quiet=True)))


@dataclass(frozen=True)
class Reports(Checkout):
    """The checkout, its reports elsewhere."""

    place: Path

    @property
    def reports(self) -> Path:
        return self.place


@pytest.mark.parametrize(("command", "request_"), FOREIGN, ids=[case[0] for case in FOREIGN])
def test_what_only_its_record_names_is_not_started(
    command: str, request_: Request, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    run.mkdir()
    record = store(run, request=request_, machine=machine_record())
    some_places = request_.places[:-1]
    for places in ((), some_places, (*request_.places, "--jdk /another")):
        with pytest.raises(UsageError) as error:
            resume(run, request_, places, Stage(supplier=NoLocalSupplier()), tmp_path)
        assert str(error.value).endswith(f"; accepted: scripts/matrix {command} --out {run}")
    with pytest.raises((AssertionError, UsageError)) as failure:
        resume(run, record.request, request_.places, Stage(supplier=NoLocalSupplier()), tmp_path)
    assert "accepted: scripts/matrix" not in str(failure.value)


def test_its_paths_are_told_in_one_line() -> None:
    line = Request(jdks=("/a\n::stop-commands::x\x1b[2J", "/b" * 10_000)).resumed_by(Path("/run"))
    assert line.isprintable()
    assert len(line) == 4000


def test_a_merged_run_is_of_others_and_the_latest_of_ones_own(tmp_path: Path) -> None:
    request = Request(jdks=("/jdk",), tests=("tls13/CipherSuiteLookupCopiesTable.java",))
    run = tmp_path / "run"
    run.mkdir()
    (tmp_path / ".latest-run").symlink_to("run")
    machine = machine_record()
    shard = MergedShard(shard="1/1", run="x", started="x", finished=None, machine=machine)
    store(run, request=request, merged=(shard,))
    with pytest.raises(UsageError, match="accepted: scripts/matrix run --resume --jdk /jdk --out"):
        resume(None, request, (), Stage(supplier=NoLocalSupplier()), tmp_path)
    store(run, request=request, builds=())
    assert len(resume(None, request, (), Stage(), tmp_path).results.cells) == 1


def test_a_planted_jdk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jdk, marker = tmp_path / "jdk", tmp_path / "started"
    for folder in ("bin", "lib"):
        (jdk / folder).mkdir(parents=True)
    (jdk / "lib" / "modules").touch()
    java = jdk / "bin" / "java"
    java.write_text(f"#!/bin/sh\ntouch {shlex.quote(str(marker))}\n")
    java.chmod(0o755)
    run = tmp_path / "run"
    run.mkdir()
    store(run, request=Request(jdks=(str(jdk),)))
    options: list[Any] = ["--jdk", str(jdk)]
    assert main(["run", "--resume", "--out", str(run)]) == 4
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert not marker.exists()
    assert main(["run", "--resume", "--out", str(run), *options]) == 4  # it says of itself nothing
    assert marker.exists()
