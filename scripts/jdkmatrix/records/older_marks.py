# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did earlier kits say of a build by a mark in its name alone?

Records of today have a field for it. A name is read here, where such a record comes in, and
nowhere else.
"""

# After the entry of a build that was judged against another one of the same entry.
JUDGED = "@new"
# After the id of the baseline that a copy was, with a number behind it.
COPY = "+copy-"


def strip_mark(name: str, mark: str) -> str:
    """The id or entry in an older record, without the mark and what follows it."""
    return name.partition(mark)[0]
