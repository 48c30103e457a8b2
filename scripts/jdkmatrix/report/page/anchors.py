# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Under which name is a place on the page linked, and how is a file name put into a link?"""

from urllib.parse import quote

from jdkmatrix.results.case import BUILD, Case
from jdkmatrix.results.document import CellResult
from jdkmatrix.results.speed import ThroughputResult

# What a fragment or path may hold unescaped (RFC 3986, section 3.3), except what has a meaning.
_SAFE = "/+~=,@!"


def cell_anchor(cell: CellResult) -> str:
    """The id of a cell's place: `temurin-17.0.3+7/http/InterimReplyTakenAsFinal`."""
    return anchor(f"{cell.build}/{cell.test.removesuffix('.java')}")


def comparison_anchor(comparison: ThroughputResult) -> str:
    """The id of a comparison's place."""
    workload = f"{comparison.scenario} {comparison.client}"
    return anchor(f"comparison/{comparison.build}/{workload}/{comparison.baseline}")


def case_anchor(case: Case) -> str:
    """The id of the place that has a case's details."""
    if case.group == BUILD:
        return anchor(f"build/{case.build}")
    if case.test:
        return anchor(f"{case.build}/{case.test.removesuffix('.java')}")
    return anchor("/".join(filter(None, (case.kind, case.build, case.subject, case.baseline))))


def anchor(text: str) -> str:
    """The text as an HTML id, which may hold anything but white space."""
    return "_".join(text.split())


def link(text: str) -> str:
    """A path or fragment escaped for a link, so that it never names a scheme, query or host."""
    return quote(text.lstrip("/"), safe=_SAFE)
