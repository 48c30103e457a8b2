# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are the documents of all commands with `--json` alike, and as `docs/reference/json.md` says?

What JDKs do is made up here; each command makes its document of it.
"""

import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
import typer

from jdkmatrix.bisect.search import BugState
from jdkmatrix.cli import facts, has, has_change, planted
from jdkmatrix.cli.app import main
from jdkmatrix.cli.commands import SUMMARIES, add_commands
from jdkmatrix.flow import flow
from jdkmatrix.flow.flow import FinishedRun
from jdkmatrix.grading.planted_faults import Answer
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from jdkmatrix.supply.cache.holdings import Holdings, VerifiedInstall
from jdkmatrix.supply.runtime_facts import Defaults
from jdkmatrix.vocabulary import Expectation, Grade, Outcome, Presence, SpeedGrade
from tests.conftest import ROOT
from tests.grading.behaviour_kit import NEW, OLD, results_of
from tests.history.kit import made_run, store_runs
from tests.report.conftest import make_cell
from tests.results.test_presence import make_run

PAGE = (ROOT / "docs" / "reference" / "json.md").read_text("utf-8")
BUILD = "temurin-17.0.9+9"
TEST = "http/CookieOutlivesItsMaxAge.java"
BUG_ID = re.compile(r"(JDK|KIT)-\d+|generic")
# What a key must not be called, as another name means it already.
SYNONYMS = {
    "bug_id": "bug",
    "build_id": "build",
    "fixed_from": "first_fix",
    "fixed_in": "fixed",
    "java_version": "version",
    "newer": "build",
    "older": "baseline",
    "on": "version",
    "plan": "cells",
    "to": "update",
    "what": "difference",
    "why": "reason",
    "word": "reason",
}
TEXTS = ("build", "reason", "sentence", "test", "title", "run", "version", "workaround")
WORDS: dict[str, set[str]] = {
    "outcome": {*Outcome},
    "expectation": {*Expectation},
    "presence": {*Presence},
}
WORDS["grade"] = {*Grade, *SpeedGrade}


def read_table() -> dict[str, tuple[int, set[str]]]:
    """The schema's number and the keys of each document of the page."""
    table = PAGE.partition("\n## Documents\n")[2].partition("\n## ")[0]
    documents: dict[str, tuple[int, set[str]]] = {}
    for row in re.findall(r"^\| (`.*) \| (\d) \| (.*) \|$", table, re.MULTILINE):
        commands, number, keys = row
        ending = re.sub(r".*`", "", commands)
        for command in re.findall(r"`([^`]+)`", commands):
            documents[command + ending] = (int(number), set(re.findall(r"`([^`]+)`", keys)))
    return documents


def with_json(app: typer.Typer, name: str) -> Iterator[str]:
    """The commands below `name` that have `--json`."""
    command: Any = typer.main.get_command(app)
    for key in name.split():
        command = command.commands[key]
    for child in getattr(command, "commands", ()):
        yield from with_json(app, f"{name} {child}")
    if any("--json" in parameter.opts for parameter in command.params):
        yield name


def test_the_page_has_each_command_with_json() -> None:
    names: list[str] = []
    for name in SUMMARIES:
        app = typer.Typer()
        add_commands(app, [name])
        names += with_json(app, name)
    assert len(names) >= 15
    assert set(names) == {re.sub(r" (--|of ).*", "", name) for name in read_table()}


def of_defaults(aspects: dict[str, dict[str, str]]) -> Callable[..., Defaults]:
    return lambda *_, **__: Defaults(version="17.0.9", vendor="x", aspects=aspects)


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: Path) -> Path:
    """Stands in for what JDKs do; gives the folder of what commands read."""
    rows = results_of(tmp_path, root, (OLD, ({"a.b": "200 x"},)), (NEW, ({"a.b": "404 x"},)))

    def run(_: object, request: Any, *__: object) -> FinishedRun:
        builds = rows.builds[-len(request.builds) :]
        ids = {build.id for build in builds}
        cells = tuple(cell for cell in rows.cells if cell.build in ids)
        results = rows.model_copy(update={"builds": builds, "cells": cells})
        return FinishedRun(results, tmp_path, request)

    of_bug = make_run([make_cell(BUILD, "reproduced", "affected")])
    monkeypatch.setattr(flow, "run", run)
    monkeypatch.setattr(has, "measure", lambda *_: FinishedRun(of_bug, tmp_path, Request()))
    monkeypatch.setattr(has_change, "read_defaults", of_defaults({"algorithms": {"RC4": ""}}))
    monkeypatch.setattr(facts, "defaults_of", of_defaults({"client-protocol": {"TLSv1.3": ""}}))
    home = tmp_path / "jdk"
    ids = iter((BUILD, "debian-17.0.12+7"))
    build_of = lambda *_: SimpleNamespace(id=next(ids), home=home, configuration="")  # noqa: E731
    monkeypatch.setattr(facts, "build_of", build_of)
    jdk = SimpleNamespace(home=home, named_by=("JAVA_HOME", "the system"))
    candidate = SimpleNamespace(jdk=jdk, build=None, word="can't be used: no bin/java")
    monkeypatch.setattr("jdkmatrix.cli.discovered_jdks.found_jdks", lambda: [candidate])
    install = VerifiedInstall("jtreg", 2_000_000, 1.0, "lib/jtreg.jar is missing")
    monkeypatch.setattr(Holdings, "verify", lambda *_, **__: [install])
    checks = [Answer(True, "found in 1 of 1"), Answer(False, "not found")]
    monkeypatch.setattr("jdkmatrix.grading.planted_faults.answers", lambda *_: checks)
    monkeypatch.setattr(planted, "_run", lambda *_: of_bug)
    store_runs(tmp_path / "history.sqlite", made_run(1), made_run(2))
    put_into_bisect_and_bundle(tmp_path, monkeypatch)
    return tmp_path


def put_into_bisect_and_bundle(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Builds of 17 up to 17.0.3 have the bug, and a bundle that is made."""

    def is_bad(build: str) -> bool:
        return "17.0.2" in build or "17.0.3" in build

    def state(build: str) -> BugState:
        return BugState.BAD if is_bad(build) else BugState.GOOD

    monkeypatch.setattr("jdkmatrix.bisect.probes.ReproducerProbe", lambda **_: state)
    program = Mock(side_effect=is_bad, failures={})
    monkeypatch.setattr("jdkmatrix.bisect.probes.ProgramProbe", lambda **_: program)
    (folder / "Repro.java").write_text("class Repro { }")
    place = folder / "bundle.zip"
    place.write_bytes(b"PK")
    bundle = SimpleNamespace(
        material=SimpleNamespace(
            test=TEST,
            bug=SimpleNamespace(id="JDK-8293562", title="A title"),
            builds_with=lambda outcome: [BUILD] if outcome is Outcome.REPRODUCED else [],
        ),
        java=SimpleNamespace(minimal=None, why_not="too long", length=3, whole="a\nb\nc\n"),
        sizes={Path(TEST).name: 1_200},
        missing=["no recording"],
        place=place,
    )
    monkeypatch.setattr("jdkmatrix.bundle.make.make_bundle", lambda *_, **__: bundle)
    monkeypatch.setattr(RunFolder, "find", lambda *_: RunFolder(folder))


DOCUMENTS = [
    ("bugs", ["bugs"]),
    ("bugs", ["bugs", "--on", "17.0.5", "--to", "17.0.19"]),
    ("bugs", ["bugs", "8245545", "--on", "17.0.5"]),
    ("plan", ["plan", "--build", BUILD, "--test", TEST]),
    ("plan", ["plan", "--shards", "2", "--build", BUILD, "--test", "http"]),
    ("run --dry-run", ["run", "--dry-run", "--build", BUILD, "--test", TEST]),
    ("throughput --dry-run", ["throughput", "--dry-run", "--build", "temurin-17.0.[39]*"]),
    ("has of a bug", ["has", "8293562", "--build", BUILD]),
    ("has of a change", ["has", "8256660", "--build", BUILD]),
    ("facts", ["facts", "--build", BUILD]),
    ("facts --diff", ["facts", "--build", BUILD, "--diff", "debian-17.0.12+7"]),
    ("behave", ["behave", "--build", "debian-17"]),
    ("behave --diff", ["behave", "--build", "debian-17", "--diff", "debian-17.0.12+7"]),
    ("diagnose", ["diagnose", "{tmp}/nix.jfr"]),
    ("history", ["history", "--file", "{tmp}/history.sqlite"]),
    ("jdks list", ["jdks", "list"]),
    ("jdks discover", ["jdks", "discover"]),
    ("jdks verify", ["jdks", "verify"]),
    ("bisect of a bug", ["bisect", "8293562", "--train", "17", "--out", "{tmp}/bisect"]),
    (
        "bisect of a program",
        ["bisect", "--file", "{tmp}/Repro.java", "--train", "17", "--out", "{tmp}/bisect"],
    ),
    ("bundle", ["bundle", "8293562"]),
    ("doctor", ["doctor"]),
    ("planted", ["planted", "close-under-lock-8", "--out", "{tmp}/planted"]),
    ("reports list", ["reports", "list"]),
]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        pytest.param(
            name,
            arguments,
            id=" ".join(arguments),
            marks=[pytest.mark.jdk] if name == "diagnose" else [],  # it asks the tool JDK
        )
        for name, arguments in DOCUMENTS
    ],
)
def test_documents_are_alike(
    name: str, arguments: list[str], made_up: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word.format(tmp=made_up) for word in arguments]
    main([*words, "--json"])
    document = json.loads(capsys.readouterr().out)
    number, keys = read_table()[name]
    assert next(iter(document)) == "schema"
    assert document["schema"] == number
    assert set(document) == {"schema", *keys}
    assert list(faults(document)) == []


@pytest.mark.parametrize("name", ["sample", "sample-validation-good", "sample-services"])
def test_a_stored_run_is_too(name: str) -> None:
    document = json.loads(sample_text(name))
    assert (next(iter(document)), document["schema"]) == ("schema", read_table()["run"][0])
    assert list(faults(document)) == []


def sample_text(name: str) -> str:
    (file,) = (ROOT / "reports" / name).glob("results.json*")
    return gzip.decompress(file.read_bytes()).decode() if file.suffix == ".gz" else file.read_text()


def faults(part: Any) -> Iterator[str]:
    """What in a document is called otherwise, or is something else, than its key means."""
    if isinstance(part, list):
        for entry in part:
            yield from faults(entry)
    if not isinstance(part, dict):
        return
    for key, entry in part.items():
        if key in SYNONYMS:
            yield f"{key}: is called {SYNONYMS[key]}"
        if key in WORDS and entry is not None and entry not in WORDS[key]:
            yield f"{key}: {entry}"
        if key == "bug" and entry is not None and not BUG_ID.fullmatch(entry):
            yield f"bug: {entry}"
        if key in TEXTS and not isinstance(entry, str | None):
            yield f"{key}: {entry}"
        yield from faults(entry)


def test_other_names_and_words_are_seen() -> None:
    document = {"bugs": [{"id": "JDK-1", "why": "x"}], "bug": "8293562", "build": 1, "grade": "ok"}
    assert list(faults(document)) == [
        "why: is called reason",
        "bug: 8293562",
        "build: 1",
        "grade: ok",
    ]
