# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a bug's report say, in the fields that JBS asks for and in AQAvit's template?"""

import re
from collections.abc import Sequence
from pathlib import Path

from jdkmatrix.bundle import bundle_words
from jdkmatrix.bundle.header import paragraphs
from jdkmatrix.bundle.material import Material
from jdkmatrix.bundle.versions import version_text
from jdkmatrix.paths import test_name
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.results.document import CellResult
from jdkmatrix.templating import templates
from jdkmatrix.vocabulary import Outcome

_RUN_LINE = re.compile(r"^ \* @run main/othervm(?: -\S+)* \w+ (?P<case>[\w-]+)$", re.MULTILINE)


def description(material: Material, reproducer: Path, evidence: Sequence[tuple[str, str]]) -> str:
    """The text of `description.md`; `reproducer` is the file in the suite."""
    environment = templates(Path(__file__).parent, is_html=False)
    environment.filters["test_name"] = test_name
    results, worst = material.results, material.worst
    shown = worst or material.of_test[0]
    record = next(build for build in results.builds if build.id == shown.build)
    good = _good(material, record)
    return environment.get_template("description.md.j2").render(
        bug=material.bug,
        results=results,
        machine=results.machine,
        tests=[test for test in material.bug.tests if any(c.test == test for c in results.cells)],
        name=test_name(material.test),
        cases=_RUN_LINE.findall(reproducer.read_text(encoding="utf-8")) or ["subject"],
        header=paragraphs(reproducer),
        notes=list(bundle_words.notes(material)),
        links=bundle_words.links(material.bug),
        affected=bundle_words.jbs_versions(material, material.affected),
        unaffected=bundle_words.jbs_versions(material, material.unaffected),
        fixed=bundle_words.fixed_in(material.bug),
        frequency=bundle_words.frequency(material),
        regression=bundle_words.regression(material),
        workarounds=list(bundle_words.workarounds(worst)) if worst else [],
        shown_build=record.id,
        shown_version=version_text(record),
        of_test=material.of_test,
        worst=worst,
        worst_output=bundle_words.output_of(worst) if worst else "",
        good=good,
        good_output=bundle_words.output_of(good) if good else "",
        exception=f"CaseEnd: {worst.outcome} (subject): {worst.reason}" if worst else None,
        rerun=shown.rerun,
        evidence=evidence,
    )


def _good(material: Material, shown: BuildRecord) -> CellResult | None:
    """A cell without the bug, of the train that is next to that of the build that shows it."""
    trains = {build.id: build.train for build in material.results.builds}
    fine = [cell for cell in material.of_test if cell.outcome is Outcome.NOT_REPRODUCED]
    return min(fine, key=lambda cell: abs(trains[cell.build] - shown.train), default=None)
