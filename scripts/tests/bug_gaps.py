# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is still missing for the bugs of the ledger? A line each: where, what, and its fix."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from jdkmatrix.config.ledger import Bug, Ledger, has_own_id, jbs_page, todo_lines
from jdkmatrix.config.run_lines import read_header
from jdkmatrix.config.suite import find_tests, group_members, read_groups
from jdkmatrix.config.yaml_model import load
from jdkmatrix.errors import UsageError
from jdkmatrix.plan.seconds import measured_seconds

LICENCE = "// SPDX-License-Identifier: GPL-2.0-only\n"
CLAIM = re.compile(
    r" \* Without its precondition\n \*     "
    r"(?:(?:since|with|without) \S+ )?(?:control )?-D\S+( -D\S+)*:\s+(?:\*\s+)?[a-z-]+:\s"
)
# Beyond this share, what is not measured makes shards uneven.
UNTIMED_SHARE = 1 / 4


def list_gaps(root: Path) -> list[str]:
    """All that is missing in this checkout; empty if nothing is. Raises nothing for a gap."""
    suite = root / "test"
    file = suite / "bugs.yaml"
    gaps = [
        f"test/bugs.yaml:{line}: {todo}; write it" for line, todo in todo_lines(file.read_text())
    ]
    try:
        ledger = load(file, Ledger)
    except UsageError as error:
        return [*gaps, f"{error}; mend it first: the rest of this list needs the ledger"]
    recorded_tests = {json.loads(line)["test"] for line in stored_cells(root).splitlines()}
    groups, tests = read_groups(suite), find_tests(suite)
    full_tests = group_members(groups, "full", tests)
    for bug in ledger.bugs:
        gaps += gaps_of_entry(bug)
        for test in bug.tests:
            source = suite / test
            if not source.is_file():
                gaps.append(
                    f"test/{test}: no such file; write it: scripts/new-bug makes a skeleton"
                )
                continue
            gaps += [f"test/{test}: {gap}" for gap in gaps_of_source(source, bug, test)]
            if test not in full_tests:
                gaps.append(f"test/TEST.groups: {test} is not in full; add its folder there")
            if test not in recorded_tests:
                gaps.append(
                    f"{STORED}: no reproduced cell of {test}; scripts/matrix run --test {test} "
                    "--build AN-AFFECTED-ONE --out RUN (if no build is: a planted fault, see "
                    "test/planted/README.md), then UPDATE_REPRODUCED=RUN/results.json scripts/test "
                    "tests/words/test_causes.py"
                )
    return [*gaps, *gaps_of_areas(suite, ledger), *gaps_of_seconds(ledger)]


STORED = "scripts/tests/fixtures/evidence/reproduced.jsonl"


def stored_cells(root: Path) -> str:
    """What reproduced cells of real runs wrote, a line each."""
    return (root / STORED).read_text()


# A reason of no-evidence that holds for thread dumps, too.
_NO_WAIT = "nobody waits"


def gaps_of_entry(bug: Bug) -> Iterator[str]:
    """What the ledger's reader accepts and a reader misses."""
    place = f"test/bugs.yaml: {bug.id}"
    if not bug.evidence and not bug.no_evidence:
        yield f"{place}: add evidence, or no-evidence with the reason why no recording shows it"
    is_of_threads = bug.evidence or bug.hint or bug.no_hint
    if bug.no_evidence and not is_of_threads and _NO_WAIT not in bug.no_evidence:
        yield f"{place}: add hint, or no-hint with the reason why no thread dump makes it probable"
    if not bug.symptom or not bug.severity:
        yield f"{place}: add symptom, what a user sees, and severity: matrix bugs shows them"
    if not bug.cause:
        yield f"{place}: add cause: a sentence with facts that its test writes"
    page = jbs_page(bug.id)
    if page and page not in bug.links:
        yield f"{place}: links: add {page}"


def gaps_of_source(source: Path, bug: Bug, test: str) -> Iterator[str]:
    """What a reproducer lacks, in the order of the file."""
    text = source.read_text()
    for number, todo in todo_lines(text):
        yield f"{number}: {todo}; write it"
    if LICENCE not in text:
        yield f"add the header: {LICENCE.strip()}"
    bug_number = bug.id.removeprefix("JDK-")
    name = Path(test).stem
    for line in (
        " * What goes wrong: ",
        " * What it takes: ",
        " * Judged by a ",
        f" *     jtreg -jdk:/path/to/jdk test/{test}\n",
        " * @summary ",
    ):
        if line not in text:
            yield f"its header has no line that begins with '{line.strip()}'; add it"
    if not CLAIM.search(text):
        yield (
            "add to its header, below 'Without its precondition': -DNAME=TEXT: OUTCOME: REASON, "
            "as selftest/preconditions/Preconditions.java reads it"
        )
    # jtreg takes numbers alone, so an id of the kit's own is in no @bug line.
    has_number = re.search(rf"^ \* @bug .*\b{bug_number}\b", text, re.MULTILINE)
    if not has_own_id(bug.id) and not has_number:
        yield f"add to its header: @bug {bug_number}"
    if not re.search(rf'Reproducer\.run\(\s*"{name}",\s*"{bug.id}"', text):
        yield f'main: call Reproducer.run("{name}", "{bug.id}", args, {name}::measure)'
    try:
        header = read_header(source)
    except UsageError as error:
        yield f"its header: {error}"
        return
    if "lib" not in header.libraries:
        yield "add to its header: @library /lib"
    if header.runs[-1].arguments != ("subject",) or len(header.runs) < 2:
        yield f"its @run lines: main/othervm {name} CONTROL, for each, and then {name} subject"


def gaps_of_areas(suite: Path, ledger: Ledger) -> Iterator[str]:
    """Folders of reproducers that no NoSilentPass looks into."""
    folder = suite / "selftest" / "preconditions"
    selftests = {file: file.read_text() for file in sorted(folder.glob("NoSilentPass*.java"))}
    for area in sorted({test.partition("/")[0] for bug in ledger.bugs for test in bug.tests}):
        if not any(
            area in read_header(file).libraries and f'"{area}"' in text
            for file, text in selftests.items()
        ):
            yield f"test/selftest/preconditions: no NoSilentPass has {area} in @library and main"


def gaps_of_seconds(ledger: Ledger) -> list[str]:
    """A few tests may count as the median; many would make shards uneven."""
    tests = [test for bug in ledger.bugs for test in bug.tests]
    untimed_tests = [test for test in tests if test not in measured_seconds()]
    if len(untimed_tests) <= len(tests) * UNTIMED_SHARE:
        return []
    return [
        f"seconds.json: not timed: {test}; scripts/measure-seconds RUN" for test in untimed_tests
    ]
