# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the kit print today of the real runs whose outputs the documentation shows?

`fixtures/docs` has what these runs stored: `python -m tests.docs.outputs RUN NAME` takes it from a
run's folder. A block of a page that begins with `$ scripts/matrix` needs its line in `OUTPUTS`.
"""

import gzip
import sys
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from rich.console import Console

from jdkmatrix.bisect.conclusion import verdict
from jdkmatrix.bisect.search import BugState
from jdkmatrix.cli import has as has_command
from jdkmatrix.config import version
from jdkmatrix.config.known_changes import load_known_changes
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.grading.cases.kinds import with_cases
from jdkmatrix.grading.stored_results import read_results
from jdkmatrix.paths import test_name
from jdkmatrix.report.console.summary import print_summary
from jdkmatrix.report.sample_report import sample_of
from jdkmatrix.report.since import changes_since, not_compared
from jdkmatrix.results.document import Results
from jdkmatrix.results.presence import presence_of
from jdkmatrix.supply.runtime_facts import Defaults
from jdkmatrix.texts import count_of
from jdkmatrix.verdict.defaults_difference import difference
from jdkmatrix.vocabulary import Outcome
from jdkmatrix.words.defaults import difference_headline, difference_lines
from tests.conftest import FIXTURES, ROOT

FOLDER = FIXTURES / "docs"
BUNDLE = ROOT / "reports" / "sample-bundle"
# Of standard output, if it is no terminal.
WIDTH = 140


def stored_results(name: str) -> Results:
    """The results of a run."""
    text = gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes())
    return with_cases(Results.model_validate_json(text))


def run_text(name: str) -> str:
    """What a run prints at its end."""
    results, out = stored_results(name), StringIO()
    print_summary(Console(file=out, width=WIDTH), results, Path("reports") / results.run)
    return out.getvalue()


def has_text(name: str, bug: str) -> str:
    """What `has` prints."""
    lines: list[str] = []
    with patch.object(has_command, "say", lines.append):
        has_command._print(presence_of(stored_results(name), bug))
    return "\n".join(lines)


def changes_text(older: str, latest: str) -> str:
    """What `report --since` prints after the run itself."""
    runs = stored_results(older), stored_results(latest)
    changes = changes_since(*runs)
    last = f"{count_of(len(changes), 'change')} since {runs[0].run}, started {runs[0].started_at}"
    omission = not_compared(*runs)
    last += f"; {omission}" if omission else ""
    return "\n".join([*(f"changed: {change}" for change in changes), last])


def facts_text(older: str, newer: str, names: str) -> str:
    """What `facts --diff` prints of what two JDKs reported."""
    reports = [
        Defaults.model_validate_json(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))
        for name in (older, newer)
    ]
    known_changes = load_known_changes(ROOT / "test" / "changes.yaml")
    changes = difference(reports[0], reports[1], known_changes)
    return "\n".join([f"{names}: {difference_headline(changes)}", *difference_lines(changes)])


def bisect_text(bug_id: str, older: str, newer: str) -> str:
    """What `bisect` concludes from two neighbouring builds."""
    ledger = load_ledger(ROOT / "test" / "bugs.yaml")
    bug = ledger.bug(bug_id)
    versions = version.parse(older), version.parse(newer)
    return verdict(bug, ledger, bug.tests[0], *versions, BugState.BAD).text


def bundle_text(results: Results, test: str, files: Iterable[Path]) -> str:
    """What `bundle` prints: the outcomes of a test, and the files with their sizes."""
    (bug,) = [bug for bug in results.bugs if bug.id == results.cells[0].bug]
    lines = [f"{bug.id}: {bug.title}"]
    for outcome in Outcome:
        if builds := [cell.build for cell in results.cells if cell.outcome is outcome]:
            lines.append(f"{test_name(test)} {outcome}: {', '.join(builds)}")
    for file in files:
        text = file.read_text("utf-8")
        lines_of = f", {len(text.splitlines())} lines" if file.suffix == ".java" else ""
        lines.append(f"  {file.relative_to(BUNDLE)} ({file.stat().st_size:,} bytes{lines_of})")
    return "\n".join(lines)


def sample_bundle() -> str:
    """What `bundle` printed of `reports/sample-bundle`."""
    results = read_results(BUNDLE / "results.json")
    test = results.cells[0].test
    name = Path(test).name
    names = [name, f"with-controls/{name}", "description.md", "jbs.txt", "webform.txt"]
    names += ["details.md", "results.json"]
    names += ["java-versions.txt", "environment.json", "evidence/outcome.json"]
    return bundle_text(results, test, [BUNDLE / name for name in names])


def tutorial_bundle() -> str:
    """What `bundle` printed in the tutorial, without its files."""
    results = stored_results("two-builds")
    return bundle_text(results, results.cells[0].test, [])


_WAITS = "keepalive/RequestWaitsWhileAnotherCloses.java"
_TWO = "--build temurin-17.0.3+7 --build temurin-17.0.9+9"
OUTPUTS: dict[str, Callable[[], str]] = {
    "run --test keepalive/RequestsBlockedWhileConnectionCloses.java": lambda: run_text(
        "nine-builds"
    ),
    f"run {_TWO} --test {_WAITS}": lambda: run_text("two-builds"),
    f"run --suite test --test {_WAITS} {_TWO}": lambda: run_text("suite"),
    "run --build debian-17.0.12+7 --overlay-patch test/planted/close-under-lock-17.diff"
    f" --test {_WAITS}": lambda: run_text("patch"),
    "try StopAtRest.java --build 'debian-17*' --build 'debian-21*'": lambda: run_text("try"),
    "validate debian-8": lambda: run_text("validation-good"),
    "validate ~/jdk-8u504": lambda: run_text("validation"),
    "throughput --scenario neighbour --scenario azure-500 --build debian-8u372-ga"
    " --build debian-8 --baseline debian-8 --blocks 4 --seed 1": lambda: run_text("speed"),
    "has 8292044 --build temurin-17.0.12+7": lambda: has_text("has", "JDK-8292044"),
    f"bisect 8293562 --train 17 --test {_WAITS}": lambda: bisect_text(
        "8293562", "17.0.3+7", "17.0.7+7"
    ),
    "report latest --since 2026-11-27T23-13-14Z": lambda: changes_text("two-builds", "night"),
    "bundle KIT-1": sample_bundle,
    "bundle 8293562 --out ~/jbs": tutorial_bundle,
    "facts --build temurin-17.0.9+9 --diff debian-17": lambda: facts_text(
        "defaults-17.0.9", "defaults-17.0.21.1", "temurin-17.0.9+9 -> debian-17.0.21.1+2"
    ),
}


def main(run: str, name: str) -> None:
    """Keep the results of a run, without places of the machine, under the name of its start."""
    results = sample_of(read_results(Path(run) / "results.json"))
    builds = tuple(build.model_copy(update={"compile_options": ()}) for build in results.builds)
    start = results.started_at.replace(":", "-")
    results = results.model_copy(update={"run": start, "builds": builds})
    text = results.model_dump_json(by_alias=True, exclude={"cases"})
    text = text.replace(f"…/{ROOT.name}/test", "test")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
