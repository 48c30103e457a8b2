# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a build slower than the good one in a scenario? Each answer takes a run of its own."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.bisect.candidates import explain_mismatch
from jdkmatrix.bisect.likeness import Slowdown, slowdown_of
from jdkmatrix.bisect.search import BugState, NoVerdict
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import NothingRanError
from jdkmatrix.records.record import Request, SpeedRequest
from jdkmatrix.results.document import Results
from jdkmatrix.results.speed import ThroughputResult
from jdkmatrix.verdict.ratio import MINIMUM_EFFECT
from jdkmatrix.vocabulary import SpeedGrade

# A slow-down worth a bisection is large, and each build is measured beside its own control.
BLOCKS = 3

_NOT_SLOWER = (SpeedGrade.NO_CHANGE, SpeedGrade.FASTER)


@dataclass
class ScenarioProbe:
    """Compares builds of jdks.yaml with `good`, in one scenario with one client; `versions` are
    those known when the search began.

    The first build graded slower is the bad end; the others are judged by its slow-down.
    """

    run: Callable[[Request, Path], Results]
    scenario: str
    client: str
    good: str
    versions: Mapping[str, JdkVersion]
    folder: Path
    say: Callable[[str], None]
    _slowdown: Slowdown | None = None
    _count: int = 0

    def __call__(self, entry_id: str) -> BugState | NoVerdict:
        """The build's state in one run. Raises NothingRanError."""
        if entry_id == self.good:
            return BugState.GOOD
        self._count += 1
        try:
            results = self._compare(entry_id)
        except NothingRanError as error:
            self.say(f"run {self._count}: {error}")
            raise
        for record in results.builds:
            if mismatch := explain_mismatch(record, self.versions[record.entry]):
                self.say(f"run {self._count}: {record.id}: {mismatch}")
                return NoVerdict.FINAL
        (comparison,) = results.throughput
        state = self._state(comparison)
        self.say(
            f"run {self._count}: {comparison.build}: {comparison.reason}: {state or 'no verdict'}"
        )
        return state or NoVerdict.THIS_TIME

    def _state(self, comparison: ThroughputResult) -> BugState | None:
        if self._slowdown is not None:
            return self._slowdown.state_of(comparison)
        self._slowdown = slowdown_of(comparison)
        if self._slowdown is not None:
            return BugState.BAD
        return BugState.GOOD if comparison.grade in _NOT_SLOWER else None

    def _compare(self, entry_id: str) -> Results:
        speed = SpeedRequest(
            scenarios=(self.scenario,),
            clients=(self.client,),
            baseline=self.good,
            blocks=BLOCKS,
            minimum_effect=MINIMUM_EFFECT,
            seed=random.SystemRandom().randrange(2**31),
        )
        request = Request(builds=(self.good, entry_id), cells=False, speed=speed)
        return self.run(request, self.folder / f"{self._count:02}-{entry_id}")
