# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which Debian mirror and which archive keys does this machine use?

Read from apt's own configuration, so that a mirror inside a company, a proxy or a credential
file is respected. What is found is used for this run and never written to a tracked file.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.machine.processes import FinishedProcess, complaint, run
from jdkmatrix.supply.build import SourceError

_TIMEOUT_S = 60.0
KEYRINGS = (
    Path("/usr/share/keyrings/debian-archive-keyring.pgp"),
    Path("/usr/share/keyrings/debian-archive-keyring.gpg"),
    Path("/etc/apt/trusted.gpg.d/debian-archive-keyring.gpg"),
)

# What fetches and unpacks packages; apt itself brings what checks its signatures.
CLIENTS = ("apt-get", "dpkg-deb")


class NoMirror(SourceError):
    """This machine's apt is not of Debian, so that it has none of its packages."""


@dataclass(frozen=True)
class Mirror:
    """Base addresses of the main and the security archive (None if the machine has none).

    `keyring` is the machine's file of Debian's archive keys; `settings` are the machine's own
    `Acquire` settings (proxies, retries ...), as lines of an apt configuration.
    """

    main: str
    security: str | None
    keyring: Path
    settings: tuple[str, ...]


def machine_mirror() -> Mirror:
    """The mirror of this machine's apt. Raises SourceError without Debian's mirror or its keys."""
    main, security = _archives()
    if main is None:  # without an index apt lists targets only like this, and no labels
        main, security = _archives("--no-release-info")
    if main is None:
        raise NoMirror("no Debian mirror in this machine's apt configuration")
    keyring = next((path for path in KEYRINGS if path.is_file()), None)
    if keyring is None:
        raise NoMirror("no keys of Debian's archive here (package debian-archive-keyring)")
    return Mirror(main, security, keyring, _acquire_settings())


def lack_of_debian() -> str | None:
    """Why this machine can have no package of Debian's, whatever its network does; None if it can.

    What only Debian's packages give is lacking here then; elsewhere it is an error.
    """
    missing = [name for name in CLIENTS if shutil.which(name) is None]
    if missing:
        return f"no {' and no '.join(missing)} on this machine"
    try:
        machine_mirror()
    except NoMirror as error:
        return str(error)
    except SourceError:  # apt says why when it is used
        pass
    return None


def _archives(*options: str) -> tuple[str | None, str | None]:
    """The addresses of the main and the security archive, as apt lists them."""
    main = security = None
    for target in paragraphs_of(_output("apt-get", "indextargets", *options)):
        if target.get("Origin", "Debian") != "Debian" or target.get("Component") != "main":
            continue
        address = target.get("Repo-URI", "").rstrip("/")
        if not address:
            continue
        if target.get("Label") == "Debian-Security" or address.endswith("-security"):
            security = security or address
        elif target.get("Label") == "Debian" or address.endswith("/debian"):
            main = main or address
    return main, security


def _acquire_settings() -> tuple[str, ...]:
    lines = _output("apt-config", "dump").splitlines()
    return tuple(
        line
        for line in lines
        if line.startswith("Acquire::") and not line.startswith("Acquire::IndexTargets")
    )


def paragraphs_of(text: str) -> Iterator[dict[str, str]]:
    """The fields of each paragraph that apt prints."""
    for paragraph in text.split("\n\n"):
        pairs = (line.partition(": ") for line in paragraph.splitlines())
        yield {key: field for key, _, field in pairs}


def _output(*command: str) -> str:
    try:
        process = run(command, timeout_s=_TIMEOUT_S)
    except OSError:
        raise SourceError(f"no {command[0]} on this machine") from None
    if process.code != 0:
        raise SourceError(f"{' '.join(command)}: {first_error(process)}")
    return process.output


def first_error(process: FinishedProcess) -> str:
    """Why apt failed: the first error, as the last names no failed index and no bad source.

    apt 3.0 names the cause on its output alone ("connect (111: Connection refused)").
    """
    errors = [line for line in process.errors.splitlines() if line.startswith("E:")]
    texts = f"{process.output}\n{process.errors}"
    return complaint(FinishedProcess(process.code, errors[0], texts) if errors else process)
