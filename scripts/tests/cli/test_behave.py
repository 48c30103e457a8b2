# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does `matrix behave` end with the right code, print what changed, and say what is wrong?

What rows showed is made up; which builds and rows are asked for is the command's own.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.errors import NothingRanError
from jdkmatrix.flow import flow
from jdkmatrix.flow.flow import FinishedRun
from jdkmatrix.records.request import Request
from jdkmatrix.vocabulary import Grade, Outcome
from tests.grading.behaviour_kit import NEW, OLD, Texts, results_of

OF_BUILD = ["behave", "--build", "debian-17"]
OF_TWO = [*OF_BUILD, "--diff", "debian-17.0.12+7"]
SAME = {"a.b": "200 x", "plain.b": "p"}
# Of test/changes.yaml: it came to 17 between the two builds of the kit.
TRAILER_TEXTS = ("IOException: no statuscode in response", "200 'ok'")

# Takes what rows showed on the newer build, and on the older one.
Run = Callable[..., list[Request]]


@pytest.fixture
def run_of(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Put a made run in the place of a real one; gives the requests that are made."""

    def replace_run(new: Texts, old: Texts | None = None, **changes: Any) -> list[Request]:
        requests: list[Request] = []

        def run(tools: object, request: Request, *_: object) -> FinishedRun:
            requests.append(request)
            pairs = ((OLD, old), (NEW, new)) if old is not None else ((NEW, new),)
            of_builds = [(build, (texts,)) for build, texts in pairs]
            results = results_of(tmp_path, root, *of_builds)
            cells = tuple(cell.model_copy(update=changes.get("cell", {})) for cell in results.cells)
            update = {"cells": cells, "complete": changes.get("complete", True)}
            return FinishedRun(results.model_copy(update=update), tmp_path, request)

        monkeypatch.setattr(flow, "run", run)
        return requests

    return replace_run


def test_what_a_build_does_is_counted_by_topic(
    run_of: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    (request,) = (run_of(SAME), main(OF_BUILD))[0]
    assert (request.builds, request.tests, request.rows) == (("debian-17",), (":behave_gold",), ())
    output = capsys.readouterr().out
    assert output.startswith(f"{NEW.id}: 2 rows\na 1, plain 1; --json or --row GLOB prints them\n")
    assert "\nreport: " in output


@pytest.mark.parametrize(
    ("new", "old", "code"),
    [
        (SAME, None, 0),
        ({"a.b": "hangs in X"}, None, 1),  # a broken rule
        ({"expect.net.post-102-100": "hangs in X"}, None, 0),  # one that is known to be
        (SAME, SAME, 0),
        ({"a.b": "404 x"}, SAME, 1),
        ({"plain.b": "q"}, SAME, 1),
        ({"h2-field.trailer": TRAILER_TEXTS[1]}, {"h2-field.trailer": TRAILER_TEXTS[0]}, 0),
        ({"h2-field.trailer": TRAILER_TEXTS[0]}, {"h2-field.trailer": TRAILER_TEXTS[1]}, 1),
        ({"a.b": "hangs in X"}, {"a.b": "hangs in X"}, 0),
    ],
)
def test_exit_codes(run_of: Run, new: Texts, old: Texts | None, code: int) -> None:
    run_of(new, old)
    assert main(OF_TWO if old is not None else OF_BUILD) == code


def test_a_difference_names_the_older_first(
    run_of: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    (request,) = (run_of({"a.b": "hangs in X"}, {"a.b": "200 x"}), main(OF_TWO))[0]
    assert request.builds == ("debian-17", "debian-17.0.12+7")
    output = capsys.readouterr().out
    first, *rest = output.splitlines()
    assert first == f"{OLD.id} -> {NEW.id}: 1 of 1 row changed for no known reason"
    assert rest[0] == "unexplained: a.b: 200 x -> hangs in X"
    assert rest[1].startswith("breaks a rule that the older one keeps: it is not over after its ")


def test_json_has_the_rows_or_the_clusters(run_of: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run_of({"a.b": "hangs in X", "plain.b": "p"})
    assert main([*OF_BUILD, "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["build"] == NEW.id
    assert [(row["row"], row["gold"]) for row in document["observations"]] == [
        ("a.b", True),
        ("plain.b", False),
    ]
    assert [rule["rule"] for rule in document["broken_rules"]] == ["hangs"]


def test_json_of_two_has_the_clusters(run_of: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run_of({"a.b": "404 x"}, {"a.b": "200 x"})
    assert main([*OF_TWO, "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["baseline"], document["build"]) == (OLD.id, NEW.id)
    (cluster,) = document["clusters"]
    assert cluster["example"]["newer_text"] == "404 x"
    assert (cluster["name"], document["broken_rules"]) == (None, [])


def test_rows_that_are_named_are_printed_gold_or_not(
    run_of: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    (request,) = (run_of(SAME), main([*OF_BUILD, "--row", "a.*", "--row", "plain.*"]))[0]
    assert (request.tests, request.rows) == ((":behave",), ("a.*", "plain.*"))
    assert "\na.b: x\n  200 x\nplain.b: x\n  p\n" in capsys.readouterr().out


def test_all_are_more_than_the_gold_rows(run_of: Run) -> None:
    (request,) = (run_of(SAME), main([*OF_BUILD, "--all"]))[0]
    assert (request.tests, request.rows) == ((":behave",), ())


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"cell": {"grade": Grade.ERROR, "outcome": Outcome.ERROR}}, "behave/GoldRows.java on "),
        ({"cell": {"grade": Grade.BROKE, "outcome": Outcome.ERROR}}, "behave/GoldRows.java on "),
        ({"complete": False}, "not every row was run"),
    ],
)
def test_without_an_answer_it_is_2(
    run_of: Run, changes: dict[str, Any], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run_of(SAME, **changes)
    assert main(OF_BUILD) == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "matrix: " in line]
    assert line.startswith("matrix: behave: no answer: ")
    assert complaint in line


def test_a_build_that_cannot_be_had_is_no_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*_: object) -> FinishedRun:
        raise NothingRanError("debian-17: not in the cache, and offline")

    monkeypatch.setattr(flow, "run", run)
    assert main(OF_BUILD) == 2
    output = "matrix: behave: no answer: debian-17: not in the cache, and offline\n"
    assert capsys.readouterr().err == output


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("", "behave: accepted: one of --jdk PATH and --build ID"),
        ("--build debian-17 --jdk x", "behave: accepted: one of --jdk PATH and --build ID"),
        ("--build nix", "--build nix: no such build; accepted: "),
        ("--build debian-17 --diff nix", "--diff nix: no such build; accepted: "),
        ("--build debian-17 --diff debian-17", "--diff debian-17: is the build itself; accepted: "),
        ("--jdk {tmp}", "--jdk {tmp}: "),
        ("--build debian-17 --row nix.*", "--row nix.*: no such row; accepted: "),
    ],
)
def test_bad_arguments(
    arguments: str,
    complaint: str,
    run_of: Run,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run_of({})
    assert main(["behave", *arguments.format(tmp=tmp_path / "no").split()]) == 4
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line]
    assert complaint.format(tmp=tmp_path / "no") in line
