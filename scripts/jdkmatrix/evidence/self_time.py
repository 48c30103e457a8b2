# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which code took the CPU time of two builds, and where did it grow? Pure.

A recording samples the threads that run Java code. The CPU time of a request is divided in
proportion to the samples, so that of the kernel and the JVM itself is spread over the Java code.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from jdkmatrix.evidence.digest import Method, Recording

# Fewer samples show chance: with a hundred, a share of a tenth is good to three hundredths.
LEAST_SAMPLES = 100
# A method is named if it has at least this share of its part's growth.
_LEAST_SHARE = 0.2


@dataclass(frozen=True)
class Profile:
    """A recording's samples, and the CPU time that a request took in it, in µs."""

    recording: Recording
    cpu_us: float

    @property
    def is_enough(self) -> bool:
        """Whether there are enough samples to tell anything."""
        return self._samples >= LEAST_SAMPLES

    def shares(self, key: Callable[[Method], str]) -> Mapping[str, float]:
        """Shares of the samples, summed by key, largest first."""
        sums: dict[str, float] = {}
        for method in self.recording.self_time:
            name = key(method)
            sums[name] = sums.get(name, 0.0) + method.samples / self._samples
        return dict(sorted(sums.items(), key=lambda pair: -pair[1]))

    def us(self, key: Callable[[Method], str]) -> dict[str, float]:
        """CPU µs a request, by key."""
        return {name: share * self.cpu_us for name, share in self.shares(key).items()}

    @property
    def _samples(self) -> int:
        return sum(method.samples for method in self.recording.self_time)


def package(method: Method) -> str:
    """The package of a method: `sun.security.ssl`."""
    parts = method.method.split(".")
    return ".".join(parts[:-2]) or parts[0]


@dataclass(frozen=True)
class MethodGrowth:
    """A method's CPU time of a request in µs, by its samples."""

    method: str
    old_us: float
    new_us: float


@dataclass(frozen=True)
class Growth:
    """The part of TLS with most of the growth of a request's CPU time, in µs; `method` has a good
    part of that, and is None if none has.
    """

    part: str
    grown_us: float
    method: MethodGrowth | None


def where_it_grew(old: Profile, new: Profile) -> Growth | None:
    """Where most of the growth is; None if samples are few or nothing grew."""
    if not (old.is_enough and new.is_enough):
        return None
    part, grown_us = _most_grown(old, new, lambda sample: sample.part)
    if grown_us <= 0:
        return None
    method, method_us = _most_grown(
        old, new, lambda sample: sample.method if sample.part == part else ""
    )
    if not method or method_us < _LEAST_SHARE * grown_us:
        return Growth(part, grown_us, None)
    old_us, new_us = (
        profile.us(lambda sample: sample.method).get(method, 0.0) for profile in (old, new)
    )
    return Growth(part, grown_us, MethodGrowth(method, old_us, new_us))


def _most_grown(old: Profile, new: Profile, key: Callable[[Method], str]) -> tuple[str, float]:
    old_us, new_us = old.us(key), new.us(key)
    growth_us = {
        name: new_us.get(name, 0.0) - old_us.get(name, 0.0) for name in {*old_us, *new_us} if name
    }
    name = max(sorted(growth_us), key=lambda part_name: growth_us[part_name], default="")
    return name, growth_us.get(name, 0.0)
