# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a bug report consist of, and how is it written for each door of the bug system?"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jdkmatrix.templating import form, jira, markdown, templates

# For the fields of JBS as Markdown, the same in Jira's markup, and for the form of those who have
# no account there (bugreport.java.com), box by box, as plain text.
_ESCAPES = {"description.md": markdown, "jbs.txt": jira, "webform.txt": form}
TEXTS = (*_ESCAPES,)


@dataclass(frozen=True)
class BuildAnswer:
    """What a program printed on a build."""

    build: str
    output: str


@dataclass(frozen=True)
class ReportFields:
    """What JBS, and its form for everybody, ask for.

    `expected` and `actual` are None if no build answered so: `no_expected` and `no_actual` then
    say it in a sentence. `hints` is what the reporter should know before. `steps` are sentences
    that follow the `command`. `outcomes` has a row for each build: its id, source and results, one
    for each of the `columns`; `reasons` is a line for each of them. `source` is the text of the
    Java file `file_name`; `rest` is the file that has everything else.
    """

    synopsis: str
    problem: str
    command: str
    steps: tuple[str, ...]
    file_name: str
    source: str
    version: BuildAnswer
    system: str
    architecture: str
    frequency: str
    columns: tuple[str, ...]
    outcomes: tuple[tuple[str, ...], ...]
    reasons: tuple[str, ...]
    expected: BuildAnswer | None
    actual: BuildAnswer | None
    no_expected: str
    no_actual: str
    component: str = ""
    heading: str = ""
    origin: str = ""
    affected_versions: str = ""
    unaffected_versions: str = ""
    fixed_versions: str = ""
    links: str = ""
    cause: str = ""
    workaround: str = ""
    hints: tuple[str, ...] = ()
    rest: str = "details.md"
    evidence: Sequence[tuple[str, str]] = field(default=())


def report_texts(fields: ReportFields) -> dict[str, str]:
    """`description.md`, `jbs.txt` and `webform.txt`."""
    return {
        name: templates(Path(__file__).parent, is_html=False, escape=escape)
        .get_template(f"{name}.j2")
        .render(report=fields)
        for name, escape in _ESCAPES.items()
    }
