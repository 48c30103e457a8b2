# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Every query of the Grafana dashboard answers, from a history that a writer wrote.

Grafana puts the variables in, the plugin frser-sqlite-datasource its macro `$__timeFilter`: done
here as they do it (plugin 4.0, `pkg/plugin/macros.go`; Grafana's variable format `singlequote`).
"""

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix import history
from jdkmatrix.history.database import reading
from tests.history.kit import BASELINE, BUILD, made_run, made_service, made_speed, store_runs

DASHBOARD = Path(history.__file__).with_name("grafana") / "dashboard.json"
PLUGIN = "frser-sqlite-datasource"
# The nights of the made runs.
FROM_S, TO_S = 1767225600, 1785000000


def dashboard() -> Any:
    return json.loads(DASHBOARD.read_text())


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty nights, a step and a regression among them."""
    nights = [made_speed(n, 1.0 if n < 15 else 0.2) for n in range(1, 25)]
    nights += [made_run(n, "reproduced" if n == 30 else "not-reproduced") for n in range(25, 31)]
    nights += [made_service(31, times_slower=2.0)]
    return store_runs(tmp_path_factory.mktemp("history") / "history.sqlite", *nights)


def ask(file: Path, query: str, variables: dict[str, list[str]] | None = None) -> list[sqlite3.Row]:
    for name, choices in (variables or {}).items():
        choice_list = ",".join(f"'{choice}'" for choice in choices)
        query = query.replace(f"${{{name}:singlequote}}", choice_list)
    query = re.sub(
        r"\$__timeFilter\(([^)]*)\)",
        r"CAST(CASE WHEN typeof(\1) = 'integer' THEN \1 ELSE strftime('%s', \1) END AS INTEGER)"
        rf" BETWEEN {FROM_S} AND {TO_S}",
        query,
    )
    assert "$" not in query
    with reading(file) as connection:
        connection.row_factory = sqlite3.Row
        return connection.execute(query).fetchall()


def variables(file: Path) -> dict[str, list[str]]:
    queries = [
        variable for variable in dashboard()["templating"]["list"] if variable["type"] == "query"
    ]
    return {
        variable["name"]: [row[0] for row in ask(file, variable["query"])] for variable in queries
    }


def test_the_variables_have_what_the_history_has(file: Path) -> None:
    assert variables(file) == {
        "entry": [BASELINE, BUILD],
        "scenario": [
            "neighbour https-url-connection",
            *(f"server-reuse-16kib jetty-{tls}" for tls in ("conscrypt", "jsse", "plain")),
        ],
        "test": ["keepalive/RequestsBlockedWhileConnectionCloses.java"],
    }


@pytest.mark.parametrize("panel", dashboard()["panels"], ids=lambda panel: panel["title"])
def test_a_panel_shows_rows_in_the_form_that_it_says(panel: dict[str, Any], file: Path) -> None:
    (target,) = panel["targets"]
    assert target["datasource"]["type"] == PLUGIN
    rows = ask(file, target["rawQueryText"], variables(file))
    assert rows
    assert all(isinstance(row["time"], int) for row in rows)
    assert "time" in target["timeColumns"]
    if target["queryType"] == "time series":  # a time, a number, and what tells lines apart
        assert [type(field) for field in rows[0]] in ([int, float, str], [int, int, str])
        assert [row["time"] for row in rows] == sorted(row["time"] for row in rows)


def test_the_step_and_the_regression_are_in_their_tables(file: Path) -> None:
    panels = dashboard()["panels"]
    queries = {panel["title"]: panel["targets"][0]["rawQueryText"] for panel in panels}
    (grade,) = ask(file, queries["Grades that are no more what they were"], variables(file))
    assert (grade["run"], grade["before"], grade["now"]) == ("run-30", "as-expected", "regression")
    (step,) = ask(file, queries["Figures that stepped"], variables(file))
    assert (step["run"], step["before"], step["after"]) == ("run-15", 1.0, 0.2)


def test_what_tls_costs_a_service_is_a_row_for_each_build(file: Path) -> None:
    panels = {panel["title"]: panel for panel in dashboard()["panels"]}
    (target,) = panels["What TLS costs a service, by payload"]["targets"]
    columns = ["entry", "echo_bytes", "plain", "jsse", "boringssl", "haproxy", "tls_share"]
    assert [
        tuple(row[name] for name in columns)
        for row in ask(file, target["rawQueryText"], variables(file))
    ] == [
        (BASELINE, 16384, 50.0, 200.0, 80.0, None, 0.75),
        (BUILD, 16384, 100.0, 400.0, 160.0, None, 0.75),
    ]


def test_panels_do_not_overlap() -> None:
    cells = set()
    for panel in dashboard()["panels"]:
        place = panel["gridPos"]
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                assert (x, y) not in cells
                cells.add((x, y))
    assert len({panel["id"] for panel in dashboard()["panels"]}) == len(dashboard()["panels"])
