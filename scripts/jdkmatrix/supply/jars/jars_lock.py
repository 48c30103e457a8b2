# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which jars make up each class path of the throughput tests, to the last byte?

`jtreg/jars.lock` has each class path's jars in order, with coordinates, size and SHA-256; never a
host. A jar's name is `group:artifact` or `group:artifact:classifier`.
"""

import json
import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from jdkmatrix.errors import UsageError
from jdkmatrix.machine.files import text_of, write_atomically
from jdkmatrix.machine.json_models import Frozen, read_model
from jdkmatrix.supply.build import Artifact

_SCHEMA = 1
_COORDINATES = re.compile(r"\w[\w.-]*:\w[\w.-]*(:\w[\w.-]*)?=\w[\w.-]*", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MEND = "run scripts/lock-jars to regenerate it"


def _plain(jar: Artifact) -> Artifact:
    # The coordinates become a path.
    if not _COORDINATES.fullmatch(f"{jar.name}={jar.version}") or ".." in jar.name + jar.version:
        raise ValueError(f"not the coordinates of a jar: {jar.name} {jar.version}")
    if not _SHA256.fullmatch(jar.sha256):
        raise ValueError(f"{jar.name}: not a SHA-256: {jar.sha256}")
    return jar


class JarsLock(Frozen):
    """The whole of `jars.lock`."""

    schema_: Literal[1] = Field(alias="schema", default=1)
    class_paths: dict[str, tuple[Annotated[Artifact, AfterValidator(_plain)], ...]]

    @property
    def jars(self) -> tuple[Artifact, ...]:
        """Every jar of every class path, once, in a stable order."""
        jars_by_id = {
            (jar.name, jar.version): jar for path in self.class_paths.values() for jar in path
        }
        return tuple(jar for _, jar in sorted(jars_by_id.items()))


def jar_path(jar: Artifact) -> Path:
    """The jar's path in a Maven repository (Maven 2 repository layout)."""
    group, artifact, *classifier = jar.name.split(":")
    file = "-".join([artifact, jar.version, *classifier]) + ".jar"
    return Path(*group.split("."), artifact, jar.version, file)


def read_jars_lock(path: Path) -> JarsLock:
    """Read `jars.lock`. Raises UsageError."""
    try:
        return read_model(path, JarsLock, f"a lock file of schema {_SCHEMA}")
    except UsageError as error:
        raise UsageError(f"{error}; {_MEND}") from None


def write_jars_lock(path: Path, lock: JarsLock) -> bool:
    """Write it atomically if it has changed; return whether it has. Raises MachineError."""
    text = json.dumps(lock.model_dump(by_alias=True), indent=2, sort_keys=True) + "\n"
    if path.is_file() and text_of(path) == text:
        return False
    write_atomically(path, text)
    return True
