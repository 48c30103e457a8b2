# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do bisections of bugs and of scenarios print alike?"""

import shlex
from collections.abc import Iterator, Mapping

from jdkmatrix.bisect.candidates import Candidates
from jdkmatrix.bisect.search import Change, NoBothSidesError, Probe, Search, State
from jdkmatrix.errors import NothingRanError, UnfinishedError, UsageError


def search_of(candidates: Candidates, probe: Probe, command: str) -> Change:
    """Search for the change. UnfinishedError says how to go on by `command`, after Ctrl-C
    and where the machine failed.

    Raises NoBothSidesError.
    """
    search = Search(candidates.ids, candidates.first, probe)
    try:
        return search.run()
    except (KeyboardInterrupt, UnfinishedError):
        good, bad = search.narrowed
        if candidates.first is State.BAD:
            good, bad = bad, good
        ends = f"--good {shlex.quote(good)} --bad {shlex.quote(bad)}"
        raise UnfinishedError(f"go on: {command} {ends}") from None


def unanswered(error: NoBothSidesError, candidates: Candidates) -> UsageError | NothingRanError:
    """What the user is told of ends that do not differ.

    Only where each end was run are the builds asked for the reason.
    """
    if error.not_run:
        reasons = "; ".join(f"{build}: {why}" for build, why in error.not_run.items())
        return NothingRanError(
            f"train {candidates.train}: {error}, and {len(error.not_run)} of "
            f"{len(candidates.ids)} builds could not be run: {reasons}"
        )
    return UsageError(
        f"train {candidates.train} has no builds on both sides: {error}; "
        f"accepted: builds that differ, of {', '.join(candidates.ids)}"
    )


def costs(
    runs: Mapping[str, int], candidates: Candidates, baseline: str | None = None
) -> Iterator[str]:
    """How much was run, against running every build; a baseline is none that was run."""
    ran = [count for build, count in runs.items() if count and build != baseline]
    linear = len(candidates.ids) - (baseline is not None)
    yield f"  {len(ran)} of {linear} builds run, {sum(ran)} runs; linear: {linear} builds"


def passed_over(change: Change) -> Iterator[str]:
    """The builds that said nothing."""
    for passed in change.without_verdict:
        yield f"  passed over: {passed} gave no verdict"
