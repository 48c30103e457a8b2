# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does one build show in one test? A run of its own, kept under the bisection's folder."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from jdkmatrix.bisect.search import NoVerdict, State
from jdkmatrix.errors import NothingRanError
from jdkmatrix.evidence.outcomes import Outcome
from jdkmatrix.matrix_run import RunOptions
from jdkmatrix.paths import Checkout
from jdkmatrix.pipeline import run_matrix
from jdkmatrix.report.display import Display
from jdkmatrix.run.record import Request

_SAYS: dict[Outcome, State | NoVerdict] = {
    Outcome.REPRODUCED: State.BAD,
    Outcome.NOT_REPRODUCED: State.GOOD,
    Outcome.NOT_APPLICABLE: NoVerdict.NEVER,
}


class TestProbe:
    """Runs `test` on a build of jdks.yaml; each run is a folder under `folder`."""

    __test__ = False  # no test class of pytest's

    def __init__(
        self,
        checkout: Checkout,
        test: str,
        folder: Path,
        options: RunOptions,
        display: Display,
        say: Callable[[str], None],
    ) -> None:
        self._checkout = checkout
        self._test = test
        self._folder = folder
        self._options = options
        self._display = display
        self._say = say
        self._count = 0

    def __call__(self, entry_id: str) -> State | NoVerdict:
        """What the build shows in one run. Raises NothingRanError."""
        self._count += 1
        out = self._folder / f"{self._count:02}-{entry_id}"
        # What contradicts the ledger at an end of the search is run again there.
        request = Request(builds=(entry_id,), tests=(self._test,), confirm=False)
        options = replace(self._options, out=out)
        try:
            results, _ = run_matrix(self._checkout, request, options, self._display)
        except NothingRanError as error:
            self._say(f"run {self._count}: {error}")
            raise
        if not results.complete:
            raise KeyboardInterrupt
        (cell,) = results.cells
        self._say(f"run {self._count}: {cell.build}: {cell.outcome} ({cell.seconds:.0f} s)")
        if cell.wider:
            return NoVerdict.THIS_TIME
        return _SAYS.get(cell.outcome, NoVerdict.THIS_TIME)
