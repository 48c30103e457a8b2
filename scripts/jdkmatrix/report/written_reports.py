# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which report files does a run folder get, and how are they rendered from the results?"""

from functools import cache
from pathlib import Path

from jinja2 import Environment

from jdkmatrix.grading.cases.kinds import odd_cases
from jdkmatrix.machine.files import write_atomically
from jdkmatrix.paths import test_name
from jdkmatrix.report.bug_table import LEGEND, MARKS
from jdkmatrix.report.ci.junit import junit_xml
from jdkmatrix.report.ci.tap import tap
from jdkmatrix.report.page.overall import findings_of
from jdkmatrix.report.page.page import render_page
from jdkmatrix.results.document import Results
from jdkmatrix.results.service_costs import LAYER_NAMES, ladders, service_costs
from jdkmatrix.templating import templates
from jdkmatrix.vocabulary import Outcome
from jdkmatrix.words import behaviour, defaults, runs, speed

REPORT = "report.md"
# For the user's own suite, whose tests reproduce nothing.
_SUITE_MARKS = {**MARKS, Outcome.REPRODUCED: "F"}
_SUITE_LEGEND = "F failed, · passed, - not-applicable, ? inconclusive or error, empty not run."


def write_reports(results: Results, folder: Path) -> None:
    """Write `results.json` and the reports made from it to `folder`, for people and CI servers."""
    texts = {
        "results.json": results.to_json(),
        "junit.xml": junit_xml(results),
        "results.tap": tap(results),
        **render(results),
    }
    for name, text in texts.items():
        write_atomically(folder / name, text)


def render(results: Results) -> dict[str, str]:
    """The text of each rendered report by its file name."""
    tests = list(dict.fromkeys(cell.test for cell in results.cells))
    facts = {
        "results": results,
        "tests": tests,
        "headline": runs.headline(results),
        "causes": runs.causes(results.cells),
        "odd_cases": odd_cases(results),
        "findings": findings_of(results),
        "run_again": tuple(runs.run_again(results)),
        "legend": _SUITE_LEGEND if results.suite else LEGEND,
        "marks": _SUITE_MARKS if results.suite else MARKS,
        "metric_names": speed.METRIC_NAMES,
        "service_costs": service_costs(results.throughput),
        "ladders": ladders(results.throughput),
        "layer_names": LAYER_NAMES,
        "speed_headline": speed.speed_headline(results.throughput),
        "has_limits": speed.has_limits(results.throughput),
        "has_smallest_losses": speed.has_smallest_losses(results.throughput),
    }
    markdown = _environment().get_template(f"{REPORT}.j2").render(facts)
    return {REPORT: markdown, "index.html": render_page(results)}


@cache
def _environment() -> Environment:
    environment = templates(Path(__file__).with_name("templates"), is_html=False)
    environment.filters |= {
        "test_name": test_name,
        "figure": speed.number,
        "ratio": speed.ratio,
        "interval": speed.interval,
        "loss_limit": speed.loss_limit,
        "smallest_loss": speed.smallest_loss,
        "sentences": speed.sentences_of,
        "behaviour_headline": behaviour.headline,
        "behaviour_lines": behaviour.difference_lines,
        "defaults_headline": defaults.difference_headline,
        "defaults_lines": defaults.difference_lines,
    }
    return environment
