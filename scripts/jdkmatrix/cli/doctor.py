# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix doctor`: what does this machine lack, and how to fix that? It fetches and fixes nothing.

In the cache it only does what every command does that looks there: it removes what killed runs
left, and the jars that it finds count as used.
"""

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.errors import ExitCode
from jdkmatrix.machine.loopback import REMEDY, loopback_fault
from jdkmatrix.paths import Checkout

# Measured: the default selection takes 1.6 GiB unpacked, and as much again during the fetch.
CACHE_SPACE_MIB = 3_300
# A run of the default selection leaves some 20 MiB; twenty runs are a month of working days.
REPORTS_SPACE_MIB = 400
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
    from rich.markup import escape

    from jdkmatrix.cli.console import result_console

    console = result_console()
    checkout = Checkout.here()
    lacking = 0
    for check in (_platform, _tools_of_debian, _jars, _space, _loopback, _configuration):
        for finding in check(checkout):
            mark = "[green]ok[/]     " if finding.is_well else "[red]missing[/]"
            console.print(f"{mark} {escape(finding.what)}", highlight=False, soft_wrap=True)
            if not finding.is_well:
                lacking += 1
                console.print(
                    f"        to fix it: {escape(finding.remedy)}", highlight=False, soft_wrap=True
                )
    if lacking:
        console.print(f"{lacking} missing")
        return ExitCode.MACHINE
    console.print("nothing missing")
    return ExitCode.OK


Check = Callable[[Checkout], Iterator[Finding]]


def _platform(_: Checkout) -> Iterator[Finding]:
    version = platform.python_version()
    yield Finding(f"Python {version}", sys.version_info >= (3, 11), "install Python 3.11 or later")
    system = f"{platform.system()} {platform.machine()}"
    yield Finding(
        f"{system}, {' '.join(filter(None, platform.libc_ver())) or 'no glibc'}",
        platform.system() == "Linux" and platform.libc_ver()[0] == "glibc",
        "the sources wheel and debian give builds for Linux with glibc; elsewhere use --jdk PATH",
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
    """Whether throughput and validate can get their jars, in the order of Supplier.maven_ways."""
    from jdkmatrix.config.jdks import load_jdks
    from jdkmatrix.supply.cache.holdings import Holdings

    jdks = load_jdks(checkout.jdks)
    holdings = Holdings(jdks, checkout.lock, cache_root(), jars_lock=checkout.jars_lock)
    what = "jars of throughput and validate"
    mvn = shutil.which("mvn")
    if cached := holdings.jars():
        yield Finding(f"{what} {cached}", True)
    elif mvn:
        yield Finding(f"{what}: scripts/matrix jdks fetch gets them by {mvn}", True)
    else:
        yield Finding(
            f"{what}: scripts/matrix jdks fetch gets them by Debian's maven",
            all(shutil.which(tool) for tool in _DEBIAN_TOOLS),
            "put Maven's mvn on the PATH, or get what the source debian lacks",
        )


def _space(checkout: Checkout) -> Iterator[Finding]:
    for folder, needed_mib in (
        (cache_root(), CACHE_SPACE_MIB),
        (checkout.reports, REPORTS_SPACE_MIB),
    ):
        there = next(path for path in (folder, *folder.parents) if path.exists())
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


def _loopback(_: Checkout) -> Iterator[Finding]:
    fault = loopback_fault()
    yield Finding(fault or "a client reaches a server on 127.0.0.1", fault is None, REMEDY)


def _configuration(checkout: Checkout) -> Iterator[Finding]:
    from jdkmatrix.config.jdks import load_jdks

    jdks = load_jdks(checkout.jdks)
    yield Finding(f"{checkout.jdks}: {len(jdks.builds)} builds", True)
