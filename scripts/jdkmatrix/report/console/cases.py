# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are the cases of a run printed on a console?"""

from collections import Counter

from rich.console import Console

from jdkmatrix.grading.cases.kinds import kind_of, odd_cases
from jdkmatrix.grading.cases.suites import NOT_COMPARED
from jdkmatrix.report.console.lines import print_line
from jdkmatrix.results.case import BUILD, Case
from jdkmatrix.results.document import Results


def print_faults(console: Console, results: Results) -> None:
    """Print what is wrong with builds themselves: it comes before all that rests on them."""
    for case in odd_cases(results):
        if case.group == BUILD:
            _print_case(console, case, is_odd=True)


def print_cases(console: Console, results: Results) -> None:
    """Print each other case that is odd or news, with its reason, its evidence and how to repeat
    it; of the kinds that have no table, also how many cases have which grade.
    """
    odd = odd_cases(results)
    alike = Counter(case.sentence for case in odd if case.grade == NOT_COMPARED)
    for case in results.cases:
        is_odd = case in odd
        if not case.is_news and not (is_odd and case.group != BUILD):
            continue
        if case.grade != NOT_COMPARED:
            _print_case(console, case, is_odd=is_odd)
        elif count := alike.pop(case.sentence, 0):  # the table has each of them
            _print_case(console, case, is_odd=is_odd)
            if count > 1:
                print_line(console, f"    {count - 1} more for the same reason")
    grades = Counter(
        (case.kind, case.grade) for case in results.cases if not kind_of(case).has_section
    )
    for (kind, grade), count in grades.items():
        print_line(console, f"{kind}: {count} {grade}")


def _print_case(console: Console, case: Case, *, is_odd: bool) -> None:
    print_line(console, f"{case.grade}: {case.title}: {case.sentence}")
    if is_odd:
        for sentence in case.evidence:
            print_line(console, f"    {sentence}")
        if case.rerun:
            print_line(console, f"    rerun: {case.rerun}")
