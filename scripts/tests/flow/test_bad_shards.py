# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does not belong together is refused in one line, with exit code 4; nothing is written."""

import json
import os
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


def other_build(place: Path, **changes: str) -> None:
    """Another one than the first shard's first, by these changes."""
    first = RunFolder.open(place.with_name("shard-1")).read_run().builds[0]
    record = RunFolder.open(place).read_run()
    extra_build = first.model_copy(update=changes)
    change(place, builds=(*record.builds, extra_build))


def other_cells(place: Path) -> None:
    """Those of the next shard, as its whole record says."""
    third = RunFolder.open(place.with_name("shard-3")).read_run()
    change(place, builds=third.builds, cells=third.cells)


def another_kit(place: Path) -> None:
    kit = RunFolder.open(place).read_run().kit
    change(place, kit=kit.model_copy(update={"commit": "abc-dirty"}))


def another_request(place: Path) -> None:
    request = RunFolder.open(place).read_run().request
    change(place, request=request.model_copy(update={"timeout_factor": 2.0}))


def drop(place: Path, name: str) -> None:
    (file,) = place.rglob(name)
    file.unlink()


def first_build(place: Path, **changes: object) -> None:
    record = json.loads((place / "run.json").read_text())
    record["builds"][0] |= changes
    rewrite(place, builds=record["builds"])


def first_cell(place: Path, **changes: object) -> None:
    record = json.loads((place / "run.json").read_text())
    rewrite(place, cells=[record["cells"][0] | changes])


def nest(place: Path) -> None:
    (place / "run.json").write_text("[" * 100_000)


HOSTILE: list[tuple[str, Damage, str]] = [
    (
        "a build outside",
        lambda p: first_build(p[1], id="../../../x"),
        "builds.0.id: Value error, not an id; accepted: vendor-version",
    ),
    ("an absolute build", lambda p: first_build(p[1], id="/etc"), "builds.0.id: Value error, no"),
    (
        "a build's escape",
        lambda p: first_build(p[1], id="a\x1b[2J"),
        "builds.0.id: Value error, no",
    ),
    (
        "a test outside",
        lambda p: first_cell(p[1], test="../../../x.java"),
        "cells.0.test: Value error, not a path below the run's folder",
    ),
    (
        "an unknown build",
        lambda p: first_cell(p[1], build="none"),
        "Value error, cells: no build 'none'",
    ),
    (
        "a nonsense version",
        lambda p: first_build(p[1], version="banana"),
        "builds.0.version: Value error, not a JDK version: 'banana'",
    ),
    ("a huge train", lambda p: first_build(p[1], train=10**400), "builds.0.train: "),
    ("no moment", lambda p: rewrite(p[1], started="::stop-commands::"), "started: String should"),
    (
        "seconds that are none",
        lambda p: rewrite(p[1], request={"timeout_factor": float("nan")}),
        "request.timeout_factor: Input should be a finite number",
    ),
    ("a deep one", lambda p: nest(p[1]), "Invalid JSON"),
]


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
        "{1}: selects other cells than {0}",
    ),
    (
        "cells of another cut",
        lambda p: other_cells(p[1]),
        "{1}: not the cells that the plan has for shard 2/3; accepted: a new run of it",
    ),
    (
        "a cell too few",
        lambda p: change(p[0], cells=RunFolder.open(p[0]).read_run().cells[:1]),
        "{0}: not the cells that the plan has for shard 1/3; accepted: a new run of it",
    ),
    ("other request", lambda p: another_request(p[1]), "{1}: selects other cells than {0}"),
    ("other kit", lambda p: another_kit(p[1]), "{1}: kit: 0 abc-dirty, but 0 in {0}"),
    (
        "other bytes",
        lambda p: other_build(p[1], sha256="f" * 64),
        "{1}: temurin-17.0.3+7: SHA-256: ffffffffffff, but 000000000000 in {0}",
    ),
    (
        "an entry that has moved on",
        lambda p: other_build(p[1], id="temurin-17.0.4+8"),
        "{1}: temurin-17.0.3+7: build: temurin-17.0.4+8, but temurin-17.0.3+7 in {0}; accepted: ",
    ),
    (
        "not finished",
        lambda p: change(p[1], finished=None),
        "{1}: shard 2/3 is not finished; accepted: after `scripts/matrix run --resume --out {1}`",
    ),
    ("half a record", lambda p: cut_short(p[1]), "{1}/run.json: not a record of this kit: "),
    (
        "older schema",
        lambda p: rewrite(p[1], schema_=0),
        "{1}/run.json: not a record of this kit: schema_: Input should be 1",
    ),
    (
        "no record",
        lambda p: drop(p[1], "run.json"),
        "{1}: not a run; accepted: a folder that holds",
    ),
    (
        "a lost file",
        lambda p: drop(p[1], "outcome.json"),
        "{1}: incomplete: cells/temurin-17.0.9+9/keepalive/RequestsQueueWhenCacheIsFull/outc",
    ),
    (
        "no folder",
        lambda p: shutil.rmtree(p[1]),
        "{1}: not a run; accepted: a folder that holds run",
    ),
    (
        "no shard",
        lambda p: change(p[1], shard=None),
        "{1}: not a shard; accepted: runs with --shard I/N",
    ),
]


DAMAGES += [
    (name, damage, "{1}/run.json: not a record of this kit: " + line)
    for name, damage, line in HOSTILE
]


@pytest.mark.parametrize(("damage", "line"), [d[1:] for d in DAMAGES], ids=[d[0] for d in DAMAGES])
def test_one_line_and_nothing_written(
    damage: Damage, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = store_shards(tmp_path)
    damage(places)
    old_files = sorted(tmp_path.rglob("*"))
    assert main(["merge", *map(str, places), "--out", str(tmp_path / "merged")]) == 4
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert line.format(*places) in err
    assert sorted(tmp_path.rglob("*")) == old_files


def test_a_run_that_is_there_is_never_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = store_shards(tmp_path)
    store(tmp_path / "old", ["17.0.9+9"])
    for target in (tmp_path / "old", places[0]):
        content = (target / "run.json").read_bytes()
        assert main(["merge", *map(str, places), "--out", str(target)]) == 4
        assert f"--out {target}: not empty; accepted: a new or empty" in capsys.readouterr().err
        assert (target / "run.json").read_bytes() == content


def a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


DAMAGED_CELLS: list[tuple[str, Callable[[Path], object]]] = [
    ("lost", lambda file: file.unlink()),
    ("empty", lambda file: file.write_bytes(b"")),
    ("half", lambda file: file.write_text(file.read_text()[:100])),
    ("of another schema", lambda file: file.write_text("{}")),
    ("huge seconds", lambda file: rewrite_json(file, seconds=1e300)),
    ("NaN", lambda file: rewrite_json(file, seconds=float("nan"))),
    ("a file outside", lambda file: rewrite_json(file, artifacts=["../../../../run.json"])),
    ("of another build", lambda file: rewrite_json(file, build="temurin-17.0.3+7")),
    ("a pipe", a_pipe),
    ("a folder", a_folder),
]


def rewrite_json(file: Path, **changes: object) -> None:
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


@pytest.mark.parametrize("damage", [d[1] for d in DAMAGED_CELLS], ids=[d[0] for d in DAMAGED_CELLS])
def test_a_damaged_cell_is_one_that_was_not_run(
    damage: Callable[[Path], object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = store_shards(tmp_path)
    (file,) = places[1].rglob("cell.json")
    damage(file)
    target = tmp_path / "merged"
    name = f"matrix: {file.relative_to(places[1])}: damaged or lost; counted as not run\n"
    for command in (["merge", *map(str, places), "--out", str(target)], ["report", str(target)]):
        assert main(command) == 2
        out, err = capsys.readouterr()
        assert name in err
        assert f"resume it: scripts/matrix run --resume --out {target}\n" in err
        assert "in 3 results" in out
    assert main(["report", str(target), "--json"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert (document["complete"], len(document["cells"])) == (False, 3)


def test_no_link_is_followed_out_of_a_shard(tmp_path: Path) -> None:
    places = store_shards(tmp_path)
    secret = tmp_path / "secret"
    secret.write_text("not for others")
    (cell,) = places[1].rglob("cell.json")
    cell.with_name("stolen.txt").symlink_to(secret)
    cell.with_name("stolen").symlink_to(tmp_path)
    (places[1] / "cells" / "more").symlink_to(tmp_path)
    os.mkfifo(cell.with_name("pipe"))
    target = tmp_path / "merged"
    main(["merge", *map(str, places), "--out", str(target)])
    names = {path.name for path in target.rglob("*")}
    assert cell.parent.name in names
    assert not names & {"stolen.txt", "stolen", "more", "pipe", "secret"}
