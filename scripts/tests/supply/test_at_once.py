# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are two runs safe that share a cache?"""

import json
from collections.abc import Callable
from subprocess import Popen

import pytest

from tests.supply.supply_kit import Shop, from_wheel

pytestmark = pytest.mark.slow

ENTRY = from_wheel("temurin-17.0.3+7", "1.0")
RUN_TIMEOUT_S = 120

CODE = """
from pathlib import Path
from tests.supply.supply_kit import Told, jdks_of
from jdkmatrix.supply.supplier import Supplier
import json
jdks = jdks_of(json.loads({entry!r}))
told = Told()
(outcome,) = Supplier(jdks, Path({lock!r}), Path({cache!r}), False, told).supply(jdks.builds)
print(json.dumps([str(getattr(outcome, "id", outcome)), told.labels]))
"""

Run = Callable[[str], "Popen[str]"]


def code_for(shop: Shop) -> str:
    return CODE.format(entry=json.dumps(ENTRY), lock=str(shop.lock), cache=str(shop.cache))


def test_two_runs_at_once_install_once_and_both_succeed(shop: Shop, in_process: Run) -> None:
    shop.offer("1.0", "17.0.3+7")
    runs = [in_process(code_for(shop)) for _ in range(2)]
    answers = [run.communicate(timeout=RUN_TIMEOUT_S) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], answers
    told = [json.loads(output) for output, _ in answers]
    assert [build_id for build_id, _ in told] == ["temurin-17.0.3+7"] * 2
    downloads = [label for _, labels in told for label in labels]
    assert downloads == ["temurin-17.0.3+7"]
    assert len(shop.installs()) == 1
    assert shop.staged() == []
