# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix doctor`: what does this machine lack, and how to fix that? It fetches and fixes nothing.

It is what a newcomer asks first, so without the kit's Python environment it answers with the
standard library alone; what needs a package is imported by the checks in `_CONFIGURED`, which are
left out then. In the cache it only does what every command does that looks there: it removes what
killed runs left, and the jars that it finds count as used.
"""

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.bootstrap import (
    TO_FIX_IT,
    BootstrapError,
    cache_root,
    check_paths,
    environment_home,
    is_ready,
    pip_origin,
)
from jdkmatrix.cli.printed import say
from jdkmatrix.errors import ExitCode
from jdkmatrix.machine.loopback import REMEDY, loopback_fault
from jdkmatrix.paths import Checkout

# Measured: the default selection takes 1.6 GiB unpacked, and as much again during the fetch.
CACHE_SPACE_MIB = 3_300
# A run of the default selection leaves some 20 MiB; twenty runs are a month of working days.
REPORTS_SPACE_MIB = 400
_JARS = "jars of throughput and validate"
_DEBIAN_TOOLS = ("apt-get", "dpkg-deb", "gpgv")


@dataclass(frozen=True)
class Finding:
    """One thing that was checked. `remedy` says what to do if it is not well."""

    what: str
    is_well: bool
    remedy: str = ""


def doctor() -> int:
    """Say what this machine lacks to run the kit, and how to get it.

    Example: scripts/matrix doctor
    """
    return _examine((*_BARE, *_CONFIGURED))


def doctor_without_environment() -> int:
    """What `doctor` finds with the standard library alone, before there is an environment."""
    code = _examine((*_BARE, _jars_to_fetch))
    say("not checked without the Python environment: jdks.yaml, and the jars in the cache")
    return code


Check = Callable[[Checkout], Iterator[Finding]]


def _examine(checks: Sequence[Check]) -> int:
    checkout = Checkout.here()
    lacking = 0
    for check in checks:
        for finding in check(checkout):
            say(f"{'ok' if finding.is_well else 'missing':7} {finding.what}")
            if not finding.is_well:
                lacking += 1
                say(f"        to fix it: {finding.remedy}")
    say(f"{lacking} missing" if lacking else "nothing missing")
    return ExitCode.MACHINE if lacking else ExitCode.OK


def _platform(_: Checkout) -> Iterator[Finding]:
    version = platform.python_version()
    yield Finding(f"Python {version}", sys.version_info >= (3, 11), "install Python 3.11 or later")
    system = f"{platform.system()} {platform.machine()}"
    yield Finding(
        f"{system}, {' '.join(filter(None, platform.libc_ver())) or 'no glibc'}",
        platform.system() == "Linux" and platform.libc_ver()[0] == "glibc",
        "the sources wheel and debian give builds for Linux with glibc; elsewhere use --jdk PATH",
    )


def _environment(checkout: Checkout) -> Iterator[Finding]:
    """Whether the kit's own Python packages are there, or can be installed."""
    label = "Python packages of the kit"
    try:
        check_paths(checkout.root)
        home = environment_home(checkout.requirements)
    except BootstrapError as error:
        fault, _, remedy = str(error).partition(TO_FIX_IT)
        yield Finding(fault, False, remedy)
        return
    if is_ready(checkout.requirements):
        yield Finding(f"{label}: {home}", True)
        return
    pip = pip_origin()
    yield Finding(
        f"{label}: the first command installs them by {pip}" if pip else f"{label}: no pip",
        pip is not None,
        "install python3-venv or pip",
    )


def _tools_of_debian(_: Checkout) -> Iterator[Finding]:
    for tool in _DEBIAN_TOOLS:
        found = shutil.which(tool)
        yield Finding(
            f"{tool} {found or ''}".strip(),
            found is not None,
            "the source debian, jtreg and the tool JDK need Debian's apt, dpkg and gpgv",
        )


def _jars(checkout: Checkout) -> Iterator[Finding]:
    """Whether throughput and validate have their jars, or can get them."""
    from jdkmatrix.config.jdks import load_jdks
    from jdkmatrix.supply.cache.holdings import Holdings

    jdks = load_jdks(checkout.jdks)
    holdings = Holdings(jdks, checkout.lock, cache_root(), jars_lock=checkout.jars_lock)
    if cached := holdings.jars():
        yield Finding(f"{_JARS} {cached}", True)
    else:
        yield from _jars_to_fetch(checkout)


def _jars_to_fetch(_: Checkout) -> Iterator[Finding]:
    """Whether the jars can be had, in the order of Supplier.maven_ways."""
    if mvn := shutil.which("mvn"):
        yield Finding(f"{_JARS}: scripts/matrix jdks fetch gets them by {mvn}", True)
    else:
        yield Finding(
            f"{_JARS}: scripts/matrix jdks fetch gets them by Debian's maven",
            all(shutil.which(tool) for tool in _DEBIAN_TOOLS),
            "put Maven's mvn on the PATH, or get what the source debian lacks",
        )


def _space(checkout: Checkout) -> Iterator[Finding]:
    folders = [(checkout.reports, REPORTS_SPACE_MIB)]
    with suppress(BootstrapError):  # without a home; `_environment` reports it
        folders.insert(0, (cache_root(), CACHE_SPACE_MIB))
    for folder, needed_mib in folders:
        there = next(path for path in (folder, *folder.parents) if _exists(path))
        free_mib = shutil.disk_usage(there).free // 2**20
        yield Finding(
            f"{free_mib} MiB free for {folder}",
            free_mib >= needed_mib,
            f"free {needed_mib} MiB, or set JDKMATRIX_CACHE or --out to a larger disk",
        )
        yield Finding(
            f"{folder} can be written",
            os.access(there, os.W_OK),
            f"create {folder}, or make it writable",
        )


def _exists(path: Path) -> bool:
    with suppress(PermissionError):  # a folder above it can't be read
        return path.exists()
    return False


def _loopback(_: Checkout) -> Iterator[Finding]:
    fault = loopback_fault()
    yield Finding(fault or "a client reaches a server on 127.0.0.1", fault is None, REMEDY)


def _configuration(checkout: Checkout) -> Iterator[Finding]:
    from jdkmatrix.config.jdks import load_jdks

    jdks = load_jdks(checkout.jdks)
    yield Finding(f"{checkout.jdks}: {len(jdks.builds)} builds", True)


# These need the standard library alone.
_BARE: tuple[Check, ...] = (_platform, _environment, _tools_of_debian, _space, _loopback)
_CONFIGURED: tuple[Check, ...] = (_jars, _configuration)
