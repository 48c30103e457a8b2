# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Inputs of every shape, by Hypothesis: a few in each run of the tests, many with `--long`.

The few are the same ones each time, so that no run fails by chance.
"""

import functools
import gc
import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

# Of each test in the long form; three of them make 100,000.
LONG_INPUTS = 34_000
# CPU time of the test's own thread: the machine, and the process, may have other work.
LONGEST_S = 5.0
MOST_BYTES = 500 << 20
CLEAR_REFS = Path("/proc/self/clear_refs")

_by_nature = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
_calm = settings(deadline=None, suppress_health_check=_by_nature)
_input_counts: Counter[str] = Counter()
# An input that fails is told as it is: to make a large one smaller may take longer than the test.
_unshrunk = settings(_calm, phases=(Phase.explicit, Phase.generate))
settings.register_profile("short", _calm)
settings.register_profile("fuzz-short", _unshrunk, max_examples=1, derandomize=True)
settings.register_profile("fuzz-long", _unshrunk, max_examples=LONG_INPUTS, print_blob=True)


def choose(long: bool) -> None:
    """Set the form of the tests that are imported after this."""
    settings.load_profile("fuzz-long" if long else "short")


def is_long() -> bool:
    """Is it the long form?"""
    return settings.get_current_profile_name() == "fuzz-long"


def fuzz(
    inputs: int, long_inputs: int = LONG_INPUTS, **strategies: SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with that many inputs, with `long_inputs` in the long form, each in LONGEST_S."""
    form = settings.get_profile("fuzz-long" if is_long() else "fuzz-short")

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def count_inputs(*positional: Any, **keywords: Any) -> None:
            _input_counts[f"{test.__module__}.{test.__name__}"] += 1
            gc.disable()  # else one of them pays for what Hypothesis keeps of all before it
            try:
                began_s = time.thread_time()
                test(*positional, **keywords)
                assert time.thread_time() - began_s < LONGEST_S
            finally:
                gc.enable()

        profile = settings(form, max_examples=max(inputs, min(long_inputs, form.max_examples)))
        fuzz_test: Callable[..., None] = pytest.mark.fuzz(
            profile(given(**strategies)(count_inputs))
        )
        return fuzz_test

    return decorate


def inputs_of(item: pytest.Item) -> int:
    """How many inputs a test has had so far."""
    function = getattr(item, "function", None)
    # Hypothesis gives its function the name of the test, and another qualified one.
    return _input_counts[f"{function.__module__}.{function.__name__}"] if function else 0


class Memory:
    """What a test takes at its peak, beyond what this process had when it began: of thirty tests in
    one process the last would else pay for all. It does where /proc is read-only.
    """

    def __init__(self) -> None:
        gc.collect()
        if os.access(CLEAR_REFS, os.W_OK):
            CLEAR_REFS.write_text("5")  # the peak is now what there is (proc(5))
        self._start_bytes = _status_bytes("VmRSS")

    def taken_bytes(self) -> int:
        """The peak so far."""
        return _status_bytes("VmHWM") - self._start_bytes


def _status_bytes(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    (kib,) = (line.split()[1] for line in lines if line.startswith(f"{name}:"))
    return int(kib) << 10
