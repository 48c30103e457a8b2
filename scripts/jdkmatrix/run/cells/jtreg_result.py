# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does jtreg say of the test that it was called for, with or without a result file?

Only jtreg's own words show that no test was selected: a JVM that cannot start, jtreg's or the one
under test, leaves no result file either, and the same exit code.
"""

import re
from pathlib import Path

from jdkmatrix.machine.bounded import start_of
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.machine.complaint import compile_error_in, told_lines
from jdkmatrix.machine.endings import early_end, exit_code_in
from jdkmatrix.machine.trees import plain_files
from jdkmatrix.run.cells.execution import Execution, status_of
from jdkmatrix.vocabulary import ENDED_EARLY, NOT_SELECTED, Status

# What jtreg 7.5.2 prints, on a line of its own, where no test was left to run.
_NONE_SELECTED = "Test results: no tests selected"
# What it prints around each run, which says nothing of how the run went, and the parts that a
# suite lacks: of the JDK's groups there may be hundreds, before the error itself.
_CHATTER = re.compile(
    r'Directory ".*" not found: creating|Results written to |Test results: |'
    r".*: group [\w.-]+: file not found: "
)
# Of a time in ms: a year has eleven.
_MOST_DIGITS = 12
_LONGEST = 400
# jtreg itself keeps 100,000 characters of what a test prints, by default.
_MOST_BYTES = 16 << 20
_NOT_COMPILED = "Compilation failed"
# A package of the JDK's own, which is in a module that the image was made without.
_LACKS_PACKAGE = re.compile(r"error: package ((?:javax?|com\.sun)\.[\w.]+) does not exist")

# Of several tests in one file the last of these counts, which says most about the build.
_BY_GRAVITY = (
    Status.SKIPPED,
    Status.PASSED,
    Status.NOT_RUN,
    Status.ERROR,
    Status.FAILED,
)


def read_result(work: Path, log: Path, end: ChildEnd, exit_code: int) -> Execution:
    """What the work folder and the output (`log`) of one call of jtreg say."""
    text = _gravest_text(work)
    status_text = _property(text, "execStatus")
    status = status_of(status_text or "")
    if status_text is None:
        status, status_text = _without_file(log, exit_code)
    # Only if it ended early does the output say whether it started.
    elif ENDED_EARLY in status_text:
        word, ending = early_end(exit_code_in(status_text), [text])
        if (status := status_of(f"{word}.")) is not Status.FAILED:
            status_text += ending
    elif _NOT_COMPILED in status_text and (complaint := compile_error_in(text)):
        status_text = f"Failed. {_NOT_COMPILED}: {complaint}"
        if lack := _LACKS_PACKAGE.search(complaint):  # a test without @modules that needs some
            status, status_text = Status.SKIPPED, f"{NOT_SELECTED} this image lacks {lack[1]}"
    elapsed_ms = (_property(text, "elapsed") or "").partition(" ")[0][:_MOST_DIGITS]
    return Execution(
        end=end,
        status=status,
        status_text=status_text,
        test_seconds=int(elapsed_ms) / 1000 if elapsed_ms.isdigit() else None,
    )


def _gravest_text(work: Path) -> str:
    """The result file that says the worst; '' if there is none."""
    files = (path for path in plain_files(work) if path.suffix == ".jtr")
    texts = [start_of(path, _MOST_BYTES) for path in files]
    return max(texts, key=_gravity, default="")


def _without_file(log: Path, exit_code: int) -> tuple[Status, str]:
    lines = told_lines(start_of(log))
    if _NONE_SELECTED in lines:
        left_out = "its @requires, @modules or keywords (@ignore, manual) leave it out here"
        return Status.SKIPPED, f"{NOT_SELECTED} {left_out} ({_NONE_SELECTED})"
    rest = "; ".join(line for line in lines if not _CHATTER.match(line))
    text = f"no result file; jtreg exit code {exit_code}"
    return Status.NOT_RUN, f"{text}: {rest[:_LONGEST]}" if rest else text


def _property(text: str, name: str) -> str | None:
    match = re.search(rf"^{name}=(.*)$", text, re.MULTILINE)
    return re.sub(r"\\(.)", r"\1", match[1]).strip() if match else None


def _gravity(text: str) -> int:
    return _BY_GRAVITY.index(status_of(_property(text, "execStatus") or ""))
