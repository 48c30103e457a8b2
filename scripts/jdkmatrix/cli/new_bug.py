# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`scripts/new-bug JDK-ID AREA/NAME [--from FILE.java]`: the skeletons of a bug, and all that is
still missing in them, in one list.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from jdkmatrix.bundle.tried_material import TriedMaterial, folder_that_tried, tried_material
from jdkmatrix.cli.printed import complain, say
from jdkmatrix.config.ledger import todo_lines
from jdkmatrix.config.new_bug import TriedProgram, add_bug
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.errors import KitError, UsageError, one_line
from jdkmatrix.grading.whole_run import assemble
from jdkmatrix.machine.files import start_of, text_of
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import PlannedCell
from jdkmatrix.records.store import OUTPUT_FILE, RunFolder
from jdkmatrix.results.document import CellResult
from jdkmatrix.run.cells.programs import check_pattern
from jdkmatrix.surroundings import settle_faults
from jdkmatrix.vocabulary import Outcome

_USAGE = (
    "scripts/new-bug JDK-ID AREA/NAME [--from FILE.java [--run RUN] [--fails-with PATTERN]], "
    "as in: scripts/new-bug 8276774 httpclient/CookieLost"
)
_MOST_OUTPUT_BYTES = 2_000


class _Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{one_line(message)}; accepted: {_USAGE}")


def main(arguments: Sequence[str]) -> int:
    """Write the skeletons into this checkout, print what is still to be written; the exit code."""
    checkout = Checkout.current()
    try:
        options = _options(arguments)
        program = _tried_program(checkout, options) if options.file else None
        files = add_bug(checkout, options.bug, options.test, program)
    except KitError as error:
        complain(f"new-bug: {error}")
        return error.exit_code
    say("Still to be written:")
    for file in files:
        for line, text in todo_lines(text_of(file)):
            say(f"  {file.relative_to(checkout.root)}:{line}: {text}")
    say("Everything that is missing, with its fix: scripts/test tests/test_bug_gaps.py")
    return 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    """Raises UsageError."""
    parser = _Arguments(prog="new-bug", usage=_USAGE, description=__doc__, allow_abbrev=False)
    parser.add_argument("bug", metavar="JDK-ID")
    parser.add_argument("test", metavar="AREA/NAME")
    parser.add_argument("--from", dest="file", metavar="FILE.java", type=Path)
    parser.add_argument("--run", metavar="RUN", type=Path)
    parser.add_argument("--fails-with", metavar="PATTERN")
    options = parser.parse_args(arguments)
    if not options.file and (options.run or options.fails_with):
        raise UsageError("--run, --fails-with: are of a program; accepted: with --from FILE.java")
    return options


def _tried_program(checkout: Checkout, options: argparse.Namespace) -> TriedProgram:
    """The file with what builds said of it in a run of `try`. Raises UsageError."""
    check_pattern("--fails-with", options.fails_with)
    file: Path = options.file
    if file.suffix != ".java" or not file.is_file():
        raise UsageError(f"--from {file}: no such file; accepted: a Java file that try ran")
    folder = folder_that_tried(checkout, file.resolve(), options.run)
    rulebook = Rulebook.load(checkout, allow_todos=True)
    material = tried_material(
        file.resolve(),
        folder,
        lambda record: assemble(record, folder, rulebook),
        options.fails_with,
        None,
    )
    request = material.run.request.program
    pattern = request.fails_with if request else None
    try:
        source = text_of(file)
    except OSError as error:
        raise UsageError(f"--from {file}: {error.strerror}; accepted: a Java file") from None
    return TriedProgram(
        class_name=file.stem,
        source=source,
        pattern=pattern or "",
        bad_lines=_lines_of(folder, material.worst),
        good_lines=_lines_of(folder, material.good) if material.good else (),
        fixed_tags=_fixed_tags(material),
    )


def _lines_of(folder: RunFolder, cell: CellResult) -> tuple[str, ...]:
    """The beginning of what it printed there."""
    home = folder.cell_folder(PlannedCell(build=cell.build, test=cell.test), cell.attempt)
    output = home / OUTPUT_FILE
    return tuple(start_of(output, _MOST_OUTPUT_BYTES).splitlines()) if output.is_file() else ()


def _fixed_tags(material: TriedMaterial) -> dict[int, str]:
    """By train, the version of the first build that passes after the last that fails."""
    bad_builds = {build.id for build in material.builds_with(Outcome.REPRODUCED)}
    tags: dict[int, str] = {}
    bad_trains: set[int] = set()
    for build in material.builds_with(Outcome.REPRODUCED, Outcome.NOT_REPRODUCED):
        if build.id in bad_builds:
            bad_trains.add(build.train)
            tags.pop(build.train, None)
        elif build.train in bad_trains:
            tags.setdefault(build.train, build.version)
    return tags


if __name__ == "__main__":
    settle_faults()
    sys.exit(main(sys.argv[1:]))
