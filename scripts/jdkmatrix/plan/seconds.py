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

from jdkmatrix.machine.files import text_of

# In a suite that was never measured, all tests count alike.
_UNMEASURED_S = 1.0


def expected_seconds(tests: Iterable[str]) -> dict[str, float]:
    """The seconds of each test; for one not measured, the median of those that were."""
    seconds_by_test, paths = measured_seconds(), list(tests)
    durations_s = [seconds_by_test[test] for test in paths if test in seconds_by_test]
    default_s = median(durations_s) if durations_s else _UNMEASURED_S
    return {test: seconds_by_test.get(test, default_s) for test in paths}


@cache
def measured_seconds() -> Mapping[str, float]:
    """What was measured: the median over several builds, by test."""
    text = text_of(Path(__file__).with_name("seconds.json"))
    return MappingProxyType(json.loads(text)["seconds"])
