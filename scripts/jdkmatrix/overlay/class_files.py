# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which classes does a folder hold, and can a JDK load them?"""

import struct
from pathlib import Path

from jdkmatrix.errors import UsageError

_MAGIC = 0xCAFEBABE
# Class files of Java N have the major version 44 + N (JVMS, table 4.1-A).
_VERSION_OF_JAVA_0 = 44


def find_classes(folder: Path) -> tuple[Path, ...]:
    """The class files under `folder`, relative to it, sorted; module-info is none."""
    found = sorted(path.relative_to(folder) for path in folder.rglob("*.class"))
    return tuple(path for path in found if path.name != "module-info.class")


def check_class_versions(folder: Path, train: int, what: str) -> None:
    """Refuse a class that a JDK of `train` can't load. Raises UsageError."""
    most = _VERSION_OF_JAVA_0 + train
    for path in find_classes(folder):
        head = (folder / path).read_bytes()[:8]
        magic, _, major = struct.unpack(">IHH", head) if len(head) == 8 else (0, 0, 0)
        if magic != _MAGIC:
            raise UsageError(f"{what}: {path} is no class file")
        if major > most:
            raise UsageError(
                f"{what}: {path} is compiled for Java {major - _VERSION_OF_JAVA_0} "
                f"(class version {major}); accepted: {train} or older ({most})"
            )


def package_of(path: Path) -> str:
    """The package of a class file's or source file's relative path: `sun.net.www.http`."""
    return ".".join(path.parent.parts)


def within_module(path: Path, train: int) -> Path:
    """The path of an overlay's class inside its module; on 8 there are none."""
    return path if train == 8 else Path(*path.parts[1:])
