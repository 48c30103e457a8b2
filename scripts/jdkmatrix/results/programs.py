# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does `results.json` hold of a plain program: which builds said the same?"""

from jdkmatrix.machine.json_models import Frozen

_RUNS_OF_DIFFERENCE = 2
# What shows in a third of the runs is seen in five with 87 %.
_RUNS_OF_CHANCE = 5


class ProgramGroup(Frozen):
    """Builds that said the same: `ending` is how the program ended, `lines` the beginning of what
    it printed, masked; `sentence` is where it differs from the other groups. `varying` are those
    of which some runs say something else, `variations` two such lines of the first.
    """

    group: str
    builds: tuple[str, ...]
    ending: str
    lines: tuple[str, ...]
    sentence: str
    varying: tuple[str, ...] = ()
    variations: tuple[str, str] | None = None


class ProgramStretch(Frozen):
    """Neighbours in a release line that are in one group, by their versions."""

    train: int
    group: str
    first: str
    last: str
    builds: tuple[str, ...]


class ProgramRate(Frozen):
    """How often a program failed on a build, with the exact 95 % interval of that rate."""

    build: str
    failures: int
    runs: int
    low: float
    high: float


class ProgramResult(Frozen):
    """One program on all builds. `sentences` has one for each release line; `unable` says of each
    build that could not run it why. `rates` are there where it was to be judged, more than once.
    """

    test: str
    groups: tuple[ProgramGroup, ...]
    stretches: tuple[ProgramStretch, ...]
    sentences: tuple[str, ...]
    unable: dict[str, str]
    rates: tuple[ProgramRate, ...] = ()

    @property
    def is_alike(self) -> bool:
        """Do all builds that could run it say the same?"""
        return len(self.groups) == 1

    @property
    def is_undecided(self) -> bool:
        """Are all alike only as there are too few runs to tell those that vary from the others?"""
        return self.is_alike and self.groups[0].varying not in ((), self.groups[0].builds)

    @property
    def wanted_runs(self) -> int:
        """How often each build should have been asked, for the groups to mean something: builds
        that differ twice; more often if some of them also differ from run to run.
        """
        build_count = sum(len(group.builds) for group in self.groups)
        varying_count = sum(len(group.varying) for group in self.groups)
        if varying_count and (len(self.groups) > 1 or varying_count < build_count):
            return _RUNS_OF_CHANCE
        return _RUNS_OF_DIFFERENCE if len(self.groups) > 1 else 1
