# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which changes has somebody looked at and accepted? The file of `validate --changes`.

accepted:
  - id: accept-headers
    rows: ["sent.url.*"]
    build: debian-17.0.21.1+1
    by: R. Engineer
    reason: the values of Accept are as we want them
"""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

from pydantic import Field

from jdkmatrix.config.behaviour import fits_any
from jdkmatrix.config.yaml_model import StrictModel, UniqueIds, load
from jdkmatrix.errors import UsageError, one_line, suggest
from jdkmatrix.machine.files import text_of

_MOST_OF_A_NAME = 60


class AcceptedChange(StrictModel):
    """Changes of rows that match these globs, accepted on one `build`."""

    id: str = Field(min_length=1)
    rows: tuple[str, ...] = Field(min_length=1)
    build: str = Field(min_length=1)
    person: str = Field(alias="by", min_length=1)
    reason: str = Field(min_length=1)

    def has_row(self, row: str) -> bool:
        """Whether the change of that row is accepted."""
        return fits_any(row, self.rows)


class AcceptedChanges(StrictModel):
    """The whole file."""

    changes: Annotated[tuple[AcceptedChange, ...], UniqueIds] = Field(alias="accepted")


def load_accepted_changes(path: Path) -> tuple[AcceptedChange, ...]:
    """Read the file. Raises UsageError: `file:line: key: what is wrong; accepted`."""
    return load(path, AcceptedChanges).changes


def check_accepted(
    path: Path, changes: Sequence[AcceptedChange], builds: Sequence[str], globs: Sequence[str]
) -> None:
    """Raises UsageError for a change of another build than one of these names, or of rows that no
    glob of gold rows names: no other row needs to be accepted.
    """
    for change in changes:
        if change.build not in builds:
            raise UsageError(
                f"{path}: {one_line(change.id, _MOST_OF_A_NAME)}: build: "
                f"{one_line(change.build, _MOST_OF_A_NAME)} is not what is validated; "
                f"accepted: {', '.join(builds)}"
            )
        for glob in change.rows:
            if not any(fnmatchcase(glob, gold) or fnmatchcase(gold, glob) for gold in globs):
                raise UsageError(
                    f"{path}: {one_line(change.id, _MOST_OF_A_NAME)}: rows: "
                    f"{one_line(glob, _MOST_OF_A_NAME)}: no gold row has such an id; "
                    f"{suggest(glob, globs)}"
                )


def gold_globs(folder: Path) -> tuple[str, ...]:
    """The globs of gold rows in each `gold.txt` below the folder `test/behave`."""
    lines = (
        line for file in sorted(folder.glob("*/gold.txt")) for line in text_of(file).split("\n")
    )
    return tuple(glob for line in lines if (glob := line.partition("#")[0].strip()))
