# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a text of any length printed as a line on a console?"""

from rich.console import Console
from rich.text import Text


def print_line(console: Console, text: str, style: str = "") -> None:
    """Print a text as it is: its markup is not interpreted and its lines are not broken."""
    console.print(Text(text, style), soft_wrap=True, highlight=False)
