# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is the kit killed (SIGKILL) at any moment without loss? On real JDKs, as a user runs it.

Two seconds later no process of it is left, and every record that was finished is as it was, once
the run has been resumed to its end. Each second kill comes once there is another record. With
`--long` 40 times for each command; the supply's part of it is `supply/test_killed.py`.
"""

import json
import os
import random
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.flow.shard_kit import store_shards
from tests.fuzz import is_long

pytestmark = [pytest.mark.network, pytest.mark.jdk, pytest.mark.fuzz]

BUILD = "temurin-17.0.9+9"
KILLS = 40 if is_long() else 1
# What is run, and the latest moment of a kill in seconds.
SHORT = ("http/HeaderValuesInWrongOrder.java", "http/HeadReplyGoesToNextRequest.java")
RUN = (
    (["run", "--build", BUILD, "--test", ":http", "--jobs", "2"], 15.0)
    if is_long()
    else (["run", "--build", BUILD, "--test", SHORT[0], "--test", SHORT[1], "--jobs", "1"], 3.0)
)
THROUGHPUT = ["throughput", "--scenario", "reuse/brief", "--build", BUILD, "--copies", "1"]
MEASURING = (([*THROUGHPUT, "--blocks", "3"], 60.0), (["validate", BUILD, "--minutes", "1"], 90.0))
RECORD = re.compile(r"cell\.json|block-.*\.json")
LONGEST_S = 1200
GONE_S = 2.0
POLL_S = 0.2


@contextmanager
def start(
    root: Path, mark: str, log: Path, arguments: Sequence[str]
) -> Iterator[subprocess.Popen[bytes]]:
    """The command, which does not go on if the test fails."""
    with log.open("ab") as output:
        kit = subprocess.Popen(
            [root / "scripts" / "matrix", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, "KILLED_BY_A_TEST": mark},
        )
    try:
        yield kit
    finally:
        kit.kill()
        kit.wait()


def pids_with(mark: str) -> set[int]:
    """The processes that were started with this mark, by whomever, and run."""
    pids = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"KILLED_BY_A_TEST={mark}".encode() in (folder / "environ").read_bytes():
                pids.add(int(folder.name))
        except OSError:
            continue
    return pids


def read_records(out: Path) -> dict[Path, bytes]:
    """What the kit has written of cells and blocks, whole."""
    # Folders of a test may go meanwhile, of which rglob would tell.
    files = (Path(folder, name) for folder, _, names in os.walk(out) for name in names)
    contents = {file: file.read_bytes() for file in files if RECORD.fullmatch(file.name)}
    for file, content in contents.items():
        json.loads(content)  # by a rename: there, and whole, or not there
        assert not file.is_symlink()
    return contents


def test_a_run_killed_at_random_moments(root: Path, tmp_path: Path) -> None:
    killed_at_random_moments(root, tmp_path, *RUN)


# One after the other: only one run of a machine measures.
@pytest.mark.skipif(not is_long(), reason="only with --long")
def test_measurements_killed_at_random_moments(root: Path, tmp_path: Path) -> None:
    for number, (arguments, latest_s) in enumerate(MEASURING):
        (tmp_path / str(number)).mkdir()
        killed_at_random_moments(root, tmp_path / str(number), arguments, latest_s)


def killed_at_random_moments(
    root: Path, folder: Path, arguments: Sequence[str], latest_s: float
) -> None:
    moments, log = random.Random(arguments[0]), folder / "log"
    records: dict[Path, bytes] = {}
    out, kills = folder / "out-0", 0
    with_records = 0
    while kills < KILLS:
        mark = f"{folder}-{kills}"
        moment_s = moments.uniform(0.2, latest_s)
        with start(root, mark, log, resume_arguments(arguments, out)) as kit:
            if kills % 2 == 0:  # on a busy machine a run may take longer to begin than that
                while kit.poll() is None and len(read_records(out)) <= len(records):
                    time.sleep(POLL_S)
                moment_s /= 4
            is_over = has_ended(kit, moment_s)
        if not is_over:
            kills += 1
            time.sleep(GONE_S)
            assert not pids_with(mark)
        new_records = read_records(out)
        assert records.items() <= new_records.items()
        records = new_records
        with_records += bool(records) and kit.returncode < 0
        if kit.returncode >= 0:
            ended_well(kit, log)
            out, records = folder / f"out-{kills}", {}
    with start(root, "last", log, resume_arguments(arguments, out)) as last:
        last.wait(LONGEST_S)
    ended_well(last, log)
    assert records.items() <= read_records(out).items()
    assert with_records >= (KILLS + 1) // 2


def test_a_merge_killed_at_random_moments(root: Path, tmp_path: Path) -> None:
    shards, log, moments = store_shards(tmp_path), tmp_path / "log", random.Random("merge")
    contents = {shard: read_records(shard) for shard in shards}
    command = ["merge", *map(str, shards), "--out", str(tmp_path / "merged")]
    kills = 0
    while kills < KILLS:
        mark = f"{tmp_path}-{kills}"
        with start(root, mark, log, command) as kit:
            is_over = has_ended(kit, moments.uniform(0.1, 1.5))
        if not is_over:
            kills += 1
            time.sleep(GONE_S)
            assert not pids_with(mark)
        # Of one that was killed there may be a part, which the next one refuses to write into.
        shutil.rmtree(tmp_path / "merged", ignore_errors=True)
        assert contents == {shard: read_records(shard) for shard in shards}
    with start(root, "last", log, command) as last:
        assert last.wait(LONGEST_S) == 1, log.read_text()  # what one of its builds is known for


def has_ended(kit: subprocess.Popen[bytes], within_s: float) -> bool:
    """By itself, or is it to be killed?"""
    try:
        kit.wait(within_s)
    except subprocess.TimeoutExpired:
        return False
    return True


def resume_arguments(arguments: Sequence[str], out: Path) -> list[str]:
    """The command, or what goes on with the folder's run, if it has begun."""
    has_run = (out / "run.json").exists()
    return [*([arguments[0], "--resume"] if has_run else arguments), "--out", str(out)]


def ended_well(kit: subprocess.Popen[bytes], log: Path) -> None:
    """By itself, with a verdict; a busy machine may leave that of times open. Where it was killed
    once all was stored, nothing was left.
    """
    output = log.read_text()
    is_over = kit.returncode == 3 and bool(re.search(" (has|have) run; ", output.splitlines()[-1]))
    assert (is_over or kit.returncode in (0, 2)) and "Traceback" not in output, output
