# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is each machine and vendor called what it is, and a JDK of another kind refused?"""

from dataclasses import replace

import pytest

from jdkmatrix.config.jdks import AdoptiumSource, UrlSource
from jdkmatrix.supply.build import BuildFacts, SourceError
from jdkmatrix.supply.identity import check_kind, check_runs_here, vendor_of
from jdkmatrix.supply.platform import Platform, platform_of

LINUX = Platform("linux", "x64")
JDK = BuildFacts(
    "17.0.3+7", "Eclipse Adoptium", "OpenJDK 64-Bit Server VM", "17.0.3+7", "amd64", ".", True, True
)
SOURCE = AdoptiumSource(source="adoptium", release="jdk-17.0.3+7")
JRE = SOURCE.model_copy(update={"image": "jre"})
J9 = SOURCE.model_copy(update={"jvm": "openj9"})
ANY_URL = UrlSource(source="url", url="http://127.0.0.1/x", sha256="0" * 64)


@pytest.mark.parametrize(
    ("system", "machine", "gnu_type", "key"),
    [
        ("linux", "x86_64", "x86_64-pc-linux-gnu", "linux-x64"),
        ("linux", "aarch64", "aarch64-unknown-linux-gnu", "linux-aarch64"),
        ("linux", "x86_64", "x86_64-pc-linux-musl", "alpine-linux-x64"),
        ("linux", "aarch64", "aarch64-alpine-linux-musl", "alpine-linux-aarch64"),
        ("darwin", "arm64", "", "mac-aarch64"),
        ("darwin", "x86_64", "", "mac-x64"),
        ("win32", "AMD64", "", "windows-x64"),
        ("win32", "ARM64", "", "windows-aarch64"),
        ("linux", "riscv64", "riscv64-linux-gnu", "linux-riscv64"),
    ],
)
def test_the_apis_words(system: str, machine: str, gnu_type: str, key: str) -> None:
    assert platform_of(system, machine, gnu_type).lock_key == key


@pytest.mark.parametrize(
    ("vendor", "version", "signs", "word"),
    [
        ("Eclipse Adoptium", "17.0.3+7", "Oracle Corporation", "temurin"),
        ("Oracle Corporation", "1.8.0_332-8u332-ga-1~deb9u1-b09", "", "debian"),
        ("Oracle Corporation", "17.0.19+10-1-deb12u2-Debian", "", "debian"),
        ("Oracle Corporation", "1.8.0_372-8u372-ga~us1-0ubuntu1~22.04-b07", "", "ubuntu"),
        ("Oracle Corporation", "1.8.0_372-b07", "Azul Systems, Inc.; ; jdk8", "zulu"),
        ("Oracle Corporation", "1.8.0_372-b07", "Oracle Corporation; Debian", "debian"),
        ("Oracle Corporation", "1.8.0_372-b07", "; ; temurin-8-jdk-amd64", "temurin"),
        ("Oracle Corporation", "1.8.0_372-b07", "Oracle Corporation; ; jdk8", "oracle"),
        ("A Maker, Ltd.", "17.0.3+7", "Eclipse Adoptium", "a_maker_ltd"),
    ],
)
def test_the_vendor(vendor: str, version: str, signs: str, word: str) -> None:
    """OpenJDK's build says Oracle Corporation where nobody sets a vendor."""
    assert vendor_of(replace(JDK, vendor=vendor, version=version, vendor_signs=signs)) == word


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"arch": "aarch64"}, "it is for aarch64, not x64"),
        ({"debug_level": "fastdebug"}, "it is a fastdebug build, not a release build"),
    ],
)
def test_a_jdk_for_another_machine_or_use_is_refused(change: dict[str, str], reason: str) -> None:
    with pytest.raises(SourceError, match=f"^refused: {reason}$"):
        check_runs_here(LINUX, replace(JDK, **change))  # type: ignore[arg-type]
    check_runs_here(LINUX, JDK)


@pytest.mark.parametrize(
    ("c_library", "target", "refusal"),
    [
        ("gnu", "", None),
        (None, "", None),  # 8 and 11.0.2 do not say it
        ("musl", "musl", None),
        ("musl", "", "it is built for musl; accepted in jdks.yaml: an id with -musl at its end"),
        ("gnu", "musl", "it is built for glibc; accepted in jdks.yaml: an id without -musl at its"),
        (None, "musl", "it is built for glibc; accepted in jdks.yaml: an id without -musl at its"),
    ],
)
def test_a_jdk_for_another_c_library_needs_an_id_that_says_so(
    c_library: str | None, target: str, refusal: str | None
) -> None:
    facts = replace(JDK, c_library=c_library)
    if refusal:
        with pytest.raises(SourceError, match=f"^refused: {refusal}"):
            check_runs_here(LINUX, facts, target)
    else:
        check_runs_here(LINUX, facts, target)


def test_on_a_machine_with_musl_any_id_means_its_jdks() -> None:
    check_runs_here(Platform("alpine-linux", "x64"), replace(JDK, c_library="musl"))


@pytest.mark.parametrize(
    ("source", "change", "reason"),
    [
        (SOURCE, {"has_javac": False}, "it has no javac, but a jdk was asked for"),
        (JRE, {}, "it has javac, but a jre was asked for"),
        (J9, {}, "its VM is OpenJDK 64-Bit Server VM, not openj9"),
        (SOURCE, {"vm_name": "Eclipse OpenJ9 VM"}, "its VM is Eclipse OpenJ9 VM, not hotspot"),
    ],
)
def test_a_jdk_of_another_kind_is_refused(
    source: AdoptiumSource, change: dict[str, str | bool], reason: str
) -> None:
    with pytest.raises(SourceError, match=f"^refused: {reason}$"):
        check_kind(source, replace(JDK, **change))  # type: ignore[arg-type]


def test_what_was_asked_for_passes() -> None:
    check_kind(ANY_URL, replace(JDK, has_javac=False))
    check_kind(SOURCE, JDK)
    check_kind(JRE, replace(JDK, has_javac=False))
    check_kind(J9, replace(JDK, vm_name="Eclipse OpenJ9 VM"))
