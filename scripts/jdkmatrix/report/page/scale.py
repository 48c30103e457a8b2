# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where on an axis does a value lie, and which values get a tick? Pure.

Places are percentages of the axis' length, as SVG and CSS take them.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_STEPS = (1.0, 2.0, 5.0, 10.0)
# End to end, ticks are evenly spaced up to the first factor, 1-2-5 up to the second, then decades.
_LINEAR_FACTOR = 6.0
_DECADES_FACTOR = 300.0


@dataclass(frozen=True)
class LogScale:
    """A logarithmic axis from `low` to `high`, both above 0."""

    low: float
    high: float

    @classmethod
    def around(cls, values: Iterable[float], *, least_factor: float, most: float) -> "LogScale":
        """An axis that shows 1 and all values, as far as they lie within `1/most` to `most`.

        It spans no less than `1/least_factor` to `least_factor`.
        """
        shown = [min(max(value, 1 / most), most) for value in values if value > 0]
        low = min([*shown, 1 / least_factor])
        high = max([*shown, least_factor])
        margin = (high / low) ** 0.04
        return cls(low / margin, high * margin)

    @classmethod
    def over(cls, values: Sequence[float]) -> "LogScale":
        """An axis that shows all values, at least one, all above 0."""
        low, high = min(values), max(values)
        margin = max((high / low) ** 0.08, 1.2)
        return cls(low / margin, high * margin)

    def percent(self, value: float) -> float:
        """The place of a value, 0 to 100; values outside the axis are put at its ends."""
        if value <= self.low:
            return 0.0
        if value >= self.high:
            return 100.0
        return round(100 * math.log(value / self.low) / math.log(self.high / self.low), 2)

    def shows(self, value: float) -> bool:
        """Whether the value lies within the axis."""
        return self.low <= value <= self.high

    @property
    def ticks(self) -> tuple[float, ...]:
        """Round values within the axis, about three to seven."""
        factor = self.high / self.low
        if factor <= _LINEAR_FACTOR:
            return _linear_ticks(self.low, self.high, 5)
        steps = (1.0,) if factor > _DECADES_FACTOR else (1.0, 2.0, 5.0)
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        found = [float(f"{step}e{decade}") for decade in range(first, last + 1) for step in steps]
        return tuple(value for value in found if self.shows(value))


def linear_ticks(high: float, most: int) -> tuple[float, ...]:
    """Round values from 0 to `high`, in at most `most` steps."""
    return _linear_ticks(0.0, high, most)


def _linear_ticks(low: float, high: float, most: int) -> tuple[float, ...]:
    rough = (high - low) / most
    if rough <= 0:
        return (low,)
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * next(step for step in _STEPS if step * power >= rough)
    first = math.ceil(low / step)
    last = math.floor(high / step)
    return tuple(round(n * step, 12) for n in range(first, last + 1))
