# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which exit code does a failure have?

Every failure a user can cause or fix is a `KitError`: the command line prints its text as one
line and exits with its code. Anything else that escapes is a fault of the kit.
"""

from enum import IntEnum


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
