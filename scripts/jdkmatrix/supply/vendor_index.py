# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where does a vendor publish a release, by Coursier's index, a jar that Maven fetches?

`io.get-coursier.jvm.indices` has lists of releases with the address of each archive, but no
checksums. The index is pinned in `jtreg/jars.lock`, so a newer one is a change to the kit.
"""

import bisect
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from jdkmatrix.config import version
from jdkmatrix.config.version import JdkVersion, is_within
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.unpack.archive import DAMAGE

# The kit's word for each vendor, and the index's. SapMachine and Dragonwell have no list there;
# that of Temurin is not used, as the Adoptium API has its checksums and signatures, too.
LISTS = {
    "corretto": "corretto",
    "liberica": "liberica",
    "graalvm_community": "graalvm-community",
    "zulu": "zulu",
    "microsoft": "microsoft-openjdk",
    "semeru": "ibm-semeru",
}
_MEMBER = "coursier/jvm/indices/v1/{os}-{arch}.json"
_OS, _ARCH = {"mac": "darwin"}, {"x64": "amd64", "aarch64": "arm64"}
_MOST_BYTES = 1 << 23  # the index has 350,000
_ARCHIVES = ("tgz+https://", "zip+https://")
# Parts of a file's name. Zulu's builds for CRaC are listed among the others, as is 17.0.9.
_OTHER_PRODUCT = re.compile(r"-(crac|fx|jre|full|lite|debugimage|testimage|static-libs)[-.\d]")
_LISTS: TypeAdapter[dict[str, dict[str, str]]] = TypeAdapter(dict[str, dict[str, str]])


@dataclass(frozen=True)
class VendorRelease:
    """A release; its version is as the kit writes it, with the build number if that is known."""

    version: JdkVersion
    address: str


class VendorIndex:
    """The lists of one platform."""

    def __init__(self, lists: Mapping[str, Mapping[str, str]], name: str) -> None:
        self._lists = lists
        self._name = name

    @classmethod
    def read(cls, jars: Sequence[Path], platform: Platform) -> "VendorIndex":
        """Read this platform's index from these jars. Raises MachineError if missing or damaged."""
        names = _OS.get(platform.os, platform.os), _ARCH.get(platform.arch, platform.arch)
        member = _MEMBER.format(os=names[0], arch=names[1])
        for jar in jars:
            try:
                with zipfile.ZipFile(jar) as archive:
                    if member not in archive.namelist():
                        continue
                    with archive.open(member) as file:
                        text = file.read(_MOST_BYTES + 1)
                if len(text) > _MOST_BYTES:
                    raise MachineError(f"{jar.name}: larger than {_MOST_BYTES} bytes")
                return cls(_LISTS.validate_json(text), jar.name)
            except (OSError, zipfile.BadZipFile, *DAMAGE) as error:
                reason = str(error).splitlines()[0]
                raise MachineError(f"{jar.name}: no index of JDKs: {reason}") from None
        raise MachineError(f"no index of JDKs for {platform.os} on {platform.arch}")

    def releases(
        self, vendor: str, bounds: tuple[JdkVersion, JdkVersion]
    ) -> tuple[VendorRelease, ...]:
        """The vendor's releases from the first version to the last, oldest first.

        Of one version it is the latest. Raises UsageError if there are none, and MachineError.
        """
        keys = self._lists.get(LISTS[vendor], {})
        plain_versions: dict[str, JdkVersion] = {}
        odd_versions: dict[str, JdkVersion] = {}
        for key, address in keys.items():
            if candidate := _version_of(vendor, key):
                versions = (
                    odd_versions
                    if _OTHER_PRODUCT.search(address.rpartition("/")[2])
                    else plain_versions
                )
                versions[key] = candidate
        fit = {
            candidate: key
            for key, candidate in plain_versions.items()
            if is_within(candidate, bounds)
        }
        if not fit:
            raise UsageError(self._why_none(vendor, bounds, plain_versions, odd_versions))
        latest = {candidate.numbers: candidate for candidate in sorted(fit)}
        return tuple(
            VendorRelease(candidate, self._address(vendor, fit[candidate], keys))
            for candidate in sorted(latest.values())
        )

    def _address(self, vendor: str, key: str, keys: Mapping[str, str]) -> str:
        address = keys[key]
        if not address.startswith(_ARCHIVES):
            raise MachineError(f"{self._name}: {vendor} {key}: no archive at an https address")
        return address.partition("+")[2]

    def _why_none(
        self,
        vendor: str,
        bounds: tuple[JdkVersion, JdkVersion],
        plain_versions: Mapping[str, JdkVersion],
        odd_versions: Mapping[str, JdkVersion],
    ) -> str:
        first, last = bounds
        request = str(first) if str(first) == str(last) else f"{first}..{last}"
        odd_keys = [key for key, version in odd_versions.items() if is_within(version, bounds)]
        reason = "has no such release"
        if odd_keys:
            address = self._lists[LISTS[vendor]][odd_keys[0]]
            file = address.rpartition("/")[2]
            reason = f"has another product under this version, {file}, and no plain release"
        matches = suggest_versions(first, plain_versions.values())
        hint = f"; accepted: {matches}" if matches else ""
        return f"'{request}': {self._name} {reason} of {vendor}{hint}"


def suggest_versions(request: JdkVersion, versions: Iterable[JdkVersion]) -> str:
    """The versions next to that one, two before and one after, or else the trains."""
    all_versions = sorted(versions)
    of_train = [version for version in all_versions if version.train == request.train]
    place = bisect.bisect(of_train, request)
    texts = [plain_text(version) for version in of_train[max(0, place - 2) : place + 1]]
    return ", ".join(texts or map(str, sorted({version.train for version in all_versions})))


def plain_text(version: JdkVersion) -> str:
    """`8u412-b08`, `17.0.3+7`: a version as an entry's id has it."""
    return version.release + version.build_text


def _version_of(vendor: str, key: str) -> JdkVersion | None:
    """Corretto's `8.422.05.1` is 8u422-b05, its `17.0.9.8.1` is 17.0.9+8, as is Microsoft's until
    17.0.2; `8.0.422` of others is 8u422.
    """
    numbers = key.replace("-", ".").split(".")
    build = None
    has_build = vendor == "corretto" or (vendor == "microsoft" and len(numbers) == 5)
    if has_build and len(numbers) > 2:
        *numbers, build, _ = numbers
    if numbers[0] == "8":
        text = f"8u{numbers[-1]}" + (f"-b{build}" if build else "")
    else:
        text = ".".join(numbers) + (f"+{build}" if build else "")
    try:
        return version.parse(text)
    except ValueError:
        return None
