# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where do GnuPG's keys of a test lie, and who ends the agent that it starts?"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def gpg_home(folder: Path) -> Iterator[Path]:
    """The folder, which is made if need be; in the end no agent is left there."""
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(0o700)
    try:
        yield folder
    finally:
        subprocess.run(["gpgconf", "--homedir", str(folder), "--kill", "all"], check=True)
