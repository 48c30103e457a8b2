# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which report files does a run folder get, and how are they rendered from the results?"""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from jdkmatrix.report import throughput_words, words
from jdkmatrix.report.page.page import render_page
from jdkmatrix.report.results import Results
from jdkmatrix.run.store import write_atomically

_MARKDOWN = "report.md"


def write_reports(results: Results, folder: Path) -> None:
    """Write `results.json`, `report.md` and `index.html` into `folder`."""
    write_atomically(folder / "results.json", results.to_json())
    for name, text in render(results).items():
        write_atomically(folder / name, text)


def render(results: Results) -> dict[str, str]:
    """The text of each rendered report by its file name."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "test_name": words.test_name,
        "figure": throughput_words.number,
        "ratio": throughput_words.ratio,
        "interval": throughput_words.interval,
        "told": throughput_words.told_of,
    }
    tests = list(dict.fromkeys(cell.test for cell in results.cells))
    facts = {
        "results": results,
        "tests": tests,
        "headline": words.headline(results),
        "causes": words.causes(results),
        "suite_words": words.SUITE_WORDS,
        "metric_names": throughput_words.METRIC_NAMES,
        "speed_headline": throughput_words.speed_headline(results.throughput),
    }
    markdown = environment.get_template(f"{_MARKDOWN}.j2").render(facts)
    return {_MARKDOWN: markdown, "index.html": render_page(results)}
