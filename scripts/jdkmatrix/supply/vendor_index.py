# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where does a vendor publish a release, by Coursier's index, a jar that Maven fetches?

`io.get-coursier.jvm.indices` has lists of releases with the address of each archive, but no
checksums. The index is pinned in `jtreg/jars.lock`, so a newer one is a change to the kit.
"""

import difflib
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from jdkmatrix.config import version
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.unpack.archive_limits import DAMAGE

# The kit's word for each vendor, and the index's. SapMachine and Dragonwell have no list there.
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

    def release(self, vendor: str, request: JdkVersion) -> VendorRelease:
        """The vendor's latest release of that version. Raises UsageError if it has none."""
        releases = self._lists.get(LISTS[vendor], {})
        versions = {key: candidate for key in releases if (candidate := _version_of(vendor, key))}
        fit = [key for key, candidate in versions.items() if _is_meant(candidate, request)]
        if not fit:
            matches = _suggest(request, versions.values())
            hint = f"; accepted: {matches}" if matches else ""
            raise UsageError(f"'{request}': {self._name} has no such release of {vendor}{hint}")
        address = releases[fit[-1]]
        if not address.startswith(_ARCHIVES):
            raise MachineError(f"{self._name}: {vendor} {fit[-1]}: no archive at an https address")
        return VendorRelease(versions[fit[-1]], address.partition("+")[2])


def _suggest(request: JdkVersion, versions: Iterable[JdkVersion]) -> str:
    """At most three versions like that one, or else the last of its train."""
    texts = {str(version): version.train for version in versions}
    matches = difflib.get_close_matches(str(request), texts, n=3)
    return ", ".join(
        matches or [text for text, train in texts.items() if train == request.train][-3:]
    )


def _is_meant(candidate: JdkVersion, request: JdkVersion) -> bool:
    return candidate.numbers == request.numbers and request.build in (None, candidate.build)


def _version_of(vendor: str, key: str) -> JdkVersion | None:
    """Corretto's `8.422.05.1` is 8u422-b05, its `17.0.9.8.1` is 17.0.9+8, as is Microsoft's until
    17.0.2; `8.0.422` of others is 8u422.
    """
    numbers = key.replace("-", ".").split(".")
    build = None
    if vendor == "corretto" or (vendor == "microsoft" and len(numbers) == 5):
        *numbers, build, _ = numbers
    if numbers[0] == "8":
        text = f"8u{numbers[-1]}" + (f"-b{build}" if build else "")
    else:
        text = ".".join(numbers) + (f"+{build}" if build else "")
    try:
        return version.parse(text)
    except ValueError:
        return None
