# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Planted faults have one report, in which no cell of another run is."""

import html
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from jdkmatrix.cli.planted import plant
from jdkmatrix.cli.runs import Runs
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.planted import load_planted
from jdkmatrix.errors import MachineError, NothingRanError, UnfinishedError, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.records.request import Request
from jdkmatrix.report.combined_runs import combine_runs
from jdkmatrix.report.page.page import render_page
from jdkmatrix.results.document import BugResult, BuildFault, BuildFaultKind, Results

from .conftest import TEST, make_cell, make_results


def planted_run(fault: str) -> Results:
    build = f"temurin-17.0.9+9+overlay-{fault}"
    log = f"cells/{build}/{TEST.removesuffix('.java')}/jtreg.log"
    bug = BugResult(id=f"JDK-{fault}", title="", component="", fixed=(), links=())
    cell = make_cell(build, "reproduced", "fixed", artifacts=(log,))
    return make_results(cell, bugs=(bug,))


def test_links_lead_into_the_folder_of_each_run() -> None:
    page = render_page(combine_runs("all", {"a": planted_run("a"), "b": planted_run("b")}))
    links = [html.unescape(link) for link in re.findall('href="([^"#]*/)"', page)]
    folder = TEST.removesuffix(".java")
    assert [unquote(link) for link in links] == [
        f"{fault}/cells/temurin-17.0.9+9+overlay-{fault}/{folder}/" for fault in ("a", "b")
    ]


def test_two_runs_as_one() -> None:
    first, second = planted_run("a"), planted_run("b")
    combination = combine_runs(
        "all", {"a": first, "b": second.model_copy(update={"finished_at": "later"})}
    )
    assert (combination.run, combination.started_at, combination.finished_at) == (
        "all",
        first.started_at,
        "later",
    )
    assert [build.id for build in combination.builds] == [cell.build for cell in combination.cells]
    assert combination.unavailable == first.unavailable
    assert combination.cells[1].artifacts[0].startswith("b/cells/temurin-17.0.9+9+overlay-b/")
    assert [bug.id for bug in combination.bugs] == ["JDK-a", "JDK-b"]
    assert not combine_runs("all", {"a": first.model_copy(update={"complete": False})}).complete


def test_a_build_of_several_runs_has_a_column_for_each() -> None:
    plain = {
        fault: make_results(make_cell("debian-17.0.12+7", outcome, "fixed", reason=f"In {fault}."))
        for fault, outcome in (("a", "reproduced"), ("b", "not-reproduced"))
    }
    page = render_page(combine_runs("all", plain))
    for fault in plain:
        assert f"debian-17.0.12+7@{fault}" in page
        assert f"In {fault}." in page


def test_what_is_wrong_with_a_build_is_told_whichever_run_found_it() -> None:
    fault = BuildFault(
        build="debian-17.0.12+7",
        kind=BuildFaultKind.BROKEN_PROMISE,
        about="tls13",
        sentence="It offers no TLS 1.3.",
        rerun="",
    )
    good = make_results(make_cell(fault.build, "not-reproduced", "fixed"))
    faulty = good.model_copy(update={"build_faults": (fault,)})
    combination = combine_runs("all", {"a": good, "b": faulty})
    assert [build_fault.build for build_fault in combination.build_faults] == [f"{fault.build}@b"]
    assert fault.sentence in render_page(combination)


def finds(_: Request, out: Path) -> Results:
    return planted_run(out.name).model_copy(update={"unavailable": ()})


def run_planted(faults: list[str], folder: Path, run: Runs) -> int:
    folder.mkdir(exist_ok=True)
    checkout = Checkout.current()
    ledger = load_ledger(checkout.ledger)
    plan = load_planted(checkout.planted_faults, ledger).select(faults)
    return plant(checkout, ledger, plan, folder, run, NO_COPIER, "scripts/matrix planted")


NO_COPIER: Any = None  # no build is copied


@pytest.mark.parametrize("is_between", [False, True], ids=["in a cell", "between two"])
def test_interrupted_it_reports_what_was_found_and_names_the_rest(
    tmp_path: Path, is_between: bool
) -> None:
    def ends_at_the_second(request: Request, out: Path) -> Results:
        if out.name != "close-under-lock-17":
            return finds(request, out)
        raise KeyboardInterrupt if is_between else UnfinishedError

    faults = ["close-under-lock-8", "close-under-lock-17", "close-under-lock-21"]
    with pytest.raises(UnfinishedError) as error:
        run_planted(faults, tmp_path, ends_at_the_second)
    rest = "scripts/matrix planted close-under-lock-17 close-under-lock-21"
    assert str(error.value) == f"not everything was run; to plant the remaining faults: {rest}"
    assert len(json.loads((tmp_path / "results.json").read_text())["cells"]) == 1


def test_planted_faults_have_one_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    twice = ["close-under-lock-8", "close-under-lock-17", "close-under-lock-8"]
    assert run_planted(twice, tmp_path, finds) == 0
    assert "2 of 2 planted-fault checks passed." in capsys.readouterr().out
    document = json.loads((tmp_path / "results.json").read_text())
    assert [cell["grade"] for cell in document["cells"]] == ["regression", "regression"]
    assert "overlay-close-under-lock-17" in (tmp_path / "report.md").read_text()


def test_a_fault_that_is_not_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missed_run = make_results(make_cell("temurin-17.0.9+9+overlay-x", "not-reproduced", "fixed"))
    assert run_planted(["close-under-lock-8"], tmp_path, lambda *_: missed_run) == 1
    assert "debian-8 is unavailable: debian: no mirror" in capsys.readouterr().out


def test_a_fault_that_can_not_be_laid_ends_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(request: Request, out: Path) -> Results:
        if out.name == "close-under-lock-8":
            raise UsageError("it is for blob ab")
        if out.name == "close-under-lock-11":
            raise NothingRanError("no cell could be run")
        return finds(request, out)

    faults = ["close-under-lock-8", "close-under-lock-11", "close-under-lock-17"]
    assert run_planted(faults, tmp_path / "some", run) == 2
    out = capsys.readouterr().out
    assert "close-under-lock-8           NOT PLANTED: no cell was run: it is for blob ab\n" in out
    assert "close-under-lock-11          NOT PLANTED: no cell was run: no cell could" in out
    assert "1 of 3 planted-fault checks passed." in out
    assert (tmp_path / "some" / "index.html").is_file()

    with pytest.raises(MachineError, match="no fault could be planted"):
        run_planted(faults[:2], tmp_path / "none", run)
