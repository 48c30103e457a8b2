# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which entries does `jdks add VENDOR VERSION` mean, and how do they get into `jdks.yaml`?

The Adoptium API has Temurin alone, Coursier's index the other vendors. Both are asked before
anything is written.
"""

import re
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from jdkmatrix.config import version
from jdkmatrix.config.jdks import BuildEntry, JdksFile, load_jdks
from jdkmatrix.config.jdks_edit import append_builds, prepend_source
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import MachineError, UsageError, translate_os_errors
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.install import api_address
from jdkmatrix.supply.net.web import NotThere, Patience, Web
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.sources.adoptium import api_vendor, binary_properties
from jdkmatrix.supply.sources.adoptium_api import AdoptiumApi, Release, all_in, newest_of
from jdkmatrix.supply.sources.kinds import Circumstances
from jdkmatrix.supply.vendor_index import LISTS, VendorIndex, plain_text, suggest_versions

OF_API = "temurin"
VENDORS = (OF_API, *LISTS)
ACCEPTED = "8u412, 8u412-b08, 17.0.3, 17.0.3+7, 17.0.1..17.0.9, 17"
Source = dict[str, str]
_MOVING = re.compile(r"(?P<train>\d+)(?:-(?P<which>ea|previous))?")
_MOVING_RELEASES = {None: "latest-ga", "ea": "latest-ea", "previous": "previous-ga"}
# Other words for a vendor that people use.
_OTHER_NAMES = {
    "adoptium": OF_API,
    "graalvm": "graalvm_community",
    "azul": "zulu",
    "bellsoft": "liberica",
    "amazon": "corretto",
    "ibm": "semeru",
}
# Beyond each version of a train.
_ENDLESS = 1 << 30
# Whether an archive is there shows at once, or it is told that nobody answered.
_BRIEF = Patience(attempts=2, first_pause_s=0.5, connect_timeout_s=5.0, read_timeout_s=10.0)


def add_entries(
    jdks_path: Path,
    locks: Locks,
    vendor: str,
    text: str,
    index_of: Callable[[Platform], VendorIndex],
    offline: bool = False,
    circumstances: Circumstances | None = None,
    notice: Callable[[str], None] = lambda _: None,
) -> list[BuildEntry]:
    """Add the entries, or another source to an entry that is there, and return them.

    `notice` gets a line for what could not be asked. Raises UsageError, MachineError.
    """
    jdks = load_jdks(jdks_path)
    vendor = _OTHER_NAMES.get(vendor, vendor)
    if vendor not in VENDORS:
        raise UsageError(f"'{vendor}': unknown vendor; accepted: {', '.join(VENDORS)}")
    inquiry = _Inquiry(jdks, offline, circumstances or Circumstances(), notice)
    sources = (
        inquiry.find_released(text)
        if vendor == OF_API
        else inquiry.find_listed(vendor, text, index_of)
    )
    with (
        translate_os_errors(MachineError, f"{jdks_path}: cannot be changed"),
        locks.hold(jdks_path.name),  # or one of two processes would lose its entries
    ):
        return _write(jdks_path, sources)


def _write(jdks_path: Path, sources: Mapping[str, Source]) -> list[BuildEntry]:
    """Add each source that the file does not have yet, by its entry's id."""
    entries = {entry.id: entry for entry in load_jdks(jdks_path).builds}
    new_sources = {key: source for key, source in sources.items() if key not in entries}
    lacking = {
        key: source
        for key, source in sources.items()
        if key in entries and source["source"] not in {s.source for s in entries[key].sources}
    }
    if not new_sources and not lacking:
        raise UsageError(f"{', '.join(sources)}: already in {jdks_path.name}")
    additions = [{"id": key, "sources": [source]} for key, source in new_sources.items()]
    entries_read_back = append_builds(jdks_path, additions) if additions else []
    return entries_read_back + [prepend_source(jdks_path, *pair) for pair in lacking.items()]


class _Inquiry:
    """What the API and the index say of what the user names. Methods raise UsageError,
    MachineError.
    """

    def __init__(
        self,
        jdks: JdksFile,
        offline: bool,
        circumstances: Circumstances,
        notice: Callable[[str], None],
    ) -> None:
        self._offline = offline
        self._platform = circumstances.platform
        self._web = Web(threading.Event(), circumstances.patience)
        self._brief_web = Web(threading.Event(), _BRIEF)
        self._api = AdoptiumApi(self._web, api_address(jdks))
        self._notice = notice

    def find_listed(
        self, vendor: str, text: str, index_of: Callable[[Platform], VendorIndex]
    ) -> dict[str, Source]:
        """The releases that a vendor's list has, keyed by their entries' ids."""
        moving = _MOVING.fullmatch(text)
        if moving and moving["which"]:
            hint = f"accepted: {moving['train']} for the newest, or {ACCEPTED}"
            raise UsageError(f"'{text}': of {vendor} only releases are listed; {hint}")
        bounds = _bounds(text)
        if moving:
            numbers = (int(moving["train"]), _ENDLESS)
            bounds = (bounds[0], JdkVersion(numbers, text=text))
        releases = index_of(self._platform).releases(vendor, bounds)
        if moving:
            releases = releases[-1:]
        for release in releases:
            self._ask(f"{vendor} {release.version}", release.address)
        return {
            f"{vendor}-{plain_text(release.version)}": {"source": "url", "url": release.address}
            for release in releases
        }

    def _ask(self, subject: str, address: str) -> None:
        """Whether the archive is there. A server that does not answer is told, and no more."""
        if self._offline:
            self._notice(f"{subject}: not asked whether it is there: --offline")
            return
        try:
            with self._brief_web.response(address):
                pass
        except NotThere as error:
            raise UsageError(f"{subject}: listed, but not there: {error}") from None
        except SourceError as error:
            self._notice(f"{subject}: not known whether it is there: {error}")

    def find_released(self, text: str) -> dict[str, Source]:
        """The API's release for each entry that `text` means, keyed by the entry's id."""
        releases = self._releases(text)
        return {
            f"{OF_API}-{key}": {"source": "adoptium", "release": release}
            for key, release in releases.items()
        }

    def _releases(self, text: str) -> dict[str, str]:
        if moving := _MOVING.fullmatch(text):
            self._ask_moving(int(moving["train"]), moving["which"])
            return {text: _MOVING_RELEASES[moving["which"]]}
        bounds = first, last = _bounds(text)
        if first.pre or last.pre:
            hint = f"accepted: {first.train}-ea, which moves"
            raise UsageError(f"'{text}': early-access builds are not kept under a version; {hint}")
        names_a_build = first == last and first.build is not None
        if self._offline:
            if not names_a_build:
                hint = "accepted: a build, such as 8u412-b08"
                raise UsageError(f"'{text}' needs the API, which --offline forbids; {hint}")
            self._notice(f"{OF_API} {text}: the API is not asked whether it is there: --offline")
            return {plain_text(first): _release_name(first)}
        releases = self._list(first.train, "ga")
        fit = all_in(releases, bounds)
        if not fit:
            versions = [release.version for release in releases]
            matches = suggest_versions(first, filter(None, versions))
            hint = f"; accepted: {matches}" if matches else ""
            reason = f"the API has no such GA release of {OF_API} for this machine"
            raise UsageError(f"'{text}': {reason}{hint}")
        return {plain_text(jdk_version): release.release_name for jdk_version, release in fit}

    def _ask_moving(self, train: int, kind_name: str | None) -> None:
        if self._offline:
            self._notice(f"{OF_API} {train}: the API is not asked whether it is there: --offline")
            return
        kind = "ea" if kind_name == "ea" else "ga"
        if newest_of(self._list(train, kind), skip=1 if kind_name == "previous" else 0) is None:
            reason = f"the API has no {kind_name or 'GA'} release of {OF_API} for this machine"
            raise UsageError(f"'{train}{f'-{kind_name}' if kind_name else ''}': {reason}")

    def _list(self, train: int, kind: str) -> list[Release]:
        properties = binary_properties(self._platform)
        try:
            return list(self._api.list_releases(train, kind, api_vendor(OF_API), properties))
        except SourceError as error:
            raise MachineError(f"the Adoptium API: {error}") from None


def _bounds(text: str) -> tuple[JdkVersion, JdkVersion]:
    try:
        if ".." in text:
            return version.parse_range(text)
        jdk_version = version.parse(text)
    except ValueError:
        raise UsageError(f"'{text}': not a version or range; accepted: {ACCEPTED}") from None
    return jdk_version, jdk_version


def _release_name(jdk_version: JdkVersion) -> str:
    prefix = "jdk" if jdk_version.train == 8 else "jdk-"
    return prefix + plain_text(jdk_version)
