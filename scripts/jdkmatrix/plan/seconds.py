# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How long does a test take? Measured once and kept, so that every machine cuts a plan alike.

`seconds.json` is written by `scripts/measure-seconds RUN...`. It only balances shards: no verdict
rests on it.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from statistics import median
from types import MappingProxyType

# In a suite that was never measured, all tests count alike.
_UNMEASURED_S = 1.0


def expected_seconds(tests: Iterable[str]) -> dict[str, float]:
    """The seconds of each test; for one not measured, the median of those that were."""
    measured, wanted = measured_seconds(), list(tests)
    known = [measured[test] for test in wanted if test in measured]
    otherwise = median(known) if known else _UNMEASURED_S
    return {test: measured.get(test, otherwise) for test in wanted}


@cache
def measured_seconds() -> Mapping[str, float]:
    """What was measured: the median over several builds, by test."""
    text = Path(__file__).with_name("seconds.json").read_text(encoding="utf-8")
    return MappingProxyType(json.loads(text)["seconds"])
