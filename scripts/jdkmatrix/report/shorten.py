# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a text that is too long cut? At the end of a line, with a note that says so."""


def shorten(text: str, most_bytes: int) -> str:
    """`text`, or its first lines and a note; empty if the note does not fit. Sizes are in UTF-8."""
    whole = text.encode()
    if len(whole) <= most_bytes:
        return text
    note = f"\n\n**Cut**: {len(whole):,} bytes do not fit here; the run's `report.md` has it all.\n"
    room = most_bytes - len(note.encode())
    if room < 0:
        return ""
    head = whole[:room]
    return head[: head.rfind(b"\n") + 1].decode() + note
