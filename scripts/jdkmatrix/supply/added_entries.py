# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which entries does `jdks add VENDOR VERSION` mean, and how do they get into `jdks.yaml`?

A version with its build number is already the name of a release, if the Adoptium API has the
vendor. A single version without one is looked up in Coursier's index, if that lists the vendor.
Otherwise the API is asked.
"""

import re
import threading
from collections.abc import Callable
from pathlib import Path

from jdkmatrix.config import version
from jdkmatrix.config.jdks import BuildEntry, JdksFile, load_jdks
from jdkmatrix.config.jdks_edit import append_builds
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.net.web import Web
from jdkmatrix.supply.parts import Circumstances, api_address
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.sources.adoptium import api_vendor
from jdkmatrix.supply.sources.adoptium_api import AdoptiumApi
from jdkmatrix.supply.sources.adoptium_pick import all_in
from jdkmatrix.supply.sources.source import SourceError
from jdkmatrix.supply.vendor_index import LISTS, VendorIndex

VENDORS = ("temurin", "zulu", "microsoft", "semeru", "dragonwell", "bisheng", "redhat")
ACCEPTED = "8u412, 8u412-b08, 17.0.3, 17.0.3+7, 17.0.1..17.0.9, 17, 17-ea, 17-previous"
Source = dict[str, str]
_MOVING = re.compile(r"(?P<train>\d+)(?:-(?P<which>ea|previous))?")
_MOVING_RELEASES = {None: "latest-ga", "ea": "latest-ea", "previous": "previous-ga"}


def add_entries(
    jdks_path: Path,
    locks: Locks,
    vendor: str,
    text: str,
    index_of: Callable[[Platform], VendorIndex],
    offline: bool = False,
    circumstances: Circumstances | None = None,
) -> list[BuildEntry]:
    """Add the entries to the file and return them. Raises UsageError, MachineError."""
    jdks = load_jdks(jdks_path)
    circumstances = circumstances or Circumstances()
    if vendor in LISTS and (vendor not in VENDORS or _needs_a_list(text)):
        sources = _find_listed(vendor, text, index_of(circumstances.platform))
    elif vendor in VENDORS:
        sources = _find_released(jdks, vendor, text, offline, circumstances)
    else:
        vendors = ", ".join(dict.fromkeys((*VENDORS, *LISTS)))
        raise UsageError(f"'{vendor}': unknown vendor; accepted: {vendors}")
    try:
        with locks.hold(jdks_path.name):  # or one of two processes would lose its entries
            known_ids = {entry.id for entry in load_jdks(jdks_path).builds}
            new = [
                {"id": key, "sources": [source]}
                for key, source in sources.items()
                if key not in known_ids
            ]
            if not new:
                raise UsageError(f"{', '.join(sources)}: already in {jdks_path.name}")
            return append_builds(jdks_path, new)
    except OSError as error:
        raise MachineError(f"{jdks_path}: cannot be changed: {error.strerror}") from None


def _needs_a_list(text: str) -> bool:
    """Whether it is a single version without a build number, so not the name of a release."""
    if _MOVING.fullmatch(text):
        return False
    try:
        jdk_version = version.parse(text)
    except ValueError:
        return False
    return jdk_version.build is None and not jdk_version.pre


def _find_listed(vendor: str, text: str, index: VendorIndex) -> dict[str, Source]:
    """The one release that a vendor's list has under this version, keyed by its entry's id."""
    try:
        jdk_version = version.parse(text)
    except ValueError:
        hint = "accepted: one version, such as 8u422, 17.0.9 or 17.0.9+8"
        raise UsageError(f"'{text}': not a version of {vendor}; {hint}") from None
    release = index.release(vendor, jdk_version)
    return {f"{vendor}-{_plain(release.version)}": {"source": "url", "url": release.address}}


def _find_released(
    jdks: JdksFile, vendor: str, text: str, offline: bool, circumstances: Circumstances
) -> dict[str, Source]:
    """The API's release for each entry that `text` means, keyed by the entry's id."""
    extra = {"jvm": "openj9"} if vendor == "semeru" else {}
    releases = _releases(jdks, vendor, text, offline, circumstances)
    return {
        key: {"source": "adoptium", "release": release, **extra}
        for key, release in releases.items()
    }


def _releases(
    jdks: JdksFile, vendor: str, text: str, offline: bool, circumstances: Circumstances
) -> dict[str, str]:
    """The name of the release for each entry that `text` means, keyed by the entry's id."""
    if moving := _MOVING.fullmatch(text):
        return {f"{vendor}-{text}": _MOVING_RELEASES[moving["which"]]}
    bounds = _bounds(text)
    first, last = bounds
    if first.pre or last.pre:
        hint = f"accepted: {first.train}-ea, which moves"
        raise UsageError(f"'{text}': early-access builds are not kept under a version; {hint}")
    if first == last and first.build is not None:
        return {f"{vendor}-{_plain(first)}": _release_name(first)}
    if offline:
        hint = "accepted: a build, such as 8u412-b08"
        raise UsageError(f"'{text}' needs the API, which --offline forbids; {hint}")
    web = Web(threading.Event(), circumstances.patience)
    api = AdoptiumApi(web, api_address(jdks))
    properties = {"image_type": "jdk", "heap_size": "normal", "project": "jdk"}
    properties |= {"os": circumstances.platform.os, "architecture": circumstances.platform.arch}
    try:
        releases = all_in(
            api.list_releases(first.train, "ga", api_vendor(vendor), properties), bounds
        )
    except SourceError as error:
        raise MachineError(f"the Adoptium API: {error}") from None
    if not releases:
        raise UsageError(f"'{text}': the API has no such GA release of {vendor} for this machine")
    return {
        f"{vendor}-{_plain(jdk_version)}": release.release_name for jdk_version, release in releases
    }


def _bounds(text: str) -> tuple[JdkVersion, JdkVersion]:
    try:
        if ".." in text:
            return version.parse_range(text)
        jdk_version = version.parse(text)
    except ValueError:
        raise UsageError(f"'{text}': not a version or range; accepted: {ACCEPTED}") from None
    return jdk_version, jdk_version


def _plain(jdk_version: JdkVersion) -> str:
    """`8u412-b08`, `17.0.3+7`: the version as an entry's id has it."""
    if jdk_version.train == 8:
        return f"8u{jdk_version.numbers[2]}" + (
            "" if jdk_version.build is None else f"-b{jdk_version.build:02}"
        )
    build = "" if jdk_version.build is None else f"+{jdk_version.build}"
    return ".".join(map(str, jdk_version.numbers)) + build


def _release_name(jdk_version: JdkVersion) -> str:
    return f"jdk{_plain(jdk_version)}" if jdk_version.train == 8 else f"jdk-{_plain(jdk_version)}"
