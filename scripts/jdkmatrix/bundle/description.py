# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a bug report say, in the fields that JBS asks for and in AQAvit's template?"""

import re
from collections.abc import Sequence
from pathlib import Path

from jdkmatrix.bundle import bundle_words
from jdkmatrix.bundle.flatten import CONTROLS, JavaFiles
from jdkmatrix.bundle.header import paragraphs
from jdkmatrix.bundle.material import Material
from jdkmatrix.bundle.versions import JdksAtHand
from jdkmatrix.config.ledger import jbs_page
from jdkmatrix.machine.bounded import text_of
from jdkmatrix.paths import test_name
from jdkmatrix.templating import templates

TEXTS = ("description.md", "details.md")
_RUN_LINE = re.compile(r"^ \* @run main/othervm(?: -\S+)* \w+ (?P<case>[\w-]+)$", re.MULTILINE)


def descriptions(
    material: Material,
    reproducer: Path,
    evidence: Sequence[tuple[str, str]],
    files: JavaFiles,
    at_hand: JdksAtHand,
) -> dict[str, str]:
    """`description.md`, for the fields of JBS, and `details.md`, for everything else.

    `reproducer` is the file in the suite, `evidence` has each evidence file's name and a sentence
    on it, `files` are what the reproducer was flattened to.
    """
    environment = templates(Path(__file__).parent, is_html=False)
    environment.filters["test_name"] = test_name
    results, worst = material.results, material.worst
    shown_cell = worst or material.of_test[0]
    record = next(build for build in results.builds if build.id == shown_cell.build)
    good = material.good
    facts = {
        "bug": material.bug,
        "page": jbs_page(material.bug.id),
        "results": results,
        "machine": results.machine,
        "tests": [
            test for test in material.bug.tests if any(c.test == test for c in results.cells)
        ],
        "name": test_name(material.test),
        "cases": _RUN_LINE.findall(text_of(reproducer)) or ["subject"],
        "header": paragraphs(reproducer),
        "notes": list(bundle_words.notes(material)),
        "links": bundle_words.links(material.bug),
        "affected": bundle_words.jbs_versions(material, material.affected_builds),
        "unaffected": bundle_words.jbs_versions(material, material.unaffected_builds),
        "fixed": bundle_words.fixed_in(material.bug),
        "frequency": bundle_words.frequency(material),
        "regression": bundle_words.regression(material),
        "workarounds": list(bundle_words.workarounds(worst)) if worst else [],
        "shown_build": record.id,
        "shown_version": at_hand.version_text(record),
        "of_test": material.of_test,
        "worst": worst,
        "worst_output": bundle_words.output_of(worst) if worst else "",
        "good": good,
        "good_output": bundle_words.output_of(good) if good else "",
        "exception": f"CaseEnd: {worst.outcome} (subject): {worst.reason}" if worst else None,
        "rerun": shown_cell.rerun,
        "evidence": evidence,
        "worst_facts": bundle_words.output_of(worst, with_facts=True) if worst else "",
        "minimal_lines": files.length if files.minimal else 0,
        "why_not": files.why_not,
        "controls": CONTROLS,
    }
    return {name: environment.get_template(f"{name}.j2").render(facts) for name in TEXTS}
