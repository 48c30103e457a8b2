# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a run become the zip that is attached to a bug? One reproducer, and the proof."""

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.bundle.description import description
from jdkmatrix.bundle.discreet import Discretion
from jdkmatrix.bundle.flatten import Flattener
from jdkmatrix.bundle.material import Material, material_of
from jdkmatrix.bundle.proof import evidence_files
from jdkmatrix.bundle.scrubbers import scrubbers
from jdkmatrix.bundle.versions import versions_text
from jdkmatrix.bundle.zip_file import free_place, write_zip
from jdkmatrix.config.ledger import Bug, load_ledger
from jdkmatrix.config.recording_rules import load_rules
from jdkmatrix.evidence.digest import digester_of
from jdkmatrix.grading.cell_recordings import attempt_homes, digest_recordings
from jdkmatrix.grading.whole_run import assemble
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import PlannedCell
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import Results


@dataclass(frozen=True)
class Bundle:
    """What was made: the zip, what it is about, and its files' sizes in bytes by name.

    `missing` are what evidence is not in it, with the reason.
    """

    place: Path
    material: Material
    sizes: dict[str, int]
    reproducer_lines: int
    missing: tuple[str, ...]


def make_bundle(
    checkout: Checkout, bug: Bug, folder: RunFolder, out: Path | None, tool_jdk: Callable[[], Path]
) -> Bundle:
    """Bundle what the run in `folder` has of `bug`, into the run's folder unless `out` is given.

    The tool JDK is asked for once the request is known to be good. Raises UsageError for a run
    that is damaged or has no cell of the bug, and where the zip is there already.
    """
    place = free_place(out or folder.path, f"{bug.id}-{folder.name}.zip")
    material = material_of(_results(checkout, folder), bug, str(folder.path))
    java_home = tool_jdk()
    cells = [PlannedCell(build=cell.build, test=cell.test) for cell in material.results.cells]
    homes = attempt_homes(cells, folder)
    digest_recordings(homes, digester_of(checkout, java_home))  # an interrupted run has not yet
    material = material_of(_results(checkout, folder), bug, str(folder.path))
    with tempfile.TemporaryDirectory(prefix="bundle-") as scratch:
        files, missing = _files(checkout, material, folder, java_home, Path(scratch))
    write_zip(place, files)
    name = Path(material.test).name
    sizes = {name: len(content) for name, content in files.items()}
    return Bundle(place, material, sizes, files[name].count(b"\n"), missing)


def _files(
    checkout: Checkout, material: Material, folder: RunFolder, tool_jdk: Path, scratch: Path
) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """The files by name, and what evidence is missing."""
    reproducer = checkout.suite / material.test
    flattener = Flattener(checkout.flattener, tool_jdk, cache_root() / "flatten")
    flattener.flatten([reproducer], checkout.test_library, scratch)
    evidence: dict[str, bytes] = {}
    notes: list[tuple[str, str]] = []
    if worst := material.worst:
        cell = PlannedCell(build=worst.build, test=worst.test)
        home = folder.cell_folder(cell, worst.attempt)
        able = scrubbers(checkout, tool_jdk, material.results.builds)
        evidence, notes = evidence_files(home, material.bug.evidence, tool_jdk, able, scratch)
    texts = {
        "description.md": description(material, reproducer, notes),
        "results.json": material.results.to_json(),
        "java-versions.txt": versions_text(material.results.builds),
        "environment.json": _environment(material.results),
    }
    homes = (build.home for build in material.results.builds)
    places = (str(checkout.root), str(cache_root()), *homes)
    discretion = Discretion(folder.path, places)
    told_files = {**{name: text.encode() for name, text in texts.items()}, **evidence}
    files = {
        reproducer.name: (scratch / reproducer.name).read_bytes(),
        **{name: discretion.cleaned(name, content) for name, content in told_files.items()},
    }
    return files, tuple(f"{name}: {why}" for name, why in notes if name not in files)


def _results(checkout: Checkout, folder: RunFolder) -> Results:
    ledger, rules = load_ledger(checkout.ledger), load_rules(checkout.rules)
    return assemble(folder.read_run(), folder, ledger, rules)


def _environment(results: Results) -> str:
    document = {
        "run": results.run,
        "started": results.started,
        "finished": results.finished,
        "machine": results.machine.model_dump(),
        "kit": results.kit.model_dump(),
    }
    return json.dumps(document, indent=1) + "\n"
