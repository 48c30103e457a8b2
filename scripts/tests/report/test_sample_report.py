# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The samples are what the kit draws today of real runs, and name no place of a machine.

After a change to a template: UPDATE_SAMPLE=1 scripts/test tests/report/test_sample_report.py
"""

import os
import re
from pathlib import Path

import pytest

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.errors import UsageError
from jdkmatrix.grading.stored_results import read_results
from jdkmatrix.report.page.page import render_page
from jdkmatrix.report.sample_report import main, sample_of, without_places, write_sample
from jdkmatrix.results.document import Results
from jdkmatrix.supply.runtime_facts import Defaults
from tests.report.big_run import big_results

REPORTS = Path(__file__).parents[3] / "reports"
# A run of many builds; validations: one with a planted regression, a good one, one on a machine
# that lacks programs; and servers measured on two builds.
SAMPLES = tuple(
    REPORTS / name
    for name in (
        "sample",
        "sample-validation",
        "sample-validation-good",
        "sample-validation-undecided",
        "sample-services",
    )
)
OF_CELLS = SAMPLES[:4]
FILES = ("results.json", "index.html", "report.md")
MOST_BYTES = 1_500_000
each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda folder: folder.name)
PLACE = re.compile(r"(?<![\w.:/])/(?:root|home|Users|tmp|work)\b")


def results_of(sample: Path) -> Results:
    return read_results(sample / "results.json")


@each_sample
def test_the_sample_is_drawn_as_the_kit_draws_today(sample: Path, tmp_path: Path) -> None:
    results = results_of(sample)
    write_sample(results, sample if os.environ.get("UPDATE_SAMPLE") else tmp_path)
    for name in FILES[1:]:
        source = (tmp_path / name) if (tmp_path / name).exists() else sample / name
        assert (sample / name).read_text("utf-8") == source.read_text("utf-8"), "UPDATE_SAMPLE=1"


@each_sample
@pytest.mark.parametrize("name", FILES)
def test_the_sample_names_no_place_of_a_machine(sample: Path, name: str) -> None:
    assert PLACE.findall((sample / name).read_text("utf-8")) == []


@each_sample
def test_the_sample_is_small(sample: Path) -> None:
    assert sum((sample / name).stat().st_size for name in FILES) < MOST_BYTES


@pytest.mark.parametrize("sample", OF_CELLS, ids=lambda folder: folder.name)
def test_the_sample_has_most_of_the_ledger(sample: Path, ledger: Ledger) -> None:
    tests = {test for bug in ledger.bugs for test in bug.tests}
    tests_shown = tests & {cell.test for cell in results_of(sample).cells}
    assert len(tests_shown) > 0.8 * len(tests)


def test_the_sample_of_services_has_each_size_by_each_tls() -> None:
    comparisons = results_of(REPORTS / "sample-services").throughput
    assert len({comparison.echo_bytes for comparison in comparisons}) == 5
    assert {comparison.layer for comparison in comparisons} == {"plain", "jsse", "native"}


def test_the_sample_of_a_validation_names_what_was_planted() -> None:
    validation = results_of(REPORTS / "sample-validation").validation
    assert validation
    assert validation.verdict == "bad"
    assert validation.reason.startswith("bugs: JDK-8293562 is back ")
    assert validation.baseline == "debian-8u452-ga"


@pytest.mark.parametrize("verdict", ["good", "undecided"])
def test_a_sample_of_each_other_verdict(verdict: str) -> None:
    validation = results_of(REPORTS / f"sample-validation-{verdict}").validation
    assert validation and validation.verdict == verdict


@each_sample
def test_a_sample_is_called_what_it_is(sample: Path) -> None:
    assert results_of(sample).run == sample.name


def test_paths_are_cut_and_what_only_looks_like_one_stays() -> None:
    text = "in /root/.cache/x/jdk-17, '/tmp/a b'; \"/home/me\"; https://a.org/home/x, ./tmp/y"
    expected_text = "in …/x/jdk-17, '…/a b'; \"…/me\"; https://a.org/home/x, ./tmp/y"
    assert without_places(text) == expected_text
    assert without_places("GET /second and /first, /rooted") == "GET /second and /first, /rooted"
    assert without_places("-compilejdk:/root/a/b/jdk") == "-compilejdk:…/b/jdk"
    assert without_places("https://root/a/b/c") == "https://root/a/b/c"


def test_a_sample_of_some_builds_has_their_cells_alone(results: Results) -> None:
    sample = sample_of(results, ["temurin-17.0.3+7"])
    assert [build.id for build in sample.builds] == ["temurin-17.0.3+7"]
    assert [cell.build for cell in sample.cells] == ["temurin-17.0.3+7"]
    assert sample.builds[0].home == "/cache/jdk"
    assert sample.cells[0].artifacts == ()
    with pytest.raises(UsageError, match="no build of the run"):
        sample_of(results, ["temurin-8"])


def test_a_sample_has_no_roots_of_the_machine(results: Results) -> None:
    """A company's own authority says whose machine it was."""
    roots = {"root": {"ab": "CN=Own"}, "named-group": {"x25519": ""}}
    for store, is_there in (({}, True), ({"root-store": {"cacerts": ""}}, False)):
        defaults = Defaults(version="17.0.3+7", vendor="v", aspects={**roots, **store})
        builds = tuple(build.model_copy(update={"defaults": defaults}) for build in results.builds)
        sample = sample_of(results.model_copy(update={"builds": builds}))
        assert ("CN=Own" in sample.to_json()) is is_there
        assert "x25519" in sample.to_json()


def test_a_sample_links_to_no_file_of_the_run() -> None:
    run = big_results()
    text = render_page(sample_of(run))
    assert 'href="cells/' not in text
    assert 'href="throughput/' not in text
    assert text.count("<td>control</td>") == sum(
        sample.arm == "control" for comparison in run.throughput for sample in comparison.samples
    )


def test_a_mistake_is_told_in_one_line(
    tmp_path: Path, results: Results, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out")
    document = tmp_path / "results.json"
    assert main([]) == 4
    assert main([str(tmp_path), out]) == 4
    document.write_text("{}")
    assert main([str(tmp_path), out]) == 4
    first, second, third = capsys.readouterr().err.splitlines()
    assert first == "sample-report: accepted: RUN OUT [BUILD...]"
    assert second == f"sample-report: {document}: cannot be read: No such file or directory"
    assert third.startswith(f"sample-report: {document}: not a record of this kit: ")
    document.write_text(results.to_json())
    assert main([str(tmp_path), out]) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(FILES)
