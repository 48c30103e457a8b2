# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is it put into words what a plain program said on each build?"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from jdkmatrix.errors import one_line
from jdkmatrix.evidence.program_answer import TIMED_OUT
from jdkmatrix.machine.user_patterns import MOST_S
from jdkmatrix.records.request import ProgramRequest
from jdkmatrix.results.document import Results
from jdkmatrix.results.programs import ProgramGroup, ProgramResult, ProgramStretch
from jdkmatrix.texts import count_of
from jdkmatrix.verdict.program_groups import VARIES, Form, Reply, Stretch, first_difference
from jdkmatrix.vocabulary import Outcome

_LONGEST_SNIPPET = 100
_BEFORE_DIFFERENCE = 40
_THROWN = re.compile(
    r"^(?:Exception in thread \"[^\"]*\" |Caused by: )?(?:[a-z][\w$]*\.)+(?P<name>[A-Z][\w$]*"
    r"(?:Exception|Error|Failure|Throwable)\w*(?::.*)?)$"
)
# By what a program ends with on all builds: what it lacks here.
_WANTS = {
    "java.awt.HeadlessException": "It needs a display, and gets none.",
    "java.util.NoSuchElementException": "It may read its input, which is empty here.",
    "ArrayIndexOutOfBoundsException": "It may need arguments: they come after `--`.",
}
JUDGED_WORDS = {
    Outcome.REPRODUCED: "fails",
    Outcome.NOT_REPRODUCED: "passes",
    Outcome.INCONCLUSIVE: "cannot tell",
}


def too_long_a_search(request: ProgramRequest) -> str:
    """The user's pattern repeats repetitions: what a program printed is not judged by it."""
    option = "--fails-with" if request.fails_with else "--passes-with"
    pattern = one_line(request.fails_with or request.passes_with or "")
    return (
        f"{option} {pattern}: no match within {MOST_S} s of searching; accepted: a pattern without"
        " a repetition of repetitions"
    )


def headline_of(program: ProgramResult) -> str:
    """`2 groups on 8 builds`, `alike on 8 builds`, `no build could run it`."""
    count = sum(len(group.builds) for group in program.groups)
    if not count:
        return "no build could run it"
    builds = count_of(count, "build")
    if program.is_undecided:
        return (
            f"undecided: on {len(program.groups[0].varying)} of {builds} it differs from run to run"
        )
    if program.is_alike:
        suffix = ", but differs from run to run" if program.groups[0].variations else ""
        return f"alike on {builds}{suffix}"
    return f"{len(program.groups)} groups on {builds}"


def program_headline(results: Results) -> str:
    """One sentence on a run of plain programs."""
    if len(results.programs) == 1:
        (program,) = results.programs
        return f"{program.test}: {_answer_of(program, results)}."
    odd_count = len(results.differences)
    count = count_of(len(results.programs), "program")
    if odd_count:
        return f"{odd_count} of {count} differ between builds."
    undecided_count = sum(program.is_undecided for program in results.programs)
    return f"{undecided_count} of {count} undecided." if undecided_count else f"{count}: alike."


def _answer_of(program: ProgramResult, results: Results) -> str:
    if not results.is_judged:
        return headline_of(program)
    counts = Counter(cell.outcome for cell in results.cells if cell.test == program.test)
    judged_count = counts[Outcome.REPRODUCED] + counts[Outcome.NOT_REPRODUCED]
    if not judged_count:
        return "no build could tell" if program.groups else headline_of(program)
    if failures := counts[Outcome.REPRODUCED]:
        return f"fails on {failures} of {count_of(judged_count, 'build')}"
    return f"passes on {count_of(judged_count, 'build')}"


def telling(answer: Reply) -> str:
    """What one answer says in short: how it ended, and the line that says most."""
    thrown_lines = [line for line in answer.lines if _THROWN.match(line)]
    line = next(iter(thrown_lines or reversed(answer.lines)), "")
    return f"{answer.ending}: {excerpt(line)}" if line else answer.ending


def want_of(group: ProgramGroup) -> str:
    """What a program that breaks may lack; "" if nothing is known to be lacking."""
    thrown_lines = [line for line in group.lines if _THROWN.match(line)]
    wants = (want for name, want in _WANTS.items() if any(name in line for line in thrown_lines))
    return "" if group.ending == "exit code 0" else next(wants, "")


def sentences_of(forms: Sequence[Form]) -> list[str]:
    """What each of these does where they differ first: prints, throws, or only ends otherwise.
    Those that are alike there are told apart where they differ from each other.
    """
    lines = first_difference([form.lines for form in forms])
    if lines is None:
        return [_ends(form) for form in forms]
    place = place_of_difference([line for line in lines if line is not None])
    sentences = [
        _ends(form) if line is None else _does(line, place)
        for form, line in zip(forms, lines, strict=True)
    ]
    for line in set(lines):
        numbers = [number for number, own_line in enumerate(lines) if own_line == line]
        if len(numbers) > 1:
            own_sentences = sentences_of([forms[number] for number in numbers])
            for number, sentence in zip(numbers, own_sentences, strict=True):
                sentences[number] = sentence
    return sentences


def excerpt(line: str, place: int = 0) -> str:
    """The part of a line that shows its character at `place`."""
    start = max(0, place - _BEFORE_DIFFERENCE) if len(line) > _LONGEST_SNIPPET else 0
    start = min(start, max(0, len(line) - _LONGEST_SNIPPET))
    part = line[start : start + _LONGEST_SNIPPET]
    return f"{'…' if start else ''}{part}{'…' if start + len(part) < len(line) else ''}"


def line_of_train(
    train: int, stretches: Sequence[Stretch], versions: Mapping[str, str], does: Mapping[str, str]
) -> str:
    """`17: prints `a` up to 17.0.20.1+1, prints `b` from 17.0.21+3 on`, of the builds' versions.

    `does` has what each group does.
    """
    if len(stretches) == 1:
        stretch = stretches[0]
        builds = stretch.builds
        place_text = versions[builds[0]] if len(builds) == 1 else f"all {len(builds)} builds"
        return f"{train}: {does[stretch.letter]} on {place_text}"
    last = len(stretches) - 1
    parts = [
        f"{does[stretch.letter]} {_reach(stretch, versions, is_first=not n, is_last=n == last)}"
        for n, stretch in enumerate(stretches)
    ]
    return f"{train}: {', '.join(parts)}"


def rate_words(failures: int, runs: int, low: float, high: float) -> str:
    """`failed in 1 of 5 runs (1 % to 72 %)`."""
    return f"failed in {failures} of {runs} runs ({low:.0%} to {high:.0%}, at 95 %)"


def unable_lines(unable: Mapping[str, str]) -> Iterator[str]:
    """One line for each reason why builds could not run a program."""
    by_reason: dict[str, list[str]] = {}
    for build, reason in unable.items():
        by_reason.setdefault(reason, []).append(build)
    for reason, builds in by_reason.items():
        yield f"could not run on {', '.join(builds)}: {reason}"


def members(stretches: Iterable[ProgramStretch]) -> str:
    """`17: 17.0.2+8 to 17.0.9+9; 21: all`, of one group."""
    parts = []
    for stretch in stretches:
        span = stretch.first
        if len(stretch.builds) > 1:
            span = f"{stretch.first} to {stretch.last}"
        parts.append(span)
    return ", ".join(parts)


def _ends(form: Form) -> str:
    if form.endings == (TIMED_OUT,):
        return TIMED_OUT
    return f"ends with {' or '.join(form.endings)}"


def _does(line: str, place: int) -> str:
    if line == VARIES:
        return "differs from run to run"
    if match := _THROWN.match(line):
        return f"throws `{excerpt(match['name'])}`"
    return f"prints `{excerpt(line, place)}`" if line else "prints an empty line"


def place_of_difference(lines: Sequence[str]) -> int:
    """The first character that not all of these lines have in common."""
    for place, characters in enumerate(zip(*lines, strict=False)):
        if len(set(characters)) > 1:
            return place
    return min(map(len, lines), default=0)


def _reach(stretch: Stretch, versions: Mapping[str, str], *, is_first: bool, is_last: bool) -> str:
    first, last = versions[stretch.first], versions[stretch.last]
    if is_first:
        return f"up to {last}"
    if is_last:
        return f"from {first} on"
    return f"in {first}" if first == last else f"from {first} to {last}"
