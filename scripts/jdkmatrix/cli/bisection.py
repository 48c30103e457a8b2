# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a bisection run, and what is said of it?"""

from collections.abc import Iterator, Mapping

from jdkmatrix.bisect.candidates import Candidates
from jdkmatrix.bisect.search import BugState, NoBothSidesError, OutcomeChange, Probe, Search
from jdkmatrix.errors import NothingRanError, UnfinishedError, UsageError
from jdkmatrix.texts import command_line


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
