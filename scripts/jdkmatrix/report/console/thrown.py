# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the user read about the exceptions of a text or a log?"""

from collections.abc import Iterator, Mapping

from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.results.bug_search import find_bugs, is_trace
from jdkmatrix.texts import count_of

_MOST_STACK_LINES = 3


def bugs_thrown(stacks: Mapping[str, int], ledger: Ledger) -> dict[str, list[Bug]]:
    """The bugs that each stack may come from, the likeliest first; without those of none."""
    bugs = {stack: list(find_bugs(stack, ledger.bugs)) for stack in stacks if is_trace(stack)}
    return {stack: matches for stack, matches in bugs.items() if matches}


def thrown_lines(
    source: str, stacks: Mapping[str, int], bugs: Mapping[str, list[Bug]]
) -> Iterator[str]:
    """The answer first, then each stack with its bugs, the most frequent first."""
    total = sum(stacks.values())
    read = f"{count_of(total, 'exception')}, {count_of(len(stacks), 'different one')}"
    ids = dict.fromkeys(bug.id for matches in bugs.values() for bug in matches)
    answer = f"probable: {', '.join(ids)}" if ids else "no known bug throws what is there"
    yield f"{source}: {answer} ({read})."
    for stack, matches in sorted(bugs.items(), key=lambda row: -stacks[row[0]]):
        lines = stack.splitlines()
        yield f"  {stacks[stack]} times: {lines[0]}"
        yield from (f"      {line}" for line in lines[1:_MOST_STACK_LINES])
        for bug in matches:
            fixes = ", ".join(str(bug.fixed[train]) for train in sorted(bug.fixed)) or "nowhere"
            yield f"    {bug.id}: {bug.symptom or bug.title}. Fixed in {fixes}."
            if bug.workaround:
                yield f"      Until then: {' '.join(bug.workaround.split())}."
    if ids:
        yield "  A text alone proves nothing: scripts/matrix has ID --jdk PATH tries that JDK."
