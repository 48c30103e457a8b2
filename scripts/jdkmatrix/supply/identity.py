# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which build is a JDK, going by what it says about itself, and is it the one its entry means?"""

import re
from dataclasses import replace
from pathlib import Path

from jdkmatrix.config import version
from jdkmatrix.config.jdks import AdoptiumSource, AnySource, BuildEntry
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.supply.build import Build, BuildFacts, SourceError, id_of
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.unpack.emulated import check_emulator, is_emulated

_VENDORS = {
    "temurin": "temurin",
    "adoptium": "temurin",
    "adoptopenjdk": "temurin",
    "debian": "debian",
    "azul": "zulu",
    "amazon": "corretto",
    "microsoft": "microsoft",
    "bellsoft": "liberica",
    "sap": "sapmachine",
    "red hat": "redhat",
    "alibaba": "dragonwell",
    "international business machines": "semeru",
    "ibm": "semeru",
    "huawei": "bisheng",
    "oracle": "oracle",
}


# What `java.vendor` is in a build whose maker set none: OpenJDK's own default.
_UNSET = "oracle"
# The mark of a distribution in its version: 1.8.0_332-8u332-ga-1~deb9u1-b09.
_DISTRIBUTION = re.compile(r"[-~+](?:(?P<debian>deb\d+u\d+|Debian)|\d*(?P<ubuntu>[Uu]buntu))")


def vendor_of(facts: BuildFacts) -> str:
    """The kit's word for a JDK's vendor: `temurin` for "Eclipse Adoptium".

    Where `java.vendor` is only OpenJDK's default, the VM's vendor, the release file's IMPLEMENTOR,
    the distribution's mark in the version and the folder's name say whose build it is.
    """
    vendor = _vendor_in(facts.vendor)
    if vendor is None:
        return re.sub(r"[^a-z0-9]+", "_", facts.vendor.lower()).strip("_") or "unknown"
    if vendor != _UNSET:
        return vendor
    mark = _DISTRIBUTION.search(facts.version)
    return (mark and mark.lastgroup) or _vendor_in(facts.vendor_signs) or _UNSET


def _vendor_in(text: str) -> str | None:
    """The first vendor whose sign is in the text; Oracle is the last."""
    lower_text = text.lower()
    return next((vendor for sign, vendor in _VENDORS.items() if sign in lower_text), None)


def version_of(facts: BuildFacts) -> JdkVersion:
    """The version without what a vendor adds to its text: `8u504-ga`, `17.0.3+7`, `11.0.33-ea+8`.

    Raises SourceError if it follows no known scheme.
    """
    try:
        jdk_version = version.parse(facts.version)
    except ValueError as error:
        raise SourceError(str(error)) from None
    suffix = (f"-{jdk_version.pre}" if jdk_version.pre else "") + jdk_version.build_text
    if jdk_version.train == 8:
        suffix = suffix or "-ga"
    return version.parse(jdk_version.release + suffix)


def build_id(facts: BuildFacts, target: str = "") -> str:
    """The id of a JDK by what it says of itself. Raises SourceError."""
    return id_of(vendor_of(facts), version_of(facts), target)


def build_of(
    facts: BuildFacts, home: Path, source: str, sha256: str, entry: BuildEntry | None = None
) -> Build:
    """The JDK at `home` as a build, of an entry or of none. Raises SourceError."""
    jdk_version, vendor = version_of(facts), vendor_of(facts)
    target = entry.target if entry else ""
    name = id_of(vendor, jdk_version, target)
    return Build(
        id=name,
        entry_id=entry.id if entry else name,
        version=jdk_version,
        vendor=vendor,
        train=jdk_version.train,
        source=source,
        sha256=sha256,
        artifacts=(),
        home=home,
        facts=facts,
        target=target,
    )


def check_identity(entry: BuildEntry, facts: BuildFacts) -> None:
    """Refuse a JDK that is not the version and vendor that its entry says. Raises SourceError."""
    actual, expected = version_of(facts), entry.version
    same = actual.train == expected.train if entry.moves else actual.fits(expected)
    if not same or vendor_of(facts) != entry.vendor:
        raise SourceError(
            f"refused: it is {build_id(facts)} ({facts.vendor}, {facts.version}), not {entry.id}"
        )


def check_runs_here(platform: Platform, facts: BuildFacts, target: str = "") -> None:
    """Refuse a JDK for another processor or C library, and a debug build: an entry means neither,
    unless its `target` is that C library, or that processor and there is an emulator.

    Raises SourceError.
    """
    if is_emulated(target, platform):
        check_emulator()
        platform = replace(platform, arch=target)
    if not platform.runs(facts.arch):
        raise SourceError(f"refused: it is for {facts.arch}, not {platform.arch}")
    is_musl = facts.c_library == "musl"
    if is_musl != (target == "musl") and not platform.has_musl:
        raise SourceError(
            f"refused: it is built for {'musl' if is_musl else 'glibc'}; "
            f"accepted in jdks.yaml: an id {'with' if is_musl else 'without'} -musl at its end"
        )
    if facts.debug_level != "release":
        raise SourceError(f"refused: it is a {facts.debug_level} build, not a release build")


def check_kind(config: AnySource, facts: BuildFacts) -> None:
    """Refuse a JDK of another kind than its source was asked for. Raises SourceError.

    The kind is whether it has javac, and its virtual machine.
    """
    if not isinstance(config, AdoptiumSource):
        return
    if facts.has_javac != (config.image == "jdk"):
        has = "has" if facts.has_javac else "has no"
        raise SourceError(f"refused: it {has} javac, but a {config.image} was asked for")
    if (config.jvm == "openj9") != ("OpenJ9" in facts.vm_name):
        raise SourceError(f"refused: its VM is {facts.vm_name}, not {config.jvm}")
