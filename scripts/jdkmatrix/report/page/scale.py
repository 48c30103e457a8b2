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
    def around_one(
        cls, numbers: Iterable[float], *, least_factor: float, most_factor: float
    ) -> "LogScale":
        """An axis that shows 1 and all values within `1/most_factor` to `most_factor`.

        It spans no less than `1/least_factor` to `least_factor`.
        """
        visible = [
            min(max(number, 1 / most_factor), most_factor) for number in numbers if number > 0
        ]
        low = min([*visible, 1 / least_factor])
        high = max([*visible, least_factor])
        margin = (high / low) ** 0.04
        return cls(low / margin, high * margin)

    @classmethod
    def spanning(cls, numbers: Sequence[float]) -> "LogScale":
        """An axis that shows all values, at least one, all above 0."""
        low, high = min(numbers), max(numbers)
        margin = max((high / low) ** 0.08, 1.2)
        return cls(low / margin, high * margin)

    def percent(self, number: float) -> float:
        """The place of a value, 0 to 100; values outside the axis are put at its ends."""
        if number <= self.low:
            return 0.0
        if number >= self.high:
            return 100.0
        return round(100 * math.log(number / self.low) / math.log(self.high / self.low), 2)

    def percent_from_top(self, number: float) -> float:
        """The same of an upright axis, as SVG counts."""
        return round(100 - self.percent(number), 2)

    def shows(self, number: float) -> bool:
        """Whether the value lies within the axis."""
        return self.low <= number <= self.high

    @property
    def ticks(self) -> tuple[float, ...]:
        """Round values within the axis, about three to seven."""
        factor = self.high / self.low
        if factor <= _LINEAR_FACTOR:
            return _linear_ticks(self.low, self.high, 5)
        steps = (1.0,) if factor > _DECADES_FACTOR else (1.0, 2.0, 5.0)
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        candidates = [
            float(f"{step}e{decade}") for decade in range(first, last + 1) for step in steps
        ]
        return tuple(candidate for candidate in candidates if self.shows(candidate))


def linear_ticks(high: float, most_steps: int) -> tuple[float, ...]:
    """Round values from 0 to `high`, in at most `most_steps` steps."""
    return _linear_ticks(0.0, high, most_steps)


def _linear_ticks(low: float, high: float, most_steps: int) -> tuple[float, ...]:
    rough = (high - low) / most_steps
    if rough <= 0:
        return (low,)
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * next(step for step in _STEPS if step * power >= rough)
    first = math.ceil(low / step)
    last = math.floor(high / step)
    return tuple(round(n * step, 12) for n in range(first, last + 1))
