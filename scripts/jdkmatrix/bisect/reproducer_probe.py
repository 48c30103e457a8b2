# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does one build show in one test? Each run is kept in the bisection's folder."""

from collections.abc import Callable, Mapping
from pathlib import Path

from jdkmatrix.bisect.candidates import explain_mismatch
from jdkmatrix.bisect.search import BugState, NoVerdict
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import NothingRanError
from jdkmatrix.records.record import Request
from jdkmatrix.results.document import Results
from jdkmatrix.vocabulary import Outcome

_SAYS: dict[Outcome, BugState | NoVerdict] = {
    Outcome.REPRODUCED: BugState.BAD,
    Outcome.NOT_REPRODUCED: BugState.GOOD,
    Outcome.NOT_APPLICABLE: NoVerdict.FINAL,
}


class ReproducerProbe:
    """Runs `test` on a build through `run`; each run is a folder under `folder`.

    A build is named by its id in jdks.yaml, a local JDK by its absolute path. `versions` are those
    known when the search began.
    """

    __test__ = False  # not a test class of pytest's

    def __init__(
        self,
        run: Callable[[Request, Path], Results],
        test: str,
        versions: Mapping[str, JdkVersion],
        folder: Path,
        say: Callable[[str], None],
    ) -> None:
        self._run = run
        self._test = test
        self._versions = versions
        self._folder = folder
        self._say = say
        self._count = 0

    def __call__(self, build: str) -> BugState | NoVerdict:
        """What the build shows in one run. Raises NothingRanError."""
        self._count += 1
        at_hand = Path(build).is_absolute()
        # A user's folder may have a name that a run's folder can't have.
        out = self._folder / f"{self._count:02}-{'jdk' if at_hand else build}"
        # The search itself runs an end again that contradicts the ledger.
        request = Request(
            builds=() if at_hand else (build,),
            jdks=(build,) if at_hand else (),
            tests=(self._test,),
            confirm=False,
        )
        try:
            results = self._run(request, out)
        except NothingRanError as error:
            self._say(f"run {self._count}: {error}")
            raise
        (cell,) = results.cells
        self._say(f"run {self._count}: {cell.build}: {cell.outcome} ({cell.seconds:.0f} s)")
        (record,) = results.builds
        if mismatch := explain_mismatch(record, self._versions[build]):
            self._say(f"run {self._count}: {cell.build}: {mismatch}")
            return NoVerdict.FINAL
        if cell.wider:
            return NoVerdict.THIS_TIME
        return _SAYS.get(cell.outcome, NoVerdict.THIS_TIME)
