# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a JDK become one that is configured otherwise? A copy of it gets lines more."""

import shutil
from pathlib import Path

from jdkmatrix.errors import MachineError

_SECURITY = (Path("conf/security/java.security"), Path("jre/lib/security/java.security"))


def configured_copy(home: Path, security: str, copy: Path) -> None:
    """Copy the JDK at `home`, and end its `java.security` with the lines of `security`.

    Of two lines with one key the later counts. What links lead to is copied, as Debian's lie beside
    `home`; the C library that a build may have beside it is not, so that its copy does not start
    where it needs that. Raises MachineError.
    """
    try:
        shutil.copytree(home, copy, ignore=_leads_nowhere)
        place = next((copy / one for one in _SECURITY if (copy / one).is_file()), None)
        if place is None:
            raise MachineError(f"{home}: no java.security")
        text = place.read_text(encoding="utf-8")
        place.unlink()  # it may not be to be written
        place.write_text(f"{text}\n{security}", encoding="utf-8")
    except OSError as error:  # shutil.Error, of several files, is one too
        raise MachineError(f"{copy}: no copy of {home} can be made: {error}") from None


def _leads_nowhere(folder: str, names: list[str]) -> list[str]:
    """Links to what is not there; shutil's own `ignore_dangling_symlinks` takes a relative one for
    relative to the current folder.
    """
    return [name for name in names if not (Path(folder) / name).exists()]
