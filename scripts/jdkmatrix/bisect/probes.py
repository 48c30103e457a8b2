# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does one build show in one run? Each run is kept in the bisection's folder."""

from collections.abc import Callable, Mapping
from pathlib import Path

from jdkmatrix.bisect.candidates import explain_mismatch
from jdkmatrix.bisect.search import BugState, NoVerdict
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import NothingRanError
from jdkmatrix.records.request import Request
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.vocabulary import Outcome

_STATES: dict[Outcome, BugState | NoVerdict] = {
    Outcome.REPRODUCED: BugState.BAD,
    Outcome.NOT_REPRODUCED: BugState.GOOD,
    Outcome.NOT_APPLICABLE: NoVerdict.FINAL,
}
_PROGRAM_WORDS = {Outcome.REPRODUCED: "fails", Outcome.NOT_REPRODUCED: "passes"}


class _BuildRuns:
    """Runs what `request` names on one build at a time through `run`; each run is a folder under
    `folder`.

    A build is named by its id in jdks.yaml, a local JDK by its absolute path. `versions` are those
    known when the search began.
    """

    def __init__(
        self,
        run: Callable[[Request, Path], Results],
        request: Request,
        versions: Mapping[str, JdkVersion],
        folder: Path,
        say: Callable[[str], None],
    ) -> None:
        self._run = run
        # The search itself runs again what it doubts.
        self._request = request.model_copy(update={"confirm": False})
        self._versions = versions
        self._folder = folder
        self._say = say
        self._count = 0
        self.failures: Mapping[str, str] = {}

    def _ask(self, build: str) -> tuple[CellResult, str | None]:
        """The result of one run, and why it does not count. Raises NothingRanError."""
        self._count += 1
        at_hand = Path(build).is_absolute()
        # A user's folder may have a name that a run's folder can't have.
        out = self._folder / f"{self._count:03}-{'jdk' if at_hand else build}"
        builds = {"builds": () if at_hand else (build,), "jdks": (build,) if at_hand else ()}
        try:
            results = self._run(self._request.model_copy(update=builds), out)
        except NothingRanError as error:
            self._say(f"run {self._count}: {error}")
            raise
        (cell,), (record,) = results.cells, results.builds
        return cell, explain_mismatch(record, self._versions[build])

    def _tell(self, cell: CellResult, text: str) -> None:
        self._say(f"run {self._count}: {cell.build}: {text}")


class ReproducerProbe(_BuildRuns):
    """Asks whether a build shows the bug in a reproducer."""

    __test__ = False  # not a test class of pytest's

    def __call__(self, build: str) -> BugState | NoVerdict:
        """What the build shows in one run. Raises NothingRanError."""
        cell, mismatch = self._ask(build)
        self._tell(cell, f"{cell.outcome} ({cell.seconds:.0f} s)")
        if mismatch:
            self._tell(cell, mismatch)
            return NoVerdict.FINAL
        if cell.wider:
            return NoVerdict.THIS_TIME
        return _STATES.get(cell.outcome, NoVerdict.THIS_TIME)


class ProgramProbe(_BuildRuns):
    """Asks whether a plain program, or a test of the user's own, fails on a build. `failures` says
    how, by build, unless a pattern says which failure is meant.
    """

    def __call__(self, build: str) -> bool | None:
        """Whether it fails there in one run; None if the build gives no answer."""
        try:
            cell, mismatch = self._ask(build)
        except NothingRanError:
            return None
        if mismatch:
            self._tell(cell, mismatch)
            return None
        word = _PROGRAM_WORDS.get(cell.outcome, "cannot tell")
        self._tell(cell, f"{word}: {cell.reason}")
        program = self._request.program
        if cell.outcome is Outcome.REPRODUCED and not (program and program.fails_with):
            self.failures = {**self.failures, build: cell.reason}
        return cell.outcome is Outcome.REPRODUCED if cell.outcome in _PROGRAM_WORDS else None
