# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a JDK with another configuration made? As a copy with additional lines."""

import shutil
from pathlib import Path

from jdkmatrix.errors import MachineError
from jdkmatrix.machine.files import text_of

_SECURITY = (Path("conf/security/java.security"), Path("jre/lib/security/java.security"))


def configured_copy(home: Path, security: str, copy: Path) -> None:
    """Copy the JDK at `home`, and append the lines of `security` to its `java.security`.

    Of two lines with one key the later counts. The targets of links are copied, as Debian's are
    outside of `home`; a C library beside a build is not, so a copy that needs it does not start.
    Raises MachineError.
    """
    try:
        shutil.copytree(home, copy, ignore=_leads_nowhere)
        place = next((copy / name for name in _SECURITY if (copy / name).is_file()), None)
        if place is None:
            raise MachineError(f"{home}: no java.security")
        text = text_of(place)
        place.unlink()  # it may be read-only
        place.write_text(f"{text}\n{security}", encoding="utf-8")
    except OSError as error:  # shutil.Error, of several files, is one too
        raise MachineError(f"{copy}: {home} cannot be copied: {error}") from None


def _leads_nowhere(folder: str, names: list[str]) -> list[str]:
    """Dangling links; shutil's own `ignore_dangling_symlinks` resolves relative ones against the
    current folder.
    """
    return [name for name in names if not (Path(folder) / name).exists()]
