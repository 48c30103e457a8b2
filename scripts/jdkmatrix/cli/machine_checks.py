# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does this machine lack, and how is that fixed? `matrix doctor` fetches and fixes nothing.

It is what a newcomer asks first, so without the kit's Python environment it answers with the
standard library alone; what needs a package is imported by the checks in `_CONFIGURED`, which are
left out then. In the cache it only does what every command does that looks there: it removes what
killed runs left, and the jars that it finds count as used.
"""

import json
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
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
from jdkmatrix.cli.printed import give, say
from jdkmatrix.errors import ExitCode
from jdkmatrix.machine.footing import faults_of_limits
from jdkmatrix.machine.loopback import REMEDY, loopback_fault
from jdkmatrix.paths import Checkout

# Measured: the default selection takes 1.6 GiB unpacked, and as much again during the fetch.
CACHE_SPACE_MIB = 3_300
# A run of the default selection leaves some 20 MiB; twenty runs are a month of working days.
REPORTS_SPACE_MIB = 400
_JARS = "jars of throughput, validate and :interop"
_TOOL_JDK = "tool JDK"
# Debian's fetched by apt where there is no other.
_TOOL_JDK_OF_DEBIAN = f"{_TOOL_JDK}: none here; the first command fetches Debian's by apt-get"


@dataclass(frozen=True)
class DoctorCheck:
    """One thing that was checked. `remedy` says what to do if it is not well. Without what is not
    `is_needed` the kit runs all the same, and leaves out what needs it.
    """

    subject: str
    is_well: bool
    remedy: str = ""
    is_needed: bool = True


def examine(*, as_json: bool = False) -> ExitCode:
    """Print what all checks find."""
    return _examine((*_BARE, *_CONFIGURED), as_json=as_json)


def examine_without_environment(*, as_json: bool = False) -> ExitCode:
    """Print what the standard library alone finds, before there is an environment."""
    text = "not checked without the Python environment: jdks.yaml, and the jars in the cache"
    return _examine((*_BARE, _tool_jdk_by_files, _jars_to_fetch), text, as_json=as_json)


Check = Callable[[Checkout], Iterator[DoctorCheck]]


def _examine(checks: Sequence[Check], not_checked: str = "", *, as_json: bool) -> ExitCode:
    checkout = Checkout.current()
    findings: list[DoctorCheck] = []
    for check in checks:
        for finding in check(checkout):
            findings.append(finding)
            if not as_json:
                _print(finding)
    missing = sum(finding.is_needed and not finding.is_well for finding in findings)
    if as_json:
        checks_json = [asdict(finding) for finding in findings]
        document = {"schema": 1, "checks": checks_json, "not_checked": not_checked or None}
        give(json.dumps(document, indent=1))
    else:
        say(f"{missing} missing" if missing else "nothing missing")
        if not_checked:
            say(not_checked)
    return ExitCode.MACHINE if missing else ExitCode.OK


def _print(finding: DoctorCheck) -> None:
    lack = "missing" if finding.is_needed else "lacking"
    say(f"{'ok' if finding.is_well else lack:7} {finding.subject}")
    if not finding.is_well:
        say(f"        to fix it: {finding.remedy}")


def _platform(_: Checkout) -> Iterator[DoctorCheck]:
    version = platform.python_version()
    yield DoctorCheck(
        f"Python {version}", sys.version_info >= (3, 11), "install Python 3.11 or later"
    )
    system = f"{platform.system()} {platform.machine()}"
    yield DoctorCheck(
        f"{system}, {' '.join(filter(None, platform.libc_ver())) or 'no glibc'}",
        platform.system() == "Linux" and platform.libc_ver()[0] == "glibc",
        "the sources wheel and debian give builds for Linux with glibc; elsewhere use --jdk PATH",
    )


def _environment(checkout: Checkout) -> Iterator[DoctorCheck]:
    """Whether the kit's own Python packages are there, or can be installed."""
    label = "Python packages of the kit"
    try:
        check_paths(checkout.root)
        home = environment_home(checkout.requirements)
    except BootstrapError as error:
        fault, _, remedy = str(error).partition(TO_FIX_IT)
        yield DoctorCheck(fault, False, remedy)
        return
    if is_ready(checkout.requirements):
        yield DoctorCheck(f"{label}: {home}", True)
        return
    pip = pip_origin()
    yield DoctorCheck(
        f"{label}: the first command installs them by {pip}" if pip else f"{label}: no pip",
        pip is not None,
        "install python3-venv or pip",
    )


def _sources(_: Checkout) -> Iterator[DoctorCheck]:
    """By what each kind of build comes, and the programs with those of Debian."""
    from jdkmatrix.supply.sources.mirror import lack_of_debian

    yield DoctorCheck("builds of the source wheel: by the pip of the kit's Python packages", True)
    lack = lack_of_debian()
    way = lack or f"by {shutil.which('apt-get')}"
    yield DoctorCheck(
        f"builds of the source debian, jtreg, h2load, HAProxy, OpenSSL, GnuTLS: {way}",
        lack is None,
        "use a machine with Debian's apt; or --jdk PATH for builds, JTREG_HOME for jtreg",
        is_needed=False,
    )
    gpgv = shutil.which("gpgv")
    yield DoctorCheck(
        f"signatures of the source adoptium: {f'by {gpgv}' if gpgv else 'no gpgv'}",
        gpgv is not None,
        "install gpgv; without it builds that need no signature are accepted by their SHA-256",
        is_needed=False,
    )


def _tool_jdk(checkout: Checkout) -> Iterator[DoctorCheck]:
    """The tool JDK that commands use now, tried as they try it; nothing is fetched."""
    from jdkmatrix.errors import MachineError
    from jdkmatrix.supply.discovery import TOOL_JDK
    from jdkmatrix.supply.net.progress import NullProgress
    from jdkmatrix.supply.supplier import Supplier

    class Notices(NullProgress):
        def __init__(self) -> None:
            self.texts: list[str] = []

        def notice(self, text: str) -> None:
            self.texts.append(text)

    notices = Notices()
    try:
        build = Supplier.of_checkout(checkout, offline=True, progress=notices).tool_jdk()
        yield DoctorCheck(f"{_TOOL_JDK}: {build.id}, {build.home} ({build.source})", True)
    except MachineError:
        yield from _no_tool_jdk_here()
    for text in notices.texts:
        subject, _, remedy = text.partition("; accepted: ")
        yield DoctorCheck(subject, False, f"name {remedy or TOOL_JDK}", is_needed=False)


def _tool_jdk_by_files(_: Checkout) -> Iterator[DoctorCheck]:
    """The first JDK on this machine that looks like a tool JDK."""
    from jdkmatrix.supply.discovery import discover_jdks, why_no_tool_jdk

    with suppress(RuntimeError):  # a user without a home
        for jdk in discover_jdks(Path.home(), os.environ, lambda _: None):
            if why_no_tool_jdk(jdk.home) is None:
                yield DoctorCheck(f"{_TOOL_JDK}: {jdk.home} ({jdk.named_by[0]}), not started", True)
                return
    yield from _no_tool_jdk_here()


def _no_tool_jdk_here() -> Iterator[DoctorCheck]:
    from jdkmatrix.supply.discovery import TOOL_JDK
    from jdkmatrix.supply.sources.mirror import lack_of_debian

    lack = lack_of_debian()
    yield DoctorCheck(
        f"{_TOOL_JDK}: none here, and {lack}" if lack else _TOOL_JDK_OF_DEBIAN,
        lack is None,
        f"set JAVA_HOME to {TOOL_JDK}",
    )


def _jars(checkout: Checkout) -> Iterator[DoctorCheck]:
    """Whether throughput and validate have their jars, or can get them."""
    from jdkmatrix.config.jdks import load_jdks
    from jdkmatrix.supply.cache.holdings import Holdings

    jdks = load_jdks(checkout.jdks)
    holdings = Holdings(jdks, checkout.lock, cache_root(), jars_lock=checkout.jars_lock)
    if jars := holdings.jars():
        yield DoctorCheck(f"{_JARS} {jars}", True)
    else:
        yield from _jars_to_fetch(checkout)


def _jars_to_fetch(_: Checkout) -> Iterator[DoctorCheck]:
    """Whether the jars can be had, in the order of Supplier.maven_ways."""
    from jdkmatrix.supply.jars.maven import lack_of_maven

    lack = lack_of_maven()
    way = shutil.which("mvn") or "Debian's maven"
    yield DoctorCheck(
        f"{_JARS}: {lack or f'scripts/matrix jdks fetch gets them by {way}'}",
        lack is None,
        "put Maven's mvn on the PATH",
        is_needed=False,
    )


def _space(checkout: Checkout) -> Iterator[DoctorCheck]:
    folders = [(checkout.reports, REPORTS_SPACE_MIB)]
    with suppress(BootstrapError):  # without a home; `_environment` reports it
        folders.insert(0, (cache_root(), CACHE_SPACE_MIB))
    for folder, needed_mib in folders:
        parent = next(path for path in (folder, *folder.parents) if _exists(path))
        free_mib = shutil.disk_usage(parent).free // 2**20
        yield DoctorCheck(
            f"{free_mib} MiB free for {folder}",
            free_mib >= needed_mib,
            f"free {needed_mib} MiB, or set JDKMATRIX_CACHE or --out to a larger disk",
        )
        yield DoctorCheck(
            f"{folder} can be written",
            os.access(parent, os.W_OK),
            f"create {folder}, or make it writable",
        )


def _exists(path: Path) -> bool:
    with suppress(PermissionError):  # a folder above it can't be read
        return path.exists()
    return False


def _loopback(_: Checkout) -> Iterator[DoctorCheck]:
    fault = loopback_fault()
    yield DoctorCheck(fault or "a client reaches a server on 127.0.0.1", fault is None, REMEDY)


def _limits(_: Checkout) -> Iterator[DoctorCheck]:
    """The threads, open files and temporary space of one cell."""
    limits = list(faults_of_limits(()))
    for fault in limits:
        yield DoctorCheck(fault.text, False, fault.remedy)
    if not limits:
        yield DoctorCheck("threads, open files and temporary space for a cell", True)


def _configuration(checkout: Checkout) -> Iterator[DoctorCheck]:
    from jdkmatrix.config.jdks import load_jdks

    jdks = load_jdks(checkout.jdks)
    yield DoctorCheck(f"{checkout.jdks}: {len(jdks.builds)} builds", True)


# These need the standard library alone.
_BARE: tuple[Check, ...] = (_platform, _environment, _sources, _space, _loopback, _limits)
_CONFIGURED: tuple[Check, ...] = (_tool_jdk, _jars, _configuration)
