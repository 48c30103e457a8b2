# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did a program say on a build: how did it end, and what did it print, without what differs
between any two runs?

Its output is `output.txt` in the folder of its cell; how it ended is the status of its record.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.config.masks import Mask, mask_line
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.machine.files import start_of
from jdkmatrix.machine.user_patterns import PatternSearches
from jdkmatrix.records.record import BuildRecord, CellRecord
from jdkmatrix.records.request import ProgramRequest
from jdkmatrix.records.store import OUTPUT_FILE
from jdkmatrix.texts import without_controls
from jdkmatrix.verdict.program_groups import Reply
from jdkmatrix.vocabulary import Outcome, Status

TIMED_OUT = "does not end"
_EXIT_CODE = re.compile(r"exit code (-?\d+)")
# Of a line and of a text, in characters: beyond, nobody reads them.
_LONGEST_LINE = 2_000
_MOST_LINES = 20_000
_MOST_BYTES = 1 << 20
# What a JVM that does not answer prints before it is killed for being late.
_DUMP = "Full thread dump "
# `git bisect run`: 125 means that a commit cannot be tested.
CANNOT_TELL = 125
# Strings of a version that are shorter also occur as something else: 17, 1.8, 21.
_SHORTEST_VERSION = 4


@dataclass(frozen=True)
class ProgramAnswer:
    """What one attempt said. `lack` is why the program could not run there; "" if it could."""

    answer: Reply
    text: str
    lack: str = ""


def read_answer(
    cell: CellRecord, home: Path, build: BuildRecord, masks: Sequence[Mask]
) -> ProgramAnswer:
    """What the attempt `cell` in `home` said."""
    if cell.status in (Status.NOT_RUN, Status.SKIPPED):
        _, _, reason = cell.status_text.partition(": ")
        return ProgramAnswer(Reply(cell.status_text, ()), "", reason or cell.status_text)
    text = ""
    with suppress(OSError):
        text = start_of(home / OUTPUT_FILE, _MOST_BYTES)
    if cell.ended is ChildEnd.TIMEOUT:
        text = text.partition(_DUMP)[0]
    lines = tuple(_masked_lines(text, BuildNames(build, home), masks))
    return ProgramAnswer(Reply(_ending(cell), lines), text)


def outcome_by(
    answer: ProgramAnswer, request: ProgramRequest, searches: PatternSearches
) -> Outcome:
    """Whether that is a failure (`reproduced`), by what the user said is one; by default, any exit
    code but 0 and 125.

    How it ended counts as a last line of what it printed.
    """
    if answer.lack:
        return Outcome.NOT_APPLICABLE
    ending = answer.answer.ending
    if pattern := request.fails_with or request.passes_with:
        matches = searches.has(pattern, _judged_text(answer))
        if matches is None or (not matches and request.fails_with and ending == TIMED_OUT):
            return Outcome.INCONCLUSIVE
        return Outcome.REPRODUCED if matches == bool(request.fails_with) else Outcome.NOT_REPRODUCED
    match = _EXIT_CODE.fullmatch(ending)
    code = int(match[1]) if match else None
    if code == CANNOT_TELL:
        return Outcome.INCONCLUSIVE
    return Outcome.NOT_REPRODUCED if code == 0 else Outcome.REPRODUCED


def takes_too_long(
    answer: ProgramAnswer, request: ProgramRequest, searches: PatternSearches
) -> bool:
    """Whether its output says nothing as the user's pattern is searched for too long."""
    pattern = request.fails_with or request.passes_with
    if not pattern or answer.lack:
        return False
    return searches.has(pattern, _judged_text(answer)) is None


def _judged_text(answer: ProgramAnswer) -> str:
    return f"{answer.text}\n{answer.answer.ending}"


def _ending(cell: CellRecord) -> str:
    if cell.ended is ChildEnd.TIMEOUT:
        return TIMED_OUT
    _, _, ending = cell.status_text.partition(". ")
    return ending.partition("; ")[0]


class BuildNames:
    """What is called otherwise on each build, or in each run: versions, vendors, and where things
    lie.
    """

    def __init__(self, build: BuildRecord, home: Path) -> None:
        paths = {home / "scratch": "<folder>", home: "<folder>", Path(build.home): "<jdk>"}
        # A process is told where it really is, whatever links lead there.
        literals = {
            str(place): text for path, text in paths.items() for place in (path, path.resolve())
        }
        literals |= dict.fromkeys(_versions(build), "<version>")
        literals[str(build.facts.get("vendor") or "")] = "<vendor>"
        by_length = sorted(filter(None, literals), key=len, reverse=True)
        self._literals = literals
        # Not within a longer number or word.
        self._regex = re.compile("|".join(rf"(?<![\w.]){re.escape(t)}(?![\w])" for t in by_length))
        train = "1\\.8|8" if build.train == 8 else str(build.train)
        self._train = re.compile(
            r"(?i)\b(java(?:-http-client)?|jdk|jre)"
            rf"([ /:=-]|[ .](?:vm\.)?(?:specification\.)?version[ :=]+)({train})\b(?!\.)"
        )

    def mask(self, line: str) -> str:
        """The line without them."""
        line = self._regex.sub(lambda match: self._literals[match[0]], line)
        return self._train.sub(r"\1\2<version>", line)


def _versions(build: BuildRecord) -> Iterator[str]:
    for name in ("version", "vm_version", "vendor_version"):
        text = str(build.facts.get(name) or "")
        for part in (text, text.partition("+")[0], text.partition("-b")[0], text.partition("-")[0]):
            if len(part) >= _SHORTEST_VERSION and part[:1].isdigit():
                yield part


def _masked_lines(text: str, names: BuildNames, masks: Sequence[Mask]) -> Iterator[str]:
    for number, line in enumerate(text.splitlines()):
        if number == _MOST_LINES:
            return
        line = line.rstrip()[:_LONGEST_LINE]
        rest = mask_line(names.mask(line), masks)
        if rest or not line:
            yield without_controls(rest)
