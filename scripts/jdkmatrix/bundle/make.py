# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a run become the zip that is attached to a bug? One reproducer, and the proof."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.bundle.description import descriptions
from jdkmatrix.bundle.discreet import Discretion
from jdkmatrix.bundle.flatten import CONTROLS, Flattener, JavaFiles
from jdkmatrix.bundle.material import Material, material_of
from jdkmatrix.bundle.program_report import GROUPS, program_fields
from jdkmatrix.bundle.proof import evidence_files, scrubbers
from jdkmatrix.bundle.report_fields import report_texts
from jdkmatrix.bundle.trial import JdksAtHand, try_minimal
from jdkmatrix.bundle.tried_material import TriedMaterial, folder_that_tried, tried_material
from jdkmatrix.bundle.zip_file import free_place, write_zip
from jdkmatrix.config.ledger import Bug, EvidenceRule
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.evidence.digest import digester_of
from jdkmatrix.grading.cell_recordings import attempt_homes, digest_recordings
from jdkmatrix.grading.whole_run import assemble
from jdkmatrix.machine.files import content_of, is_plain
from jdkmatrix.machine.java_program import JavaTool
from jdkmatrix.machine.trees import scratch_folder
from jdkmatrix.paths import Checkout, test_name
from jdkmatrix.records.record import PlannedCell
from jdkmatrix.records.store import OUTPUT_FILE, RunFolder, newest_bisection
from jdkmatrix.report.console.tried import lines_of
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.vocabulary import Outcome

BISECTION = "bisection.txt"


@dataclass(frozen=True)
class Bundle:
    """What was made: the zip, what it is about, and its files' sizes in bytes by name.

    `missing` names the evidence that is not in it, with the reason.
    """

    place: Path
    material: Material
    java: JavaFiles
    sizes: dict[str, int]
    missing: tuple[str, ...]


def make_bundle(
    checkout: Checkout,
    bug: Bug,
    folder: RunFolder,
    out: Path | None,
    tool_jdk: Callable[[], Path],
    *,
    minimal: bool = True,
    jdks: Sequence[Path] = (),
) -> Bundle:
    """Bundle what the run in `folder` has of `bug`, into the run's folder unless `out` is given.

    Of the run's builds, only those in the kit's cache or in `jdks` are started again.
    With `minimal` there is a file of the subject alone, if it is short and was seen to tell an
    affected build of the run from a good one. `tool_jdk` is called once the request is known to be
    valid. Raises UsageError if the run is damaged or has no cell of the bug, or if the zip exists
    already.
    """
    place = free_place(out or folder.path, f"{bug.id}-{folder.name}.zip")
    material = material_of(_read_results(checkout, folder), bug, str(folder.path))
    java_home = tool_jdk()
    cells = [PlannedCell(build=cell.build, test=cell.test) for cell in material.results.cells]
    homes = attempt_homes(cells, folder)
    digest_recordings(homes, digester_of(checkout, java_home))  # an interrupted run has not done so
    material = material_of(_read_results(checkout, folder), bug, str(folder.path))
    with scratch_folder() as scratch:
        tool = JavaTool.of_checkout(checkout, java_home)
        java_files = _flatten(checkout, material, tool, minimal=minimal)
        material = _shortest(material, java_files, folder)
        at_hand = JdksAtHand((cache_root() / "builds", *jdks))
        flat = java_files[Path(material.test).name]
        java = _try_minimal(material, flat, at_hand, tool, scratch)
    evidence, notes = _cell_evidence(
        checkout, folder, material.worst, material.bug.evidence, java_home
    )
    reproducer = checkout.suite / material.test
    texts = descriptions(material, reproducer, notes, java, at_hand)
    files = {
        **_attached_java(reproducer.name, java),
        **packed_files(checkout, folder, material.results, at_hand, texts, evidence),
    }
    return Bundle(place, material, java, *_write(place, files, notes))


def _write(
    place: Path, files: Mapping[str, bytes], notes: Sequence[tuple[str, str]]
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Write the zip; return its files' sizes in bytes, and what is missing, by the notes."""
    write_zip(place, files)
    sizes = {name: len(content) for name, content in files.items()}
    return sizes, tuple(f"{name}: {reason}" for name, reason in notes if name not in files)


def _cell_evidence(
    checkout: Checkout,
    folder: RunFolder,
    cell: CellResult | None,
    rule: EvidenceRule | None,
    tool_jdk: Path,
) -> tuple[dict[str, bytes], list[tuple[str, str]]]:
    """What the attempt at a cell that is shown left, as `evidence_files`; none without a cell."""
    if cell is None:
        return {}, []
    home = folder.cell_folder(PlannedCell(build=cell.build, test=cell.test), cell.attempt)
    with scratch_folder() as scratch:
        return evidence_files(home, rule, tool_jdk, scrubbers(checkout, tool_jdk), scratch)


def _flatten(
    checkout: Checkout, material: Material, tool: JavaTool, *, minimal: bool
) -> dict[str, JavaFiles]:
    """Each candidate as one file, by its name."""
    sources = [checkout.suite / test for test in material.candidates]
    return Flattener(tool).flatten(sources, checkout.test_library, minimal=minimal)


def _shortest(
    material: Material, java_files: Mapping[str, JavaFiles], folder: RunFolder
) -> Material:
    """The material with the shortest of the reproducers that prove the bug equally well."""
    test = min(material.candidates, key=lambda candidate: java_files[Path(candidate).name].length)
    return material_of(material.results, material.bug, str(folder.path), test)


def _try_minimal(
    material: Material, java: JavaFiles, at_hand: JdksAtHand, tool: JavaTool, scratch: Path
) -> JavaFiles:
    """The files; the minimal one only if it tells apart the cells that the description shows."""
    records = {build.id: build for build in material.results.builds}
    pairs = ((material.worst, Outcome.REPRODUCED), (material.good, Outcome.NOT_REPRODUCED))
    builds = tuple((records[cell.build], outcome) for cell, outcome in pairs if cell)
    name = test_name(material.test)
    return try_minimal(java, name, builds, at_hand, tool.java_home, tool.cache, scratch)


def _attached_java(name: str, java: JavaFiles) -> dict[str, bytes]:
    if java.minimal is None:
        return {name: java.whole.encode()}
    return {name: java.minimal.encode(), f"{CONTROLS}/{name}": java.whole.encode()}


def _read_results(checkout: Checkout, folder: RunFolder) -> Results:
    return assemble(folder.read_run(), folder, Rulebook.load(checkout))


def packed_files(
    checkout: Checkout,
    folder: RunFolder,
    results: Results,
    at_hand: JdksAtHand,
    texts: Mapping[str, str],
    evidence: Mapping[str, bytes],
) -> dict[str, bytes]:
    """The texts and the evidence, with what was run where beside them; no folder or user of this
    machine, or of the run's, is named in them.
    """
    all_texts = {
        **texts,
        "results.json": results.to_json(),
        "java-versions.txt": at_hand.versions_text(results.builds),
        "environment.json": _environment(results),
    }
    homes = (build.home for build in results.builds)
    discretion = Discretion(folder.path, (str(checkout.root), str(cache_root()), *homes))
    raw_files = {**{name: text.encode() for name, text in all_texts.items()}, **evidence}
    return {name: discretion.clean(name, content) for name, content in raw_files.items()}


def _environment(results: Results) -> str:
    document = {
        "run": results.run,
        "started": results.started_at,
        "finished": results.finished_at,
        "machine": results.machine.model_dump(),
        "kit": results.kit.model_dump(),
    }
    return json.dumps(document, indent=1) + "\n"


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
    return ProgramBundle(place, material, *_write(place, files, notes))


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
    files, notes = _cell_evidence(checkout, folder, worst, None, tool_jdk)
    home = folder.cell_folder(PlannedCell(build=worst.build, test=worst.test), worst.attempt)
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
