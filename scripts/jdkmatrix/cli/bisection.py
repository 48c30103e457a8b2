# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do bisections of bugs and of scenarios print alike?"""

import sys
from collections.abc import Iterator

from jdkmatrix.bisect.candidates import Candidates
from jdkmatrix.bisect.search import Change, NoBothSidesError, Search
from jdkmatrix.errors import UsageError


def found(search: Search, candidates: Candidates) -> Change:
    """What a search finds. Raises UsageError if its ends do not differ."""
    try:
        return search.run()
    except NoBothSidesError as error:
        raise UsageError(
            f"train {candidates.train} has no builds on both sides: {error}; "
            f"accepted: builds that differ, of {', '.join(candidates.ids)}"
        ) from None


def costs(change: Change, candidates: Candidates, baseline: str | None = None) -> Iterator[str]:
    """How much was run, against running every build; a baseline is none that was run."""
    ran = {build: runs for build, runs in change.runs.items() if build != baseline}
    linear = len(candidates.ids) - (baseline is not None)
    yield f"  {len(ran)} of {linear} builds run, {sum(ran.values())} runs; linear: {linear} builds"
    for passed in change.without_verdict:
        yield f"  passed over: {passed} gave no verdict"


def say(text: str) -> None:
    """Tell what goes on."""
    print(text, file=sys.stderr)
