# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a build of a run stand for in every run, so that runs can be compared?"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from jdkmatrix.records.record import BuildRecord


class Series(NamedTuple):
    """The entry of `jdks.yaml`, which stays when the build moves on, and the build's variant.
    `ordinal` counts those of a run with the same entry and variant: two JDKs of the user's own may
    claim to be one release.
    """

    entry: str
    variant: str = ""
    ordinal: int = 1

    @property
    def variant_name(self) -> str:
        """'', `local`, for the second one `local-2`. The supplied build has no second one."""
        is_first = self.ordinal == 1 or not self.variant
        return self.variant if is_first else f"{self.variant}-{self.ordinal}"


def series_of(builds: Iterable[BuildRecord]) -> dict[str, Series]:
    """The series of each build, by its id."""
    counts: Counter[Series] = Counter()
    series = {}
    for build in builds:
        first = Series(build.entry, build.variant)
        counts[first] += 1
        series[build.id] = first._replace(ordinal=counts[first])
    return series
