# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a plain program fail on a build? Each run is kept in the bisection's folder."""

from collections.abc import Callable, Mapping
from pathlib import Path

from jdkmatrix.bisect.candidates import explain_mismatch
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import NothingRanError
from jdkmatrix.records.record import Request
from jdkmatrix.results.document import Results
from jdkmatrix.vocabulary import Outcome


class ProgramProbe:
    """Runs the program of `request` on one build at a time through `run`; each run is a folder
    under `folder`.

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
        self._request = request
        self._versions = versions
        self._folder = folder
        self._say = say
        self._count = 0

    def __call__(self, build: str) -> bool | None:
        """Whether it fails there in one run; None if the build gives no answer."""
        self._count += 1
        at_hand = Path(build).is_absolute()
        # A user's folder may have a name that a run's folder can't have.
        out = self._folder / f"{self._count:03}-{'jdk' if at_hand else build}"
        request = self._request.model_copy(
            update={
                "builds": () if at_hand else (build,),
                "jdks": (build,) if at_hand else (),
                "confirm": False,
            }
        )
        try:
            results = self._run(request, out)
        except NothingRanError as error:
            self._say(f"run {self._count}: {error}")
            return None
        (cell,), (record,) = results.cells, results.builds
        if mismatch := explain_mismatch(record, self._versions[build]):
            self._say(f"run {self._count}: {cell.build}: {mismatch}")
            return None
        verdicts = {Outcome.REPRODUCED: "fails", Outcome.NOT_REPRODUCED: "passes"}
        verdict = verdicts.get(cell.outcome, "cannot tell")
        self._say(f"run {self._count}: {cell.build}: {verdict}: {cell.reason}")
        return cell.outcome is Outcome.REPRODUCED if cell.outcome in verdicts else None
