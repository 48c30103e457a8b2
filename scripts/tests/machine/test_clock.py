# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A clock that keeps another pace than the kernel's has no deadlines."""

import errno
import os
import time
from collections.abc import Callable

import pytest

from jdkmatrix.machine.clock import clock_fault


def pace(times: float) -> Callable[[], float]:
    """A monotonic clock that goes on so many times as fast as the real one."""
    real, start_s = time.monotonic, time.monotonic()
    return lambda: start_s + times * (real() - start_s)


def test_the_clock_of_this_machine_keeps_pace() -> None:
    assert clock_fault() is None


@pytest.mark.parametrize("times", [0, 0.1, 5, 100, -1])
def test_another_pace_is_a_fault(times: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", pace(times))
    assert "the monotonic clock goes on by" in str(clock_fault())


def test_another_date_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    real = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: real() - 25 * 365 * 86_400)
    assert clock_fault() is None


def test_one_pause_of_the_process_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """As between two readings on a busy machine."""
    real, late_s = time.monotonic, [0.0, 3.0]
    monkeypatch.setattr(time, "monotonic", lambda: real() + (late_s.pop(0) if late_s else 3.0))
    assert clock_fault() is None


def test_a_clock_that_is_half_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: float) -> None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr(time, "sleep", refuse)
    assert clock_fault() == "sleeping fails: Invalid argument"
