# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a JDK for another processor start here? By QEMU's user-mode emulator, if there is one.

In place of each of its programs lies a script of the same name that starts it. The script knows
paths relative to itself only, so the tree is the same wherever the cache lies.
"""

import os
import shutil
from pathlib import Path

from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.unpack.bound_program import is_elf, is_started_by_a_loader

_EMULATORS = ("qemu-aarch64-static", "qemu-aarch64")  # of Debian's qemu-user-static, qemu-user
_LACKS = f"no {' or '.join(_EMULATORS)} on the PATH; get it: apt-get install qemu-user-static"
_LOADER = "ld-linux-aarch64.so.1"
_SCRIPT = """#!/bin/sh
# Starts the program of this name for aarch64 by QEMU.
here=$(dirname "$(readlink -f "$0")")
qemu=$(command -v {emulators[0]} || command -v {emulators[1]}) || {{
  echo "error: {lacks}" >&2
  exit 127
}}
exec "$qemu" -L "$here/{libraries}" "$here/{program}" "$@"
"""


def is_emulated(target: str, platform: Platform) -> bool:
    """Whether a JDK that is built for `target` needs an emulator on that platform."""
    return target == "aarch64" and platform.arch != target


def check_emulator() -> None:
    """Raises SourceError if there is no emulator on the PATH."""
    if not any(map(shutil.which, _EMULATORS)):
        raise SourceError(_LACKS)


def emulate(root: Path, libraries: Path) -> None:
    """Let every program under `root` start by the emulator, with the C library in `libraries`.

    Raises SourceError if that is none for aarch64.
    """
    prefix = _prefix(libraries)
    for path in sorted(root.rglob("*")):
        if not path.is_symlink() and is_started_by_a_loader(path):
            program = path.with_name(f"{path.name}.aarch64")
            path.rename(program)
            prefix_path = os.path.relpath(prefix, path.parent)
            path.write_text(
                _SCRIPT.format(
                    emulators=_EMULATORS, lacks=_LACKS, libraries=prefix_path, program=program.name
                ),
                encoding="utf-8",
            )
            path.chmod(0o755)


def _prefix(libraries: Path) -> Path:
    """The folder that has the loader in its `lib`, where a program for aarch64 looks for it."""
    for path in sorted(libraries.rglob(f"lib/{_LOADER}")):
        if is_elf(path):
            return path.parents[1]
    raise SourceError(f"the library packages hold no lib/{_LOADER}")
