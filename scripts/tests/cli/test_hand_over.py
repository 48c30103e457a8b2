# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix ... | head`: the history has the run though nobody reads its results to the end."""

import errno
from pathlib import Path
from typing import NoReturn

import pytest

from jdkmatrix.cli.hand_over import hand_over
from jdkmatrix.flow.flow import Finished
from jdkmatrix.history.remember import history_file
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import Request
from tests.report.conftest import make_cell, make_results


def test_the_history_has_the_run_before_anything_is_printed(tmp_path: Path) -> None:
    def gone(*_: object) -> NoReturn:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    results = make_results(make_cell("temurin-17.0.9+9", "not-reproduced", "fixed"))
    checkout = Checkout(tmp_path)
    with pytest.raises(BrokenPipeError):
        hand_over(checkout, Finished(results, tmp_path, Request()), gone, as_json=False)
    assert history_file(checkout).is_file()
