# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a run tell GitHub Actions? An annotation for each bad case, a summary of the step."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TextIO

from jdkmatrix.machine.files import text_of
from jdkmatrix.report.shorten import shorten
from jdkmatrix.report.written_reports import REPORT
from jdkmatrix.results.case import Case
from jdkmatrix.results.document import Results
from jdkmatrix.texts import plain

# GitHub's limits, from its pages on workflow commands and on job summaries: annotations of a step
# beyond the tenth are dropped, and a step's summary of more than 1 MiB is refused as a whole.
MOST_ANNOTATIONS = 10
MOST_SUMMARY_BYTES = 1 << 20


def tell_github(results: Results, folder: Path, environ: Mapping[str, str], log: TextIO) -> None:
    """Report the run to GitHub Actions, if `environ` says that this is one of its steps.

    The run's report is appended to the step's summary; annotations go to `log`, in practice
    standard error, as standard output is for results.
    """
    if environ.get("GITHUB_ACTIONS") == "true":
        for line in annotations(results):
            print(line, file=log)
    if summary := environ.get("GITHUB_STEP_SUMMARY"):
        _append(text_of(folder / REPORT), Path(summary), log)


def annotations(results: Results) -> Iterator[str]:
    """A workflow command for each bad case; of more than ten, the tenth stands for all the rest."""
    bad = [case for case in results.cases if case.is_bad]
    limit = len(bad) if len(bad) <= MOST_ANNOTATIONS else MOST_ANNOTATIONS - 1
    for case in bad[:limit]:
        yield _annotation(case)
    if rest := bad[limit:]:
        names = ", ".join(f"{case.name} on {case.build} ({case.grade})" for case in rest)
        yield f"::error title={len(rest)} more::{_escape(names)}"


def _annotation(case: Case) -> str:
    location = f"file=test/{_property(case.test)}," if case.test else ""
    title = _property(f"{case.grade}: {case.name} on {case.build}")
    rerun = (f"rerun: {case.rerun}",) if case.rerun else ()
    return f"::error {location}title={title}::{_escape(chr(10).join((*case.sentences, *rerun)))}"


def _append(report: str, summary: Path, log: TextIO) -> None:
    try:
        size_bytes = summary.stat().st_size if summary.exists() else 0
        with summary.open("a", encoding="utf-8") as file:
            file.write(shorten(report, MOST_SUMMARY_BYTES - size_bytes))
    except OSError as error:  # the run itself is good: its exit code must not depend on this
        print(f"matrix: GITHUB_STEP_SUMMARY {summary}: {error.strerror}", file=log)


def _escape(text: str) -> str:
    """Escape the text as the runner's toolkit does: a command is one line."""
    return plain(text).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
