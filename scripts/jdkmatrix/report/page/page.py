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

from jinja2 import Environment
from markupsafe import Markup

from jdkmatrix.machine.bounded import text_of
from jdkmatrix.paths import test_name
from jdkmatrix.report.page import anchors, case_pages, law_plot, page_words
from jdkmatrix.report.page.flame import flame_graph
from jdkmatrix.report.page.forest import forests_of
from jdkmatrix.report.page.grid import grid_of
from jdkmatrix.report.page.law_plot import law_plots
from jdkmatrix.report.page.overall import findings_of, looks, overall
from jdkmatrix.report.page.payload_plot import payload_plots
from jdkmatrix.report.page.row_grids import row_grids_of
from jdkmatrix.report.page.timelines import timeline_plots
from jdkmatrix.results.document import Results
from jdkmatrix.results.service_costs import LAYER_NAMES, ladders, service_costs
from jdkmatrix.templating import templates
from jdkmatrix.words import defaults, runs, speed
from jdkmatrix.words.certainty import certainty

_TEMPLATES = Path(__file__).parents[1] / "templates" / "page"
_STYLES = ("base.css", "grid.css", "cells.css", "plots.css", "print.css")
_SCRIPT = "page.js"


def render_page(results: Results) -> str:
    """The whole page."""
    style = "".join(_read(name) for name in _STYLES)
    script = _read(_SCRIPT)
    grid = grid_of(results)
    costs = service_costs(results.throughput)
    return (
        _environment()
        .get_template("index.html.j2")
        .render(
            results=results,
            style=Markup(style),
            script=Markup(script),
            script_hash=_csp_hash(script),
            headline=runs.headline(results),
            suite_words=runs.SUITE_WORDS if results.suite else {},
            overall=overall(results),
            looks=looks(results),
            causes=runs.causes(results.cells),
            grid=grid,
            told_in_full=page_words.told_in_full(results.cells),
            row_grids=row_grids_of(results, grid),
            forests=forests_of(results.throughput),
            speed_headline=speed.speed_headline(results.throughput),
            has_limits=speed.has_limits(results.throughput),
            law_plots=law_plots(results.law),
            service_costs=costs,
            ladders=ladders(results.throughput),
            payload_plots=payload_plots(costs),
            layer_names=LAYER_NAMES,
            timelines=tuple(timeline_plots(grid)),
            findings=findings_of(results),
        )
    )


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
        "wbr": page_words.breakable,
        "defaults_headline": defaults.difference_headline,
        "defaults_lines": defaults.difference_lines,
    }
    environment.globals |= {"measure": case_pages.measure}
    return environment


def _csp_hash(script: str) -> str:
    """The hash by which a content security policy allows a script (CSP 3, section 2.3.1)."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


@cache
def _read(name: str) -> str:
    return text_of(_TEMPLATES / name)
