# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a bisection run, and what is said of it?"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from jdkmatrix.bisect.candidates import Candidates
from jdkmatrix.bisect.search import BugState, NoBothSidesError, OutcomeChange, Probe, Search
from jdkmatrix.cli.printed import give, say
from jdkmatrix.errors import NothingRanError, UnfinishedError, UsageError
from jdkmatrix.texts import command_line


@dataclass(frozen=True)
class SearchAnswer:
    """What a search of one release line says, in `lines` and in the builds around each change,
    None if the line does not show it. `agrees` is whether the ledger does; None without one.
    """

    train: int
    lines: tuple[str, ...]
    is_decided: bool = True
    last_good: str | None = None
    first_bad: str | None = None
    last_bad: str | None = None
    first_fixed: str | None = None
    agrees: bool | None = None


Tell = Callable[[SearchAnswer], None]


def say_answer(answer: SearchAnswer) -> None:
    """Print what a search says."""
    for line in answer.lines:
        say(line)


class Answers:
    """The answers of a bisection: printed one by one, or at the end as one document."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._answers: list[SearchAnswer] = []

    @property
    def lines(self) -> list[str]:
        """What all of them say."""
        return [line for answer in self._answers for line in answer.lines]

    def tell(self, answer: SearchAnswer) -> None:
        """Print an answer, if there is no document."""
        self._answers.append(answer)
        if not self._as_json:
            say_answer(answer)

    def end(self, subject: Mapping[str, str], folder: Path) -> None:
        """Print the document, or where the runs are."""
        if not self._as_json:
            say(f"runs: {folder}")
            return
        searches = []
        for answer in self._answers:
            search = asdict(answer)
            search["sentence"] = "\n".join(search.pop("lines"))
            searches.append(search)
        document = {"schema": 1, **subject, "searches": searches, "folder": str(folder)}
        give(json.dumps(document, indent=1))


def search_of(candidates: Candidates, probe: Probe, command: str) -> OutcomeChange:
    """Search for the change. After Ctrl-C or a machine failure, raises UnfinishedError, which says
    how to continue with `command`.

    Raises NoBothSidesError.
    """
    search = Search(candidates.ids, candidates.first, probe)
    try:
        return search.run()
    except (KeyboardInterrupt, UnfinishedError):
        good, bad = search.bracket
        if candidates.first is BugState.BAD:
            good, bad = bad, good
        ends = command_line("--good", good, "--bad", bad)
        raise UnfinishedError(f"to continue: {command} {ends}") from None


def error_of_ends(error: NoBothSidesError, candidates: Candidates) -> UsageError | NothingRanError:
    """The error to raise if the ends do not differ.

    The choice of builds is blamed only if none of them failed to run.
    """
    if error.not_run:
        reasons = "; ".join(f"{build}: {reason}" for build, reason in error.not_run.items())
        return NothingRanError(
            f"train {candidates.train}: {error}, and {len(error.not_run)} of "
            f"{len(candidates.ids)} builds could not be run: {reasons}"
        )
    return UsageError(
        f"train {candidates.train} has no builds on both sides of the change: {error}; "
        f"accepted: two that differ, from {', '.join(candidates.ids)}"
    )


def costs(runs: Mapping[str, int], candidates: Candidates) -> Iterator[str]:
    """How much was run, compared with running every build."""
    counts = [count for count in runs.values() if count]
    linear = len(candidates.ids)
    yield f"  {len(counts)} of {linear} builds run, {sum(counts)} runs; linear: {linear} builds"


def passed_over(change: OutcomeChange) -> Iterator[str]:
    """The builds that gave no verdict."""
    for build in change.without_verdict:
        yield f"  passed over: {build} gave no verdict"
