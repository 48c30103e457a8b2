# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A flame graph has each frame below its caller, as wide as its share of the samples."""

from jdkmatrix.evidence.digest import FlameFrame
from jdkmatrix.report.page.flame import ROW_PX, flame_graph
from jdkmatrix.report.page.page import render_page
from jdkmatrix.results.speed import RecordingEvidence
from tests.report.big_run import big_results

RUN = FlameFrame(frame="java.lang.Thread.run", depth=0, left_samples=0, samples=200)
WRAP = FlameFrame(
    frame="sun.security.ssl.SSLEngineImpl.wrap", depth=1, left_samples=50, samples=100
)
HASH = FlameFrame(
    frame="com.sun.crypto.provider.GHASH.update", depth=2, left_samples=50, samples=25
)


def test_each_frame_is_as_wide_as_its_share_and_below_its_caller() -> None:
    graph = flame_graph([RUN, WRAP, HASH])
    assert [(bar.x, bar.width, bar.y) for bar in graph.bars] == [
        (0.0, 100.0, 0),
        (25.0, 50.0, ROW_PX),
        (25.0, 12.5, 2 * ROW_PX),
    ]
    assert graph.height == 3 * ROW_PX
    assert [bar.kind for bar in graph.bars] == ["other", "tls", "cipher"]
    assert graph.bars[2].label == "GHASH.update"
    assert graph.bars[2].title == "com.sun.crypto.provider.GHASH.update: 12.5 % of the samples"


def test_the_page_draws_it_for_each_build_escaped() -> None:
    hostile = RUN.model_copy(update={"frame": "a.<b>.run"})
    evidence = RecordingEvidence(
        cause=None,
        difference=(),
        recordings=(),
        flames={"temurin-17.0.7+7": (RUN, WRAP), "temurin-17.0.9+9": (hostile,)},
    )
    big = big_results()
    slower = big.throughput[0].model_copy(update={"evidence": evidence})
    page = render_page(big.model_copy(update={"throughput": (slower,), "cells": ()}))
    assert page.count('class="flame"') == 2
    assert "sun.security.ssl.SSLEngineImpl.wrap: 50.0 % of the samples" in page
    assert "a.<b>.run" not in page
    assert "a.&lt;b&gt;.run: 100.0 %" in page
