# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A run adds itself; a history that fails costs it one line."""

import sqlite3
from contextlib import closing
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import pytest

from jdkmatrix.history.database import history_file
from jdkmatrix.history.history_words import LEGEND
from jdkmatrix.history.reader import HistoryQuery, answer
from jdkmatrix.history.remember import remember
from jdkmatrix.history.stored_runs import add, add_waiting, let_wait
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.blocks import copies_of
from jdkmatrix.results.document import Results
from jdkmatrix.results.speed import ThroughputResult
from tests.history.kit import made_run, made_speed, store_runs


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    monkeypatch.delenv("JDKMATRIX_HISTORY")
    return Checkout(tmp_path)


def test_a_run_adds_itself_beside_the_run_folders(checkout: Checkout) -> None:
    assert remember(checkout, made_run(1))
    assert checkout.reports.joinpath("history.html").is_file()
    assert [run.run for run in answer(history_file(checkout), HistoryQuery()).runs] == ["run-1"]


def test_the_file_alone_is_the_whole_history(checkout: Checkout, tmp_path: Path) -> None:
    remember(checkout, made_run(1))
    remember(checkout, made_run(2))
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(history_file(checkout).read_bytes())  # without SQLite's log beside it
    assert [run.run for run in answer(copy, HistoryQuery()).runs] == ["run-1", "run-2"]


def copy_alone() -> ThroughputResult:
    (speed,) = made_speed(1, 1.0).throughput
    return speed.model_copy(update={"build": copies_of(speed.baseline, 1)[0], "is_copy": True})


@pytest.mark.parametrize(
    "run",
    [
        made_run(1, cells=()),
        made_run(1, cells=(), throughput=(copy_alone(),)),
        made_speed(1, 1.0, builds=()),  # interrupted before its builds were looked at
        made_speed(1, 1.0, builds=made_speed(1, 1.0).builds[:1]),
    ],
)
def test_a_run_of_no_build_is_nothing_to_remember(
    checkout: Checkout, run: Results, capsys: pytest.CaptureFixture[str]
) -> None:
    assert remember(checkout, run)
    assert not checkout.reports.exists()
    assert capsys.readouterr().err == ""


def test_the_variable_names_another_file(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    other_file = checkout.root / "kept" / "nightly.sqlite"
    monkeypatch.setenv("JDKMATRIX_HISTORY", str(other_file))
    assert remember(checkout, made_run(1))
    assert other_file.is_file()
    assert other_file.with_suffix(".html").is_file()
    assert not checkout.reports.exists()


def test_a_history_that_fails_costs_the_run_one_line(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.reports.mkdir()
    file = history_file(checkout)
    file.write_bytes(b"not a database " * 300)
    assert not remember(checkout, made_run(1))
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == (
        "matrix: the run is kept, but its history failed: "
        f"{file}: damaged: file is not a database; move it away to begin anew; "
        "the next command that opens the history adds it\n"
    )


def names_of(checkout: Checkout) -> list[str]:
    return [run.run for run in answer(history_file(checkout), HistoryQuery()).runs]


def test_a_run_that_could_not_be_added_is_added_by_the_next(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert remember(checkout, made_run(1))
    with closing(sqlite3.connect(history_file(checkout), isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        for number in (2, 3):
            with monkeypatch.context() as patch:
                patch.setattr("jdkmatrix.history.remember.add", partial(add, wait_s=0.1))
                patch.setattr(
                    "jdkmatrix.history.remember.add_waiting", partial(add_waiting, wait_s=0.1)
                )
                assert not remember(checkout, made_run(number))
        holder.execute("ROLLBACK")
    lines = capsys.readouterr().err.splitlines()
    assert [line.endswith("the next command that opens the history adds it") for line in lines] == [
        True,
        True,
    ]
    assert names_of(checkout) == ["run-1"]
    assert remember(checkout, made_run(4))
    assert names_of(checkout) == ["run-1", "run-2", "run-3", "run-4"]
    assert not history_file(checkout).with_suffix(".waiting").exists()


def test_one_that_waits_is_replaced_by_what_is_stored_of_it_later(checkout: Checkout) -> None:
    path = history_file(checkout)
    let_wait(path, made_run(1, "reproduced"), ())
    assert remember(checkout, made_run(1))
    assert not path.with_suffix(".waiting").exists()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT outcome FROM cells").fetchall() == [("not-reproduced",)]


def test_a_damaged_one_holds_up_no_other(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    path = history_file(checkout)
    let_wait(path, made_run(1), ())
    (broken_file := path.with_suffix(".waiting") / "0.json").write_text("{")
    assert not remember(checkout, made_run(2))
    assert f"{broken_file}: not a record of this kit" in capsys.readouterr().err
    broken_file.unlink()
    assert remember(checkout, made_run(3))
    assert names_of(checkout) == ["run-1", "run-2", "run-3"]


def test_not_even_an_error_of_the_kit_costs_more(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("jdkmatrix.history.remember.write_page", fails)
    assert not remember(checkout, made_run(1))
    assert capsys.readouterr().err.endswith("its history failed: ZeroDivisionError\n")
    with sqlite3.connect(history_file(checkout)) as connection:
        assert connection.execute("SELECT run FROM runs").fetchall() == [("run-1",)]


class PageParser(HTMLParser):
    """What a browser would fetch, and which elements were left open."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.addresses += [attributes[key] or "" for key in ("src", "href") if key in attributes]
        if tag not in ("meta", "br", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [address or "" for key, address in attrs if key in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_trend_page_is_whole_and_fetches_nothing(checkout: Checkout) -> None:
    nights = (made_speed(night, 1.0 if night < 15 else 0.2) for night in range(1, 25))
    store_runs(history_file(checkout), *nights)
    remember(checkout, made_run(25, "reproduced", cell={"test": "tls13/A<b>.java"}))
    page = checkout.reports.joinpath("history.html").read_text()
    parser = PageParser()
    parser.feed(page)
    assert parser.open == []
    assert [address for address in parser.addresses if not address.startswith("#")] == []
    assert "@import" not in page
    assert page.count("<figure>") == 1
    assert LEGEND in page
    assert "A&lt;b&gt;" in page
    assert "A<b>" not in page
    assert "requests/s ratio 1.00 until run-14, 0.20 since run-15" in page
