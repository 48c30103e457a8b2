# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which exit code does a failure have?

Every failure a user can cause or fix is a `KitError`: the command line prints its text as one
line and exits with its code. Anything else that escapes is a fault of the kit.
"""

import difflib
import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum

# What a machine may have again by the next try: space, memory, descriptors, a disk that answers.
OF_THE_MACHINE = {
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EIO,
    errno.EROFS,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
    errno.EAGAIN,
}
# Of the accepted names, where none is near.
_MOST_NAMED = 8
# Two letters of ten may be wrong, no more: one other digit in an id is another build or bug.
_SIMILARITY = 0.8
# Of a line of an error: a list of names, and what leads to it.
_LONGEST_LINE = 4_000


class ExitCode(IntEnum):
    """Process exit codes of every `scripts/matrix` command."""

    OK = 0
    SURPRISE = 1
    MACHINE = 2
    NOTHING_RAN = 3
    USAGE = 4


class KitError(Exception):
    """A failure with one line for the user: what, where, what is accepted or how to fix it.

    It may hold what a file or a program said: if it is longer than anybody reads, it is cut.
    """

    exit_code = ExitCode.MACHINE

    def __init__(self, text: object = "") -> None:
        line = str(text)
        is_long = len(line) > _LONGEST_LINE
        super().__init__(f"{line[: _LONGEST_LINE - 1]}…" if is_long else line)


class MachineError(KitError):
    """The kit or the machine failed: disk full, tool missing, network refused."""


class LackingError(MachineError):
    """This machine has no tool that could fetch it, whatever its network does: the rest goes on."""


class UnfinishedError(MachineError):
    """Not everything was run, after Ctrl-C or a machine failure. It may say how to continue."""

    def __init__(self, *remedies: str) -> None:
        super().__init__("; ".join(("not everything was run", *remedies)))


class UsageError(KitError):
    """Bad arguments or configuration."""

    exit_code = ExitCode.USAGE


class NothingRanError(KitError):
    """The request was valid, but no cell could be run."""

    exit_code = ExitCode.NOTHING_RAN


@contextmanager
def translate_os_errors(kind: type[Exception], subject: object) -> Iterator[None]:
    """Raises `kind` in place of an OSError; its text is the subject, and the system's reason."""
    try:
        yield
    except OSError as error:
        raise kind(f"{subject}: {error.strerror or error}") from None


def one_line(text: str, most_characters: int = 300) -> str:
    """A text of unknown origin as part of a line: bounded in length, and with nothing in it that
    a terminal or a CI server would obey.
    """
    beginning = text[: most_characters + 1]  # cut first: the text may be of any size
    line = "".join(c if c.isprintable() else _stands_for(c) for c in beginning).strip()
    return line if len(line) <= most_characters else line[: most_characters - 1] + "…"


def _stands_for(character: str) -> str:
    return " " if character.isspace() else "\ufffd"


def suggest(text: str, candidates: Iterable[str]) -> str:
    """The name that `text` is nearly, or the names that are accepted, to end an error message.

    The last part of a path, or the number of a bug's id, may be near. A long list is cut.
    """
    names = list(candidates)
    matches: list[str] = []
    for part in (str.lower, _last_part):
        by_word = {part(name): name for name in reversed(names)}
        matches = matches or [
            by_word[word] for word in difflib.get_close_matches(part(text), by_word, 1, _SIMILARITY)
        ]
    if matches:
        return f"did you mean {matches[0]}?"
    first_names = names[:_MOST_NAMED]
    rest = f" and {len(names) - len(first_names)} more" if len(first_names) < len(names) else ""
    return f"accepted: {', '.join(first_names)}{rest}"


def _last_part(name: str) -> str:
    last = name.rpartition("/")[2].removesuffix(".java")
    return last.removeprefix("JDK-").lower()
