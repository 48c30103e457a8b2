# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a run of a reporter's own file become the zip that is attached to a report?"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.bundle.packing import packed_files
from jdkmatrix.bundle.program_report import GROUPS, program_fields
from jdkmatrix.bundle.proof import evidence_files
from jdkmatrix.bundle.report_fields import report_texts
from jdkmatrix.bundle.scrubbers import scrubbers
from jdkmatrix.bundle.tried_material import TriedMaterial, folder_that_tried, tried_material
from jdkmatrix.bundle.versions import JdksAtHand
from jdkmatrix.bundle.zip_file import free_place, write_zip
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.grading.whole_run import assemble
from jdkmatrix.machine.bounded import content_of
from jdkmatrix.machine.files import is_plain
from jdkmatrix.machine.scratch import scratch_folder
from jdkmatrix.paths import Checkout
from jdkmatrix.records.kept_bisection import newest_bisection
from jdkmatrix.records.record import PlannedCell
from jdkmatrix.records.store import OUTPUT_FILE, RunFolder
from jdkmatrix.report.console.tried import lines_of

BISECTION = "bisection.txt"


@dataclass(frozen=True)
class ProgramBundle:
    """What was made: the zip, what it is about, its files' sizes in bytes, what is missing."""

    place: Path
    material: TriedMaterial
    sizes: dict[str, int]
    missing: tuple[str, ...]


def make_program_bundle(
    checkout: Checkout,
    file: Path,
    run: Path | None,
    out: Path | None,
    tool_jdk: Callable[[], Path],
    *,
    fails_with: str | None = None,
    passes_with: str | None = None,
    jdks: Sequence[Path] = (),
) -> ProgramBundle:
    """Bundle the file with what each build of a run said of it, into the run's folder unless `out`
    is given. The file itself goes in as it is.

    Without a `run` it is the newest in reports/ that has it; the newest bisection of it there goes
    in, too. Of the run's builds only those in the kit's cache or in `jdks` are started again.
    Raises UsageError if there is no run of it, or it fails nowhere, or if the zip exists already.
    """
    folder = folder_that_tried(checkout, file, run)
    place = free_place(out or folder.path, f"{file.stem}-{folder.name}.zip")
    rulebook = Rulebook.load(checkout)
    material = tried_material(
        file, folder, lambda record: assemble(record, folder, rulebook), fails_with, passes_with
    )
    bisection = newest_bisection(checkout.reports, file)
    at_hand = JdksAtHand((cache_root() / "builds", *jdks))
    evidence, notes = _evidence(checkout, material, folder, tool_jdk())
    fields = program_fields(material, folder, at_hand, bisection, notes)
    texts = {**report_texts(fields), GROUPS: _groups(material)}
    if bisection:
        texts[BISECTION] = "\n".join(bisection) + "\n"
    files = {
        file.name: content_of(file),
        **packed_files(checkout, folder, material.results, at_hand, texts, evidence),
    }
    write_zip(place, files)
    missing = tuple(f"{name}: {reason}" for name, reason in notes if name not in files)
    sizes = {name: len(content) for name, content in files.items()}
    return ProgramBundle(place, material, sizes, missing)


def _groups(material: TriedMaterial) -> str:
    """Which builds said the same, as `try` prints it; of a test of a suite, each build's result."""
    if program := material.program:
        return "\n".join(lines_of(program, material.results)) + "\n"
    lines = (f"{cell.build}: {cell.reason}" for cell in material.results.cells)
    return "\n".join(lines) + "\n"


def _evidence(
    checkout: Checkout, material: TriedMaterial, folder: RunFolder, tool_jdk: Path
) -> tuple[dict[str, bytes], list[tuple[str, str]]]:
    """Files of the worst cell, and what one build of each group printed."""
    worst = material.worst
    home = folder.cell_folder(PlannedCell(build=worst.build, test=worst.test), worst.attempt)
    with scratch_folder() as scratch:
        able = scrubbers(checkout, tool_jdk)
        files, notes = evidence_files(home, None, tool_jdk, able, scratch)
    for name, build, output in _outputs(material, folder):
        files[name] = content_of(output)
        notes.append((name, f"what it printed on {build}"))
    for log in filter(is_plain, sorted(home.glob("hs_err_pid*.log"))):
        files[f"evidence/{log.name}"] = content_of(log)
        notes.append((f"evidence/{log.name}", "what the JVM wrote as it crashed"))
    return files, notes


def _outputs(material: TriedMaterial, folder: RunFolder) -> Iterator[tuple[str, str, Path]]:
    """A name in the bundle, a build, and the file of what it printed, for one of each group."""
    shown_builds = [material.worst.build, *([material.good.build] if material.good else [])]
    for group in material.program.groups if material.program else ():
        build = next((build for build in shown_builds if build in group.builds), group.builds[-1])
        output = folder.cell_folder(PlannedCell(build=build, test=material.test)) / OUTPUT_FILE
        if is_plain(output):
            yield f"evidence/{group.group}-output.txt", build, output
