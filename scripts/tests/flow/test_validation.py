# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A validation without Java: it can be stopped and resumed in each of its stages, and judges a
build by itself where no release before it is known.
"""

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from jdkmatrix.cli.run import exit_code
from jdkmatrix.config.jdks import BuildEntry
from jdkmatrix.config.scenarios import load_scenarios
from jdkmatrix.config.version import parse
from jdkmatrix.errors import ExitCode, LackingError, MachineError
from jdkmatrix.evidence.rows import read_rows
from jdkmatrix.flow import flow
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.selection import Selection
from jdkmatrix.plan.workloads import validation_workloads
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.request import Request, SpeedRequest
from jdkmatrix.records.store import ROWS_FILE
from jdkmatrix.report.console.display import Display
from jdkmatrix.results.document import Results
from jdkmatrix.run.cells.execution import Execution
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.runtime_facts import Defaults
from jdkmatrix.vocabulary import Grade, Status
from tests.flow.run_kit import PASSED, PLAIN, TESTS, PlayedTools, Stage, StandInSupplier
from tests.grading.test_whole_run import outcome_file

ROWS = "interop/QuickRows.java"
RELEASES = {
    "temurin-21.0.2+13": "21.0.2+13",
    "temurin-17.0.8.1+1": "17.0.8.1+1",
    "temurin-17.0.9+9": "17.0.9+9",
}
LOST = tuple(f"client/resumed/{n}" for n in range(5))
NEW = "temurin-17.0.9+9"
Aspects = dict[str, dict[str, str]]
ASPECTS: Aspects = {
    "jdk.tls.disabledAlgorithms": {"RC4": ""},
    "root": {"ab12": "CN=x, ends 2030-01-01", "cd34": "CN=y, ends 2040-01-01"},
    "security-property": {"networkaddress.cache.ttl": "30"},
}
STAGES = ("cells", "rows", "defaults", "speed")


class Releases(StandInSupplier):
    """Has what RELEASES says, each in a folder of its own."""

    def stream_outcomes(self, build_entries: Iterable[Any]) -> Iterator[Build]:
        return (self._release(build_entry) for build_entry in build_entries)

    def _release(self, build_entry: BuildEntry) -> Build:
        number = RELEASES[build_entry.id]
        return replace(
            PLAIN,
            id=build_entry.id,
            entry_id=build_entry.id,
            version=parse(number),
            train=parse(number).train,
            home=Path("/", number),
            facts=replace(PLAIN.facts, version=number, vm_version=number),
        )


@dataclass
class Stopper:
    """Presses Ctrl-C at the second thing that is done in one stage, and then no more."""

    stage: str = ""
    count: int = 0

    def pass_stage(self, stage: str) -> None:
        self.count += stage == self.stage
        if self.count == 2:
            self.stage = ""
            raise KeyboardInterrupt


@dataclass(frozen=True)
class Programs:
    """A load whose peers are there when the run begins, and then cannot be had: each comparison
    says so. `errors` are of what is not even there when it begins, by name.
    """

    stopper: Stopper
    errors: Mapping[str, MachineError] = field(default_factory=dict)
    java: Path = Path("/nowhere/bin/java")
    names: list[str] = field(default_factory=list)

    def class_path(self, _: object) -> str:
        return self._give("jars", "classes")

    def service_class_path(self, _: object) -> str:
        return self._give("jars", "classes")

    def program(self, name: str) -> Path:
        return Path(self._give(name, str(self.java)))

    def _give(self, name: str, path: str) -> str:
        if error := self.errors.get(name):
            self.names.append(name)
            raise error
        return path

    def peer_class_paths(self, kinds: Any) -> Mapping[str, str]:
        self.names.append(str(kinds))
        if len(self.names) > COMPARISONS:
            self.stopper.pass_stage("speed")
            raise MachineError("gone")
        return {}


COMPARISONS = len(validation_workloads(load_scenarios(Checkout.current().scenarios)))


class PlayedValidation(PlayedTools):
    """Asks nobody about defaults, and measures nothing."""

    def __init__(self, stage: Stage, stopper: Stopper, lock: Path, new_aspects: Aspects) -> None:
        super().__init__(stage)
        self.lock_place = lock
        self.stopper = stopper
        self.new_aspects = new_aspects
        self.fetching_s = 0.0
        self.errors: Mapping[str, MachineError] = {}

    def ask(self, jdk: Build, *_: Any, defaults: bool) -> dict[str, Any]:
        assert defaults
        self.stopper.pass_stage("defaults")
        if refusal := self.stage.refusals.get(jdk.id):
            return {"refusal": refusal}
        aspects = {**ASPECTS, **(self.new_aspects if jdk.entry_id == NEW else {})}
        answer = Defaults(version=jdk.facts.version, vendor="x", aspects=aspects, unknown={})
        return {"defaults": answer}

    def load_programs(self, *_: Any) -> Any:
        self.stopper.pass_stage("fetching")
        time.sleep(self.fetching_s)
        return Programs(self.stopper, self.errors)


def runs(stopper: Stopper, lost_rows: tuple[str, ...] = ()) -> Callable[..., Execution]:
    """Each test passes; the new build has lost `lost_rows`."""

    def run(
        build: BuildRecord,
        test: str,
        folder: Path,
        only_rows: Sequence[str] = (),
        is_debugged: bool = False,
        **_: Any,
    ) -> Execution:
        if test == ROWS:
            stopper.pass_stage("rows")
            if is_debugged:
                line = f"javax.net.ssl|ERROR|1|t|now|X.java:1|{only_rows[0]} on {build.id}\n"
                (folder / "jvm-1.log").write_text(line)
                return PASSED
            fails = lost_rows if build.id == NEW else ()
            rows = [
                {
                    "row": row,
                    "must_fail": False,
                    "status": status,
                    "said": "x",
                    "alert": "",
                    "ms": 1,
                }
                for row in only_rows or ("client/full/x", *LOST)
                for status in ("failed" if row in fails else "passed",)
            ]
            lines = [*rows, {"rows": len(rows)}]
            (folder / ROWS_FILE).write_text("\n".join(map(json.dumps, lines)))
            return replace(PASSED, status=Status.FAILED) if fails else PASSED
        stopper.pass_stage("cells")
        for case in ("subject", "tls12"):
            vendor = str(build.facts["vendor"])
            outcome_file(folder, case, "not-reproduced", build.version, vendor)
        return PASSED

    return run


def run_validation(
    out: Path,
    build: str,
    stopper: Stopper | None = None,
    *,
    is_resumed: bool = False,
    new_aspects: Aspects | None = None,
    lost_rows: tuple[str, ...] = (),
    minutes: int | None = None,
    errors: Mapping[str, MachineError] | None = None,
    console: Console | None = None,
    refusals: Mapping[str, str] | None = None,
) -> Results:
    stopper = stopper or Stopper()
    stage = Stage(Releases(), runs(stopper, lost_rows), refusals=refusals or {})
    tools = PlayedValidation(stage, stopper, out.parent, new_aspects or {})
    tools.errors = errors or {}
    options = flow.RunOptions(jobs=1, out=out, minutes=minutes)
    display = Display(console or Console(quiet=True))
    if is_resumed:
        return flow.resume(tools, "validate", options, display).results
    speed = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1, minutes=10)
    request = Request(builds=(build,), tests=(*TESTS, ROWS), speed=speed)
    return flow.run(tools, request, options, display).results


def topics(results: Results) -> dict[str, str]:
    assert results.validation
    return {topic.topic: topic.verdict for topic in results.validation.topics}


@pytest.mark.parametrize("stage", STAGES)
def test_ctrl_c_and_resume(stage: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    stopper = Stopper(stage)
    half = run_validation(out, NEW, stopper)
    assert not stopper.stage  # it was pressed
    assert not half.complete
    assert half.validation
    assert half.validation.verdict == "undecided"
    assert topics(half)["build"] == "undecided"
    whole = run_validation(out, "", is_resumed=True)
    assert whole.complete
    assert whole.validation
    assert whole.validation.baseline == "temurin-17.0.8.1+1"
    assert [len(whole.cells), len({cell.build for cell in whole.cells})] == [4, 2]
    assert topics(whole) == {
        "bugs": "good",
        "interoperability": "good",
        "defaults": "good",
        "speed": "undecided",
    }


@pytest.mark.parametrize("name", [NEW, "temurin-17.0.8.1+1"])
def test_where_the_jvm_of_one_does_not_start_the_other_is_run(tmp_path: Path, name: str) -> None:
    refusal = "Its JVM does not start: no libz"
    results = run_validation(tmp_path / "run", NEW, refusals={name: refusal})
    assert results.complete
    assert results.validation
    assert results.validation.verdict == "undecided"
    assert exit_code(results, strict=False) is ExitCode.MACHINE
    grades = {cell.build == name: cell.grade for cell in results.cells}
    assert grades == {True: Grade.ERROR, False: Grade.AS_EXPECTED}
    lacks = {comparison.lacks for comparison in results.throughput}
    assert lacks == {(f"{name}: {refusal}",)}


def test_a_request_is_resolved_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[Request] = []
    resolve = Selection.resolve

    def count(checkout: Checkout, request: Request) -> Selection:
        requests.append(request)
        return resolve(checkout, request)

    monkeypatch.setattr(Selection, "resolve", count)
    run_validation(tmp_path / "run", NEW)
    assert len(requests) == 1
    run_validation(tmp_path / "run", "", is_resumed=True, minutes=20)
    assert len(requests) == 2


def test_with_more_minutes_one_that_is_over_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "run"
    first = run_validation(out, NEW)
    assert first.complete
    content = (out / "run.json").read_bytes()
    with pytest.raises(KeyboardInterrupt):  # before it measures
        run_validation(out, "", Stopper("fetching", count=1), is_resumed=True, minutes=20)
    assert (out / "run.json").read_bytes() == content
    second = run_validation(out, "", is_resumed=True, minutes=20)
    assert second.validation
    assert second.validation.rerun.endswith(" --minutes 20")
    assert first.took_s and second.took_s and second.took_s > first.took_s
    assert second.cells == first.cells


def test_what_is_fetched_first_takes_none_of_its_minutes(tmp_path: Path) -> None:
    tools = PlayedValidation(Stage(Releases(), runs(Stopper())), Stopper(), tmp_path, {})
    tools.fetching_s = 3.0
    console = Console(file=StringIO(), width=100)
    speed = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1, minutes=10)
    request = Request(builds=(NEW,), tests=TESTS, speed=speed)
    options = flow.RunOptions(jobs=1, out=tmp_path / "run")
    start_s = time.monotonic()
    results = flow.run(tools, request, options, Display(console)).results
    whole_s = time.monotonic() - start_s
    assert isinstance(console.file, StringIO)
    match = re.search(r"time: (\d+) s for all of them", console.file.getvalue())
    assert match and results.took_s
    assert int(match[1]) > 600 - results.took_s - 1
    assert results.took_s < whole_s - tools.fetching_s  # what it has left, once it is resumed


def test_without_a_release_before_it_a_build_is_judged_by_itself(tmp_path: Path) -> None:
    results = run_validation(tmp_path / "run", "temurin-21.0.2+13")
    validation = results.validation
    assert validation
    assert (validation.verdict, validation.baseline) == ("good", None)
    assert topics(results) == {"bugs": "good", "interoperability": "good"}
    rows = "rows that must be refused"
    assert validation.reason == f"no regression found in bugs or interoperability ({rows})."
    (left_out,) = validation.not_looked_at
    not_looked_at = (
        "speed, what its defaults changed, what it does, and rows that must work: jdks.yaml has no"
    )
    assert left_out.startswith(not_looked_at)
    assert validation.rerun == "scripts/matrix validate temurin-21.0.2+13 --minutes 10"
    assert validation.topics[1].sentence.endswith(f"no earlier build to compare with; {rows} alone")
    names = [case.name for case in results.cases]
    assert {"validation", "bugs"} <= set(names)


NO_JARS = LackingError("jars: no mvn on this machine's PATH, and no apt-get on this machine")
NO_H2LOAD = LackingError("h2load: no apt-get on this machine")


def test_without_any_jar_all_but_speed_is_judged(tmp_path: Path) -> None:
    console = Console(file=StringIO(), width=300)
    results = run_validation(tmp_path / "run", NEW, errors={"jars": NO_JARS}, console=console)
    assert results.complete
    assert topics(results) == {"bugs": "good", "interoperability": "good", "defaults": "good"}
    validation = results.validation
    assert validation
    assert validation.reason == "no regression found in bugs, interoperability or defaults."
    line = f"speed: this machine lacks what it needs: {NO_JARS}"
    assert validation.not_looked_at == (line,)
    assert isinstance(console.file, StringIO)
    assert console.file.getvalue().count(line) == 1
    assert not re.search("# (load before|comparisons)", console.file.getvalue())
    # Where they are:
    resumed_run = run_validation(tmp_path / "run", "", is_resumed=True, minutes=20)
    assert topics(resumed_run)["speed"] == "undecided"


def test_without_the_program_of_a_service_clients_are_measured(tmp_path: Path) -> None:
    results = run_validation(tmp_path / "run", NEW, errors={"h2load": NO_H2LOAD})
    assert topics(results)["speed"] == "undecided"  # as their peers are gone
    scenarios = {comparison.scenario for comparison in results.throughput}
    assert "reuse/brief" in scenarios
    assert not any(name.startswith("server-") for name in scenarios)
    assert results.validation
    (left_out,) = results.validation.not_looked_at
    assert left_out.startswith("speed of server-reuse-16kib/brief with jetty-jsse, server-reuse-")
    assert left_out.endswith(f": this machine lacks what it needs: {NO_H2LOAD}")


def test_a_load_that_only_failed_to_come_ends_it_before_its_reproducers(tmp_path: Path) -> None:
    errors = {"jars": MachineError("jars: mvn: exit code 1")}
    with pytest.raises(MachineError, match=r"^jars: mvn: exit code 1$"):
        run_validation(tmp_path / "run", NEW, errors=errors)
    assert not list((tmp_path / "run").rglob("cell.json"))


def test_rows_that_are_lost_are_shown_with_what_jsse_said_on_both_builds(tmp_path: Path) -> None:
    results = run_validation(tmp_path / "run", NEW, lost_rows=LOST)
    (cell,) = [
        candidate for candidate in results.cells if candidate.build == NEW and candidate.rows
    ]
    old = "temurin-17.0.8.1+1"
    debug_by_row = {row.row: row.debug for row in cell.rows if row.debug}
    assert debug_by_row == {
        row: {build: (f"ERROR X: {row} on {build}",) for build in (old, NEW)} for row in LOST[:3]
    }
    page = (tmp_path / "run" / "index.html").read_text()
    assert f"ERROR X: {LOST[0]} on {old}" in page
    # Only what is to be confirmed was run again.
    assert [row.row for row in cell.rows] == ["client/full/x", *LOST]
    *_, last = cell.attempts
    rows = read_rows(tmp_path / "run" / last.folder)
    assert (last.grade, [row.row for row in rows]) == ("regression", list(LOST))
    assert topics(results)["interoperability"] == "bad"


@pytest.mark.parametrize(
    ("new_aspects", "verdict", "sentence"),
    [
        (
            {"jdk.tls.disabledAlgorithms": {"RC4": "", "TLS_CHACHA20_POLY1305_SHA256": ""}},
            "bad",
            "for no known reason: + jdk.tls.disabledAlgorithms TLS_CHACHA20_POLY1305_SHA256; ",
        ),
        (
            {"root": {"ab12": "CN=x, ends 2030-01-01"}},
            "bad",
            "for no known reason: - root CN=y, ends 2040-01-01, SHA-256 cd34; 1 default changed",
        ),
        (
            {"security-property": {"networkaddress.cache.ttl": "-1"}},
            "bad",
            "for no known reason: ~ security-property networkaddress.cache.ttl: 30 -> -1; 1",
        ),
        (
            {"security-property": {"networkaddress.cache.ttl": "30", "package.access": "sun."}},
            "good",
            "1 default changed, for no known reason; unexplained, and not what connections agree "
            "on: + security-property package.access = sun.",
        ),
        ({}, "good", "no default changed"),
    ],
    ids=["algorithm", "root", "names", "packages", "nothing"],
)
def test_planted_changes_of_defaults_are_found(
    new_aspects: Aspects, verdict: str, sentence: str, tmp_path: Path
) -> None:
    results = run_validation(tmp_path / "run", NEW, new_aspects=new_aspects)
    validation = results.validation
    assert validation
    assert topics(results)["defaults"] == verdict
    (text,) = [topic.sentence for topic in validation.topics if topic.topic == "defaults"]
    assert text.startswith(sentence)
    assert validation.defaults
    assert [change.aspect for change in validation.defaults.unexplained] == list(new_aspects)
