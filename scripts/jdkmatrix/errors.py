# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which exit code does a failure have?

Every failure a user can cause or fix is a `KitError`: the command line prints its text as one
line and exits with its code. Anything else that escapes is a fault of the kit.
"""

import difflib
from collections.abc import Iterable
from enum import IntEnum

# Two letters of ten may be wrong; one digit of an id makes another build or bug.
_NEAR = 0.8


class ExitCode(IntEnum):
    """Process exit codes of every `scripts/matrix` command."""

    OK = 0
    SURPRISE = 1
    MACHINE = 2
    NOTHING_RAN = 3
    USAGE = 4


class KitError(Exception):
    """A failure with one line for the user: what, where, what is accepted or how to fix it."""

    exit_code = ExitCode.MACHINE


class MachineError(KitError):
    """The kit or the machine failed: disk full, tool missing, network refused."""


class UsageError(KitError):
    """Bad arguments or configuration."""

    exit_code = ExitCode.USAGE


class NothingRanError(KitError):
    """The request was valid, but no cell could be run."""

    exit_code = ExitCode.NOTHING_RAN


def accepted(text: str, known: Iterable[str]) -> str:
    """What may stand in place of `text`, the end of an error's line: the nearest name first.

    Of a path its last part may be near, of a bug's id its number.
    """
    names = list(known)
    wanted = _told(text)
    by_word = {_told(name): name for name in names}
    near = difflib.get_close_matches(wanted, by_word, n=1, cutoff=_NEAR)
    meant = f"did you mean {by_word[near[0]]}? " if near else ""
    return f"{meant}accepted: {', '.join(names)}"


def _told(name: str) -> str:
    last = name.rpartition("/")[2].removesuffix(".java")
    return last.removeprefix("JDK-").lower()
