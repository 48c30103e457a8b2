# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does not belong together is refused in one line, with exit code 4; nothing is written."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.records.store import RunFolder
from tests.flow.shard_kit import change, store, store_shards

Damage = Callable[[list[Path]], None]


def rewrite(place: Path, **changes: object) -> None:
    """Change the file itself, past the model."""
    file = place / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


def cut_short(place: Path) -> None:
    file = place / "run.json"
    file.write_text(file.read_text()[:700])


def of_another_plan(place: Path, **changes: object) -> None:
    shard = RunFolder.open(place).read_run().shard
    assert shard
    change(place, shard=shard.model_copy(update=changes))


def other_bytes(place: Path) -> None:
    first = RunFolder.open(place.with_name("shard-1")).read_run().builds[0]
    record = RunFolder.open(place).read_run()
    other = first.model_copy(update={"sha256": "f" * 64})
    change(place, builds=(*record.builds, other))


def another_kit(place: Path) -> None:
    kit = RunFolder.open(place).read_run().kit
    change(place, kit=kit.model_copy(update={"commit": "abc-dirty"}))


def another_request(place: Path) -> None:
    request = RunFolder.open(place).read_run().request
    change(place, request=request.model_copy(update={"timeout_factor": 2.0}))


def drop(place: Path, name: str) -> None:
    (file,) = place.rglob(name)
    file.unlink()


def lose_an_attempt(place: Path) -> None:
    folder = RunFolder.open(place)
    (cell,) = folder.read_run().cells
    folder.cell_folder(cell, 2).mkdir()


DAMAGES: list[tuple[str, Damage, str]] = [
    ("twice", lambda p: p.append(p[0]), "{0}: shard 1/3 is given twice, first by {0}"),
    (
        "other lock",
        lambda p: of_another_plan(p[1], lock_sha256="b" * 64),
        "{1}: jdks.lock: bbbbbbbbbbbb, but aaaaaaaaaaaa in {0}; accepted: shards of one plan",
    ),
    (
        "other count",
        lambda p: of_another_plan(p[1], count=4),
        "{1}: number of shards: 4, but 3 in {0}",
    ),
    (
        "other plan",
        lambda p: of_another_plan(p[1], plan=((), (), ())),
        "{1}: another selection of cells than {0}",
    ),
    ("other request", lambda p: another_request(p[1]), "{1}: another selection of cells than {0}"),
    ("other kit", lambda p: another_kit(p[1]), "{1}: kit: 0 abc-dirty, but 0 in {0}"),
    (
        "other bytes",
        lambda p: other_bytes(p[1]),
        "{1}: temurin-17.0.3+7: SHA-256: ffffffffffff, but 000000000000 in {0}",
    ),
    (
        "not finished",
        lambda p: change(p[1], finished=None),
        "{1}: shard 2/3 is not finished; accepted: once `scripts/matrix run --resume --out {1}`",
    ),
    ("half a record", lambda p: cut_short(p[1]), "{1}/run.json: not a record of this kit: "),
    (
        "older schema",
        lambda p: rewrite(p[1], schema_=0),
        "{1}/run.json: not a record of this kit: schema_: Input should be 1",
    ),
    ("no record", lambda p: drop(p[1], "run.json"), "{1}: no run; accepted: a folder that holds"),
    (
        "a lost cell",
        lambda p: drop(p[1], "cell.json"),
        "{1}: half there: no cells/temurin-17.0.9+9/keepalive/RequestsQueueWhenCacheIsFull/cell",
    ),
    (
        "a lost file",
        lambda p: drop(p[1], "outcome.json"),
        "{1}: half there: no cells/temurin-17.0.9+9/keepalive/RequestsQueueWhenCacheIsFull/outc",
    ),
    (
        "a lost attempt",
        lambda p: lose_an_attempt(p[1]),
        "{1}: half there: no cells/temurin-17.0.9+9/keepalive/RequestsQueueWhenCacheIsFull/"
        "attempt-2/cell.json",
    ),
    ("no folder", lambda p: shutil.rmtree(p[1]), "{1}: no run; accepted: a folder that holds run"),
    (
        "no shard",
        lambda p: change(p[1], shard=None),
        "{1}: no shard; accepted: runs with --shard I/N",
    ),
]


@pytest.mark.parametrize(("damage", "line"), [d[1:] for d in DAMAGES], ids=[d[0] for d in DAMAGES])
def test_one_line_and_nothing_written(
    damage: Damage, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = store_shards(tmp_path)
    damage(places)
    before = sorted(tmp_path.rglob("*"))
    assert main(["merge", *map(str, places), "--out", str(tmp_path / "merged")]) == 4
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert line.format(*places) in err
    assert sorted(tmp_path.rglob("*")) == before


def test_a_run_that_is_there_is_never_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = store_shards(tmp_path)
    store(tmp_path / "old", ["17.0.9+9"])
    for taken in (tmp_path / "old", places[0]):
        stored = (taken / "run.json").read_bytes()
        assert main(["merge", *map(str, places), "--out", str(taken)]) == 4
        assert f"--out {taken}: not empty; accepted: a new or empty" in capsys.readouterr().err
        assert (taken / "run.json").read_bytes() == stored
