# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is each planted fault that rows must find found by those rows, and by no others?"""

from pathlib import Path

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.planted import load_planted
from jdkmatrix.paths import Checkout
from tests.fuzz import is_long

pytestmark = [pytest.mark.network, pytest.mark.jdk, pytest.mark.fuzz]

CHECKOUT = Checkout.current()
FAULTS = load_planted(CHECKOUT.planted_faults, load_ledger(CHECKOUT.ledger)).planted


@pytest.mark.skipif(not is_long(), reason="only with --long")
@pytest.mark.parametrize("fault", [fault.id for fault in FAULTS if fault.rows])
def test_rows_find_a_planted_fault(
    fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["planted", fault, "--out", str(tmp_path / "out")])
    assert code == 0, capsys.readouterr().out
