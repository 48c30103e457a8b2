# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does jtreg say of the test that it was called for: in its result file, and without one?

That nothing was selected is believed from jtreg's own words alone: a JVM that cannot start, jtreg's
or the one under test, leaves no result file either, and with the same exit code.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from jdkmatrix.run.complaint import compile_error_in, refusal_in, told_lines
from jdkmatrix.run.process import Ended
from jdkmatrix.run.withheld import Given

# What jtreg 7.5.2 prints, on a line of its own, where no test was left to run.
_NONE_SELECTED = "Test results: no tests selected"
_NOT_SELECTED = "Not selected:"
# What it prints around each run, and says nothing of how it went.
_CHATTER = re.compile(r'Directory ".*" not found: creating|Results written to |Test results: ')
_LONGEST = 400
_NOT_COMPILED = "Compilation failed"
# The JVM of the test ended before the test did: only then does its output say whether it started.
_ENDED_EARLY = "Unexpected exit from test"


class JtregStatus(StrEnum):
    """The first word of a jtreg result, with skipped told from passed (CODETOOLS-7903785).

    `not-run`: the test did not begin, as there was no JVM that could run it.
    """

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"
    NOT_RUN = "not-run"


# A test that ended so was compiled as a whole, but for one that says that it was not.
_RAN = (JtregStatus.PASSED, JtregStatus.FAILED, JtregStatus.SKIPPED)

# Of several tests in one file, the one that says most about the build.
_BY_GRAVITY = (
    JtregStatus.SKIPPED,
    JtregStatus.PASSED,
    JtregStatus.NOT_RUN,
    JtregStatus.ERROR,
    JtregStatus.FAILED,
)


@dataclass(frozen=True)
class JtregResult:
    """One jtreg call: how it ended, what its result file says, its own time for the test.

    `given` is what the machine gave it and all that it started.
    """

    ended: Ended
    exit_code: int
    status: JtregStatus
    status_text: str
    test_seconds: float | None
    given: Given | None = None

    @property
    def compiled_all(self) -> bool:
        """Are the classes that it left those of the whole test?"""
        return self.status in _RAN and _NOT_COMPILED not in self.status_text


def read_result(work: Path, log: Path, ended: Ended, exit_code: int) -> JtregResult:
    """What the work folder and the output (`log`) of one call of jtreg say."""
    found = sorted(work.rglob("*.jtr")) if work.is_dir() else []
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in found]
    text = max(texts, key=_gravity, default="")
    status_text = _property(text, "execStatus")
    status = _status(status_text or "")
    if status_text is None:
        status, status_text = _without_file(log, exit_code)
    elif _ENDED_EARLY in status_text and (refusal := refusal_in(text)):
        status, status_text = JtregStatus.NOT_RUN, f"{status_text}: {refusal}"
    elif _NOT_COMPILED in status_text and (told := compile_error_in(text)):
        status_text = f"Failed. {_NOT_COMPILED}: {told}"
    elapsed_ms = (_property(text, "elapsed") or "").partition(" ")[0]
    return JtregResult(
        ended=ended,
        exit_code=exit_code,
        status=status,
        status_text=status_text,
        test_seconds=int(elapsed_ms) / 1000 if elapsed_ms.isdigit() else None,
    )


def _without_file(log: Path, exit_code: int) -> tuple[JtregStatus, str]:
    lines = told_lines(log.read_text(encoding="utf-8", errors="replace"))
    if _NONE_SELECTED in lines:
        left_out = "its @requires, @modules or keywords (@ignore, manual) leave it out here"
        return JtregStatus.SKIPPED, f"{_NOT_SELECTED} {left_out} ({_NONE_SELECTED})"
    told = "; ".join(line for line in lines if not _CHATTER.match(line))
    text = f"no result file; jtreg exit code {exit_code}"
    return JtregStatus.NOT_RUN, f"{text}: {told[:_LONGEST]}" if told else text


def _property(text: str, name: str) -> str | None:
    match = re.search(rf"^{name}=(.*)$", text, re.MULTILINE)
    return re.sub(r"\\(.)", r"\1", match[1]).strip() if match else None


def _gravity(text: str) -> int:
    return _BY_GRAVITY.index(_status(_property(text, "execStatus") or ""))


def _status(text: str) -> JtregStatus:
    if text.startswith("Passed. Skipped"):
        return JtregStatus.SKIPPED
    word = text.partition(".")[0].lower().replace(" ", "-")
    return JtregStatus(word) if word in set(JtregStatus) else JtregStatus.NOT_RUN
