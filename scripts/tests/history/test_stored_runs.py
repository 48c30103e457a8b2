# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs are kept, once each, whoever writes and however often."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from jdkmatrix.history.database import reading
from jdkmatrix.history.stored_runs import add
from jdkmatrix.plan.blocks import copies_of
from jdkmatrix.records.record import OverlayRecord
from jdkmatrix.results.document import Results
from tests.history.kit import BASELINE, BUILD, made_run, made_service, made_speed, night, store_runs
from tests.report.conftest import TEST, make_build
from tests.report.speed_kit import make_validation


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with reading(path) as connection:
        return connection.execute(query).fetchall()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "reports" / "history.sqlite"


def test_a_stored_run_comes_back_as_points_of_its_series(file: Path) -> None:
    store_runs(file, made_run(2), made_run(1, seconds=30.0), made_speed(3, 0.9))
    assert rows(file, "SELECT subject, figure, value FROM points ORDER BY time, figure DESC") == [
        (TEST, "seconds", 30.0),
        (TEST, "blocked-ms", 0.0),
        (TEST, "seconds", 19.1),
        (TEST, "blocked-ms", 0.0),
        ("neighbour https-url-connection", "requests-per-s-ratio", 0.9),
    ]


def test_what_a_service_costs_is_a_series_by_itself(file: Path) -> None:
    store_runs(file, made_service(1, times_slower=1.5))
    query = """
        SELECT entry, subject, baseline, value FROM points WHERE figure = 'cpu-us-per-request'
        AND subject LIKE '%jsse' ORDER BY value
    """
    subject = "server-reuse-16kib jetty-jsse"
    assert rows(file, query) == [(BASELINE, subject, "", 200.0), (BUILD, subject, "", 300.0)]


def test_a_validation_has_its_topics_and_what_defaults_changed(file: Path) -> None:
    store_runs(file, made_run(1, validation=make_validation("good")))
    assert rows(file, "SELECT entry, topic, verdict, sentence FROM topics") == [
        (BUILD, "bugs", "good", "64 as-expected")
    ]
    assert rows(file, "SELECT build, kind, item, bug FROM default_changes ORDER BY kind") == [
        (BUILD, "added", "SUN KeyFactory ML-DSA", None),
        (BUILD, "removed", "TLS_RSA_X", "JDK-8245545"),
    ]
    store_runs(file, made_run(1))
    assert rows(file, "SELECT count(*) FROM topics") == [(0,)]


def test_a_run_graded_again_replaces_itself(file: Path) -> None:
    store_runs(file, made_run(1), made_run(1, "reproduced"))
    assert rows(file, "SELECT grade FROM cells") == [("regression",)]
    assert rows(file, "SELECT count(*) FROM builds") == [(1,)]


def test_another_run_in_a_folder_of_the_same_name_is_another_run(file: Path) -> None:
    store_runs(file, made_run(1), made_run(2, run="run-1"))
    assert rows(file, "SELECT run, started FROM runs ORDER BY started") == [
        ("run-1", night(1)),
        ("run-1", night(2)),
    ]


def test_a_merged_run_takes_the_place_of_its_parts(file: Path) -> None:
    shards = [made_run(2), made_run(3)]
    store_runs(file, made_run(1), *shards)
    add(file, made_run(4), [(shard.run, shard.started_at) for shard in shards])
    assert rows(file, "SELECT run FROM runs ORDER BY run") == [("run-1",), ("run-4",)]


def test_a_cell_without_a_verdict_is_no_point_of_a_series(file: Path) -> None:
    store_runs(file, made_run(1, "error"), made_run(2, "inconclusive"))
    assert rows(file, "SELECT * FROM points") == []
    assert rows(file, "SELECT grade FROM cells ORDER BY grade") == [("error",), ("inconclusive",)]


def two_of_ones_own(number: int) -> Results:
    """The run of a night, of two JDKs that say that they are one release."""
    ids = (BUILD, f"{BUILD}@jdk-2")
    cell = made_run(number).cells[0]
    local = make_build(BUILD).model_copy(update={"source": "local"})
    return made_run(
        number,
        builds=tuple(local.model_copy(update={"id": name}) for name in ids),
        cells=tuple(cell.model_copy(update={"build": name}) for name in ids),
    )


def test_a_build_with_an_overlay_or_of_ones_own_is_a_series_of_its_own(file: Path) -> None:
    overlay = OverlayRecord(
        name="fix.diff", option="--overlay x", sha256="0", java_options=(), note=""
    )
    plain = make_build(BUILD)
    store_runs(
        file,
        made_run(1),
        made_run(2, builds=(plain.model_copy(update={"overlay": overlay}),)),
        made_run(3, builds=(plain.model_copy(update={"source": "local"}),)),
        stored_by_an_earlier_kit(4),
        two_of_ones_own(5),
    )
    assert rows(file, "SELECT entry, variant FROM cells ORDER BY run_id") == [
        (BUILD, ""),
        (BUILD, "fix.diff"),
        (BUILD, "local"),
        (BUILD, ""),  # an earlier kit's mark says only which of two it judged
        (BUILD, "local"),
        (BUILD, "local-2"),
    ]


def stored_by_an_earlier_kit(number: int) -> Results:
    document = json.loads(made_run(number).to_json())
    document["builds"][0]["entry"] += "@new"
    return Results.model_validate(document)


def test_a_copy_that_a_build_is_compared_with_is_no_row(file: Path) -> None:
    run = made_speed(1, 1.0)
    copies = [
        comparison.model_copy(update={"build": name, "is_copy": True})
        for comparison, name in zip(run.throughput * 2, copies_of(BASELINE, 2), strict=True)
    ]
    store_runs(file, run.model_copy(update={"throughput": (*run.throughput, *copies)}))
    assert rows(file, "SELECT build FROM throughput") == [(BUILD,)]


def test_of_an_earlier_kit_a_copy_is_known_by_its_name(file: Path) -> None:
    run = made_speed(1, 1.0)
    document = json.loads(run.to_json())
    (comparison,) = document["throughput"]
    del comparison["copy"]
    document["throughput"].append({**comparison, "build": copies_of(BASELINE, 1)[0]})
    older_run = Results.model_validate(document)
    assert [comparison.is_copy for comparison in older_run.throughput] == [False, True]


def test_blocked_time_of_thread_dumps_or_of_no_recording_is_not_compared(file: Path) -> None:
    evidence = made_run(1).cells[0].evidence
    sampled_evidence = evidence.model_copy(update={"is_sampled": True})
    plain = evidence.model_copy(update={"timeline": None})  # run without `--record`
    store_runs(
        file,
        made_run(1, cell={"evidence": sampled_evidence}),
        made_run(2, cell={"evidence": plain}),
    )
    assert rows(file, "SELECT blocked_ms FROM cells") == [(None,), (None,)]


@pytest.mark.slow
def test_two_processes_that_write_at_once_lose_nothing(file: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.history.kit import made_run, store_runs\n"
        "store_runs(Path(sys.argv[1]), *(made_run(int(n)) for n in sys.argv[2:]))"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", program, str(file), *map(str, numbers)])
        for numbers in (range(1, 6), range(6, 11))
    ]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    assert rows(file, "SELECT count(*), count(DISTINCT run) FROM runs") == [(10, 10)]
    assert rows(file, "SELECT count(*) FROM cells") == [(10,)]
    assert rows(file, "PRAGMA journal_mode") == [("wal",)]


def test_a_reader_holds_up_no_writer_and_sees_one_moment(file: Path) -> None:
    store_runs(file, made_run(1))
    with reading(file) as connection:
        count = "SELECT count(*) FROM runs"
        assert connection.execute(count).fetchone() == (1,)
        store_runs(file, made_run(2))
        assert connection.execute(count).fetchone() == (1,)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            connection.execute("DELETE FROM runs")
    assert rows(file, "SELECT count(*) FROM runs") == [(2,)]
