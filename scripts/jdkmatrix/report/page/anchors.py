# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Under which name is a place of the page linked, and how is a file's name put into a link?"""

from urllib.parse import quote

from jdkmatrix.results.document import CellResult

# What a fragment or a path may hold as it is (RFC 3986, section 3.3), less what has a meaning.
_SAFE = "/+~=,@!"


def cell_anchor(cell: CellResult) -> str:
    """The id of a cell's place: `temurin-17.0.3+7/http/InterimReplyTakenAsFinal`."""
    return anchor(f"{cell.build}/{cell.test.removesuffix('.java')}")


def anchor(text: str) -> str:
    """An id may hold anything but white space."""
    return "_".join(text.split())


def link(text: str) -> str:
    """A path or fragment as a link takes it: never another scheme, query or host."""
    return quote(text.lstrip("/"), safe=_SAFE)
