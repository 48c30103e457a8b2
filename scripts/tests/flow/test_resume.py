# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A run is not gone on with if a build of it has become another under the same id."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix import __version__
from jdkmatrix.cli.app import main
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.records.builds import build_record, check_unchanged
from jdkmatrix.records.record import BuildRecord, KitRecord
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from jdkmatrix.run.cells.execution import Execution
from jdkmatrix.supply.build import Build, Overlay, Unavailable
from jdkmatrix.vocabulary import Status
from tests.flow.run_kit import (
    PASSED,
    PLAIN,
    TESTS,
    Stage,
    StandInSupplier,
    played_outcome,
    read_stored,
    resume,
    run,
    store,
)

OVERLAY = Overlay("fix", "--overlay-patch fix.diff", "bb", (), "compiled")
LAID = replace(PLAIN, id="temurin-17.0.9+9+overlay-fix", overlay=OVERLAY)


def record(build: Build, **changes: Any) -> BuildRecord:
    return build_record(build).model_copy(update=changes)


@pytest.mark.parametrize(
    ("records", "present"),
    [
        ([record(PLAIN)], [PLAIN]),
        ([record(LAID)], [LAID]),
        ([record(PLAIN)], []),  # not to be had by now
        ([record(PLAIN)], [replace(PLAIN, id="temurin-17.0.10+7", sha256="cc")]),
        (
            [record(PLAIN), record(PLAIN, id="temurin-17.0.9+9@jdk", sha256="cc")],
            [PLAIN, replace(PLAIN, id="temurin-17.0.9+9@jdk", sha256="cc")],
        ),
    ],
)
def test_the_same_builds(records: list[BuildRecord], present: list[Build]) -> None:
    check_unchanged(Path("run"), records, present)


@pytest.mark.parametrize(
    ("build", "changes", "names"),
    [
        (PLAIN, {"sha256": "cc"}, "/jdk"),
        (LAID, {"overlay": replace(OVERLAY, sha256="cc")}, OVERLAY.option),
    ],
)
def test_another_build_under_the_same_id(build: Build, changes: dict[str, Any], names: str) -> None:
    with pytest.raises(UsageError) as error:
        check_unchanged(Path("run"), [record(build)], [replace(build, **changes)])
    assert str(error.value).startswith(f"run: {build.id} has changed since the run began ({names}")


def test_two_builds_that_took_each_others_id() -> None:
    local_build = replace(PLAIN, sha256="cc")
    records = [record(PLAIN), record(local_build, id="temurin-17.0.9+9@jdk")]
    with pytest.raises(UsageError, match="has changed since the run began"):
        check_unchanged(
            Path("run"), records, [local_build, replace(PLAIN, id="temurin-17.0.9+9@jdk")]
        )


def test_a_folder_that_holds_another_jdk_by_now() -> None:
    local_build = replace(PLAIN, source="local")
    new_build = replace(local_build, id="temurin-17.0.10+7", sha256="cc")
    with pytest.raises(UsageError, match=r"temurin-17\.0\.9\+9 has changed since .* \(/jdk\)"):
        check_unchanged(Path("run"), [record(local_build)], [new_build])


@pytest.mark.parametrize(
    ("version", "commit"), [(__version__, "0123456789ab"), ("0.0.1", None), (__version__, None)]
)
def test_another_kit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], version: str, commit: str | None
) -> None:
    stored_run = store(tmp_path, kit=KitRecord(version=version, commit=commit))
    assert main(["run", "--resume", "--out", str(tmp_path)]) == 4
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    kit = f"{version} {commit or ''}".strip()
    assert err.startswith(f"matrix: {tmp_path}: begun by kit {kit}; this is kit {__version__} ")
    assert RunFolder(tmp_path).read_run() == stored_run


def test_resume_refuses_and_leaves_the_run_as_it_was(tmp_path: Path) -> None:
    class ChangedSupplier(StandInSupplier):
        def stream_outcomes(self, build_entries: Iterable[object]) -> Iterator[Build]:
            return (replace(PLAIN, sha256="cc") for _ in build_entries)

    run = store(tmp_path)
    with pytest.raises(UsageError) as error:
        resume(tmp_path, Stage(supplier=ChangedSupplier()))
    message = f"{tmp_path}: {PLAIN.id} has changed since the run began (/jdk); accepted:"
    assert str(error.value).startswith(message)
    assert RunFolder(tmp_path).read_run() == run


def interrupted_after_a_regression(_: BuildRecord, test: str, folder: Path, **__: Any) -> Execution:
    if test != TESTS[0]:
        raise KeyboardInterrupt
    played_outcome(folder, "subject", "reproduced")
    return replace(PASSED, status=Status.FAILED)


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Unavailable(PLAIN.entry_id, (("wheel", "no such file"),)), "wheel: no such file"),
        (replace(PLAIN, id="temurin-17.0.10+7", sha256="cc"), "its entry now means another build"),
    ],
)
def test_what_was_found_on_a_build_that_is_gone_is_not_lost(
    outcome: Build | Unavailable, reason: str, tmp_path: Path
) -> None:
    class VanishedSupplier(StandInSupplier):
        def stream_outcomes(self, build_entries: Iterable[object]) -> Iterator[Any]:
            return (outcome for _ in build_entries)

    request = Request(builds=(PLAIN.id,), tests=TESTS, confirm=False)
    results = run(tmp_path, request, stage=Stage(run=interrupted_after_a_regression))
    assert [cell.grade.is_surprise for cell in results.cells] == [True]
    stored_run = read_stored(tmp_path)
    with pytest.raises(
        MachineError, match=f"{re.escape(PLAIN.id)} is no longer available: .*"
    ) as e:
        resume(tmp_path, Stage(supplier=VanishedSupplier()))
    assert str(e.value).endswith(reason)
    assert read_stored(tmp_path) == stored_run
    assert resume(tmp_path).cells[0] == results.cells[0]


def test_a_shard_goes_on_only_with_the_cells_of_its_plan(tmp_path: Path) -> None:
    """`jdks add`, or other seconds, may have moved where it is cut."""
    request = Request(builds=(PLAIN.id,), tests=TESTS, confirm=False, shard="1/2")
    run(tmp_path, request)
    (file,) = tmp_path.rglob("cell.json")
    file.unlink()
    stored_run = read_stored(tmp_path)
    assert stored_run.shard
    shard = stored_run.shard.model_copy(update={"plan": stored_run.shard.plan[::-1]})
    RunFolder(tmp_path).write_run(stored_run.model_copy(update={"shard": shard}))
    with pytest.raises(
        UsageError, match="the cells of shard 1/2 have changed; accepted: the builds"
    ):
        resume(tmp_path)
    RunFolder(tmp_path).write_run(stored_run)
    assert resume(tmp_path).complete
