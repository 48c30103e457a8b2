# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a result or a message printed?"""

import sys

from jdkmatrix.texts import plain


def say(text: object = "") -> None:
    """Print a result."""
    print(plain(str(text)))


def complain(text: object) -> None:
    """Print a message."""
    print(plain(str(text)), file=sys.stderr)


def give(document: str) -> None:
    """Print a document for programs as it is: in JSON no text can start a line."""
    sys.stdout.write(document if document.endswith("\n") else f"{document}\n")
