# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which stored runs can `throughput --resume` go on with? What it then measures: test_run.py."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.paths import Checkout
from jdkmatrix.run.machine import kit_here, machine_record
from jdkmatrix.run.record import KitRecord, Request, RunRecord
from jdkmatrix.run.store import RunFolder
from jdkmatrix.run.throughput_store import ComparisonRecord, ThroughputRecord, write_plan
from jdkmatrix.throughput.pipeline import Supplied
from tests.comparison.conftest import make_build, make_scenario

BUILD = "temurin-17.0.9+9"


def stored(tmp: Path, plan: dict[str, Any] | None, **changes: Any) -> RunFolder:
    """A run of one comparison in `tmp/run`; without a plan it is one of the matrix."""
    folder = RunFolder.create(tmp, tmp / "run")
    build = make_build(tmp / "build", BUILD)
    record = RunRecord(
        run="run",
        started="2026-11-21T08:00:00Z",
        request=Request(builds=(BUILD,)),
        machine=machine_record(),
        kit=KIT,
        builds=(build,),
    )
    folder.write_run(record.model_copy(update=changes))
    if plan is not None:
        comparison = ComparisonRecord(
            scenario_name="test",
            scenario=make_scenario(),
            client=plan.pop("client", "https-url-connection"),
            layer="httpurlconnection",
            builds=(BUILD, f"{BUILD}+copy-1"),
            baseline=BUILD,
        )
        told = {"schema": 1, "seed": 1, "blocks": 2, "minimum_effect": 0.05, **plan}
        write_plan(folder.path, ThroughputRecord(comparisons=(comparison,), **told))
    return folder


KIT = kit_here(Checkout.here().root)
OTHER_MACHINE = machine_record().model_copy(update={"cores": 1000})
REFUSED = [
    ("a run of the matrix", None, {}, 4, "no throughput run; go on with it: scripts/matrix run"),
    ("a validation", {"validates": (BUILD, "x")}, {}, 4, "a validation, made in one go"),
    ("a finished run", {}, {"finished": "2026-11-21T09:00:00Z"}, 3, "every block was run"),
    ("another machine", {}, {"machine": OTHER_MACHINE}, 4, "with 1000 cores; accepted: a run of"),
    ("another kit", {}, {"kit": KitRecord(version="0.0.9", commit=None)}, 4, "begun by kit 0.0.9,"),
    ("a client of old", {"client": "curl"}, {}, 4, "no client curl; accepted: https-url"),
]


@pytest.mark.parametrize(
    ("plan", "changes", "code", "says"), [case[1:] for case in REFUSED], ids=[c[0] for c in REFUSED]
)
def test_refused(
    plan: dict[str, Any] | None,
    changes: dict[str, Any],
    code: int,
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = stored(tmp_path, plan, **changes)
    before = {path.name: path.read_bytes() for path in folder.path.iterdir()}
    assert main(["throughput", "--resume", "--out", str(folder.path)]) == code
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert says in err
    assert {path.name: path.read_bytes() for path in folder.path.iterdir()} == before


def test_a_run_of_the_matrix_sends_to_the_right_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = stored(tmp_path, {})
    assert main(["run", "--resume", "--out", str(folder.path)]) == 4
    assert "go on with it: scripts/matrix throughput --resume" in capsys.readouterr().err


def test_a_validation_is_made_anew_of_the_jdk_that_was_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    request = Request(jdks=("/opt/my jdk",))
    folder = stored(tmp_path, {"validates": (BUILD, f"{BUILD}@baseline")}, request=request)
    for command in ("run", "throughput"):
        assert main([command, "--resume", "--out", str(folder.path)]) == 4
        again = f"scripts/matrix validate '/opt/my jdk' --baseline {BUILD}"
        assert capsys.readouterr().err.endswith(f"anew: {again}\n")


@pytest.mark.jdk
def test_a_build_that_is_not_what_it_was_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("jdkmatrix.run.run_lock.PLACE", tmp_path)  # a lock of its own
    folder = stored(tmp_path, {})
    assert main(["throughput", "--resume", "--offline", "--out", str(folder.path)]) == 4
    err = capsys.readouterr().err
    assert f"{BUILD} is not what it was; accepted: a new run" in err


def test_peers_on_another_jdk_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # a lock of its own
    folder = stored(tmp_path, {}, kit=KIT.model_copy(update={"tool_jdk": "old"}))
    builds = {build.id: build for build in folder.read_run().builds}
    tool_jdk: Any = SimpleNamespace(id="new")
    supplied = Supplied(builds, (), tool_jdk, jars=tool_jdk)
    monkeypatch.setattr(Supplied, "of", lambda *_: supplied)
    assert main(["throughput", "--resume", "--offline", "--out", str(folder.path)]) == 4
    err = capsys.readouterr().err
    assert "its peers ran on old, which is new now; accepted: a new run" in err
