# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which classes does a folder hold, what are they called, and can a JDK load them?"""

import struct
from pathlib import Path

from jdkmatrix.errors import UsageError, translate_os_errors
from jdkmatrix.machine.files import content_of
from jdkmatrix.machine.trees import walk

_MAGIC = 0xCAFEBABE
# Class files of Java N have the major version 44 + N (JVMS, table 4.1-A).
_VERSION_OF_JAVA_0 = 44
# The bytes of each constant after its tag (JVMS, table 4.4-A); a Utf8 has its length instead.
_CONSTANT_BYTES = {
    **dict.fromkeys((7, 8, 16, 19, 20), 2),
    15: 3,
    **dict.fromkeys((3, 4, 9, 10, 11, 12, 17, 18), 4),
    **dict.fromkeys((5, 6), 8),
}
# JVMS 4.11: 65,535 fields, methods and constants at most; the JDK's largest has 0.3 MB.
_MOST_BYTES = 16 << 20
_UTF8, _CLASS = 1, 7
_WIDE = (5, 6)  # a Long or Double takes two places of the pool


def find_classes(folder: Path) -> tuple[Path, ...]:
    """The class files under `folder`, relative to it, sorted, without module-info."""
    paths = (Path(entry.path) for entry in walk(folder) if entry.name.endswith(".class"))
    classes = (path.relative_to(folder) for path in paths if path.name != "module-info.class")
    return tuple(sorted(classes))


def class_content(folder: Path, path: Path, subject: str) -> bytes:
    """The content of a class file. Raises UsageError."""
    with translate_os_errors(UsageError, f"{subject}: {path}: cannot be read"):
        return content_of(folder / path, _MOST_BYTES)


def check_class_versions(folder: Path, train: int, subject: str) -> None:
    """Refuse a class that a JDK of `train` can't load. Raises UsageError."""
    newest = _VERSION_OF_JAVA_0 + train
    for path in find_classes(folder):
        head = class_content(folder, path, subject)[:8]
        magic, _, major = struct.unpack(">IHH", head) if len(head) == 8 else (0, 0, 0)
        if magic != _MAGIC:
            raise UsageError(f"{subject}: {path} is not a class file")
        if major > newest:
            raise UsageError(
                f"{subject}: {path} is compiled for Java {major - _VERSION_OF_JAVA_0} "
                f"(class version {major}); accepted: {train} or older ({newest})"
            )


def class_name(content: bytes) -> str:
    """The name that a class file states: `java/util/Map$Entry`. Raises ValueError if it is none.

    A JVM looks up a class by its name, so it never finds one in a folder that does not match.
    """
    try:
        texts, classes, offset = _constants(content)
        (this_class,) = struct.unpack_from(">H", content, offset + 2)  # after the access flags
        return texts[classes[this_class]]
    except (struct.error, KeyError) as error:
        raise ValueError(f"not a class file: {error}") from None


def class_train(head: bytes) -> int:
    """The train from which on JDKs load a class file, by its first bytes. Raises ValueError."""
    if len(head) < 8 or head[:4] != _MAGIC.to_bytes(4, "big"):
        raise ValueError("not a class file")
    return max(8, int.from_bytes(head[6:8], "big") - _VERSION_OF_JAVA_0)


def has_main(content: bytes) -> bool:
    """Whether a class names a method `main(String[])`: its own, or one that it calls."""
    try:
        texts = set(_constants(content)[0].values())
    except (struct.error, KeyError, ValueError):
        return False
    return {"main", "([Ljava/lang/String;)V"} <= texts


def _constants(content: bytes) -> tuple[dict[int, str], dict[int, int], int]:
    """A constant pool's texts, the index of the text that names each class, and the pool's end."""
    magic, _, count = struct.unpack_from(">IIH", content)
    if magic != _MAGIC:
        raise ValueError("not a class file")
    texts: dict[int, str] = {}
    classes: dict[int, int] = {}
    offset, n = 10, 1
    while n < count:
        tag, operand = struct.unpack_from(">BH", content, offset)
        if tag == _UTF8:
            texts[n] = content[offset + 3 : offset + 3 + operand].decode("utf-8", "replace")
            offset += 3 + operand
        else:
            if tag == _CLASS:
                classes[n] = operand
            offset += 1 + _CONSTANT_BYTES[tag]
        n += 2 if tag in _WIDE else 1
    return texts, classes, offset


def package_of(path: Path) -> str:
    """The package of a class file's or source file's relative path: `sun.net.www.http`."""
    return ".".join(path.parent.parts)


def within_module(path: Path, train: int) -> Path:
    """The path of an overlay's class inside its module; on 8 there are none."""
    return path if train == 8 else Path(*path.parts[1:])
