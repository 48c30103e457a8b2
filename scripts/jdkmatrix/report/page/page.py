# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a run become `index.html`: one file that loads nothing, whatever the results hold?

Every value is escaped by the templates. The only script is the kit's own: the page's content
security policy names its hash, so nothing that a test wrote can run.
"""

import base64
import hashlib
import shlex
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from jdkmatrix.machine.files import text_of
from jdkmatrix.paths import test_name
from jdkmatrix.report.page import anchors, case_pages, law_plot, page_words
from jdkmatrix.report.page.flame import flame_graph
from jdkmatrix.report.page.forest import forest_of
from jdkmatrix.report.page.grid import grid_of
from jdkmatrix.report.page.law_plot import law_plots
from jdkmatrix.report.page.overall import findings_of, looks, overall
from jdkmatrix.report.page.payload_plot import payload_plots
from jdkmatrix.report.page.row_grids import row_grids_of
from jdkmatrix.report.page.sheet import sheet_of
from jdkmatrix.report.page.topics import topic_section, topics_of
from jdkmatrix.report.page.waiting import waiting_plots
from jdkmatrix.results.document import Results
from jdkmatrix.results.service_costs import LAYER_NAMES, ladders, service_costs
from jdkmatrix.templating import templates
from jdkmatrix.words import behaviour, defaults, runs, speed
from jdkmatrix.words.certainty import certainty
from jdkmatrix.words.verdicts import SUITE_WORDS

_TEMPLATES = Path(__file__).parents[1] / "templates" / "page"
_STYLES = ("base.css", "head.css", "grid.css", "cells.css", "plots.css", "print.css")
_SCRIPT = "page.js"
# The sections in the order of the page, and what its list of contents calls them.
_SECTIONS = (
    ("looks", "Not as expected"),
    ("topics", "Verdict by topic"),
    ("differences", "Differences"),
    ("bugs", "Bugs and builds"),
    ("rows", "Interoperability"),
    ("findings", "Other findings"),
    ("throughput", "Speed"),
    ("services", "Cost of TLS"),
    ("law", "The law"),
    ("waiting", "Waiting"),
    ("causes", "Causes"),
    ("builds", "Builds"),
    ("unavailable", "Unavailable"),
    ("not-checked", "Not checked"),
    ("machine", "Machine and kit"),
    ("next", "What to do now"),
)
# What a section is drawn from, where that has another name.
_PARTS = {
    "topics": ("judged_topics",),
    "bugs": ("cells",),
    "rows": ("row_grids",),
    "throughput": ("forest",),
    "services": ("service_costs", "ladders"),
    "not-checked": ("not_checked",),
}


def render_page(results: Results) -> str:
    """The whole page."""
    style = "".join(_read(name) for name in _STYLES)
    script = _read(_SCRIPT)
    contents = _contents(results)
    overall_word = overall(results)
    topics = topics_of(results)
    return (
        _environment()
        .get_template("index.html.j2")
        .render(
            contents,
            results=results,
            style=Markup(style),
            script=Markup(script),
            script_hash=csp_hash(script),
            suite_words=SUITE_WORDS if results.suite else {},
            entries={build.id: build.entry for build in results.builds},
            overall=overall_word,
            topics=topics,
            sheet=sheet_of(results, overall_word, topics),
            told_in_full=page_words.told_in_full(results.cells),
            speed_headline=speed.speed_headline(results.throughput),
            has_limits=speed.has_limits(results.throughput),
            has_smallest_losses=speed.has_smallest_losses(results.throughput),
            layer_names=LAYER_NAMES,
            sections={name: label for name, label in _SECTIONS if _is_shown(name, contents)},
        )
    )


def _contents(results: Results) -> dict[str, Any]:
    """What the sections are drawn from; a section without any is left out."""
    grid = grid_of(results)
    costs = service_costs(results.throughput)
    validation = results.validation
    return {
        "grid": grid,
        "looks": looks(results),
        "judged_topics": validation.topics if validation else (),
        "causes": runs.causes(results.cells),
        "row_grids": row_grids_of(results, grid),
        "forest": forest_of(results.throughput),
        "law_plots": law_plots(results.law),
        "service_costs": costs,
        "ladders": ladders(results.throughput),
        "payload_plots": payload_plots(costs),
        "waiting": tuple(waiting_plots(grid)),
        "findings": findings_of(results),
        "not_checked": validation.not_looked_at if validation else (),
        "differences": results.differences,
        "cells": results.cells,
        "law": results.law,
        "builds": results.builds,
        "unavailable": results.unavailable,
        "machine": results.machine,
        "next": results.run,
    }


def _is_shown(section: str, contents: dict[str, Any]) -> bool:
    return any(contents[part] for part in _PARTS.get(section, (section,)))


@cache
def _environment() -> Environment:
    environment = templates(_TEMPLATES, is_html=True)
    environment.filters |= {
        "test_name": test_name,
        "figure": speed.number,
        "flame": flame_graph,
        "ratio": speed.ratio,
        "interval": speed.interval,
        "loss_limit": speed.loss_limit,
        "smallest_loss": speed.smallest_loss,
        "metric": speed.METRIC_NAMES.__getitem__,
        "anchor": anchors.anchor,
        "case_anchor": anchors.case_anchor,
        "cell_anchor": anchors.cell_anchor,
        "comparison_anchor": anchors.comparison_anchor,
        "link": anchors.link,
        "case_table": case_pages.case_table,
        "place": case_pages.place_of,
        "short": law_plot.short,
        "tick": page_words.tick,
        "grades": page_words.grade_counts,
        "files": page_words.shown_files,
        "folder": page_words.cell_folder,
        "findings": page_words.other_findings,
        "recordings": page_words.recordings,
        "shell": shlex.quote,
        "certainty": certainty,
        "took": page_words.format_duration,
        "read_from": page_words.read_from,
        "topic_section": topic_section,
        "wbr": page_words.breakable,
        "behaviour_headline": behaviour.headline,
        "behaviour_lines": behaviour.difference_lines,
        "breach_lines": behaviour.breach_lines,
        "defaults_headline": defaults.difference_headline,
        "defaults_lines": defaults.difference_lines,
    }
    environment.globals |= {"measure": case_pages.measure}
    return environment


def csp_hash(script: str) -> str:
    """The hash by which a content security policy allows a script (CSP 3, section 2.3.1)."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


@cache
def _read(name: str) -> str:
    return text_of(_TEMPLATES / name)
