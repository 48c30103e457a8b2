# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Versions as people write and paste them."""

import pytest

from jdkmatrix.config.version import parse, read

TEMURIN = """openjdk version "17.0.5" 2022-10-18
OpenJDK Runtime Environment Temurin-17.0.5+8 (build 17.0.5+8)
OpenJDK 64-Bit Server VM Temurin-17.0.5+8 (build 17.0.5+8, mixed mode, sharing)
"""
DEBIAN_8 = """openjdk version "1.8.0_372"
OpenJDK Runtime Environment (build 1.8.0_372-8u372-ga-1~deb11u1-b07)
OpenJDK 64-Bit Server VM (build 25.372-b07, mixed mode)
"""
CORRETTO_8 = """openjdk version "1.8.0_352"
OpenJDK Runtime Environment Corretto-8.352.08.1 (build 1.8.0_352-b08)
"""
SEMERU = """openjdk version "17.0.5" 2022-10-18
IBM Semeru Runtime Open Edition 17.0.5.0 (build 17.0.5+8)
Eclipse OpenJ9 VM 17.0.5.0 (build openj9-0.35.0, JRE 17 Linux amd64-64-Bit)
"""
IBM_8 = """java version "1.8.0_351"
Java(TM) SE Runtime Environment (build 8.0.7.20 - pxa6480sr7fp20-20221020_01(SR7 FP20))
"""
GRAALVM = """openjdk version "17.0.5" 2022-10-18
OpenJDK Runtime Environment GraalVM CE 22.3.0 (build 17.0.5+8-jvmci-22.3-b08)
"""
EARLY = """openjdk version "11.0.31-ea" 2026-04-21
OpenJDK Runtime Environment (build 11.0.31-ea+8-post-Debian-1)
"""


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("8u372", "8u372-ga"),
        ("1.8.0_372", "8u372-ga"),
        ("8.0.372+7", "8u372-b07"),
        ("17.0.5", "17.0.5"),
        ("jdk-17.0.5+8", "17.0.5+8"),
        ("JDK 17.0.5", "17.0.5"),
        ("Java 8u372", "8u372-ga"),
        ("Temurin-17.0.5+8", "17.0.5+8"),
        ("17.0.5 LTS", "17.0.5"),
        ("17.0.5-LTS", "17.0.5"),
        ("jdk-17.0.5+8_openj9-0.35.0", "17.0.5+8"),
        ("11.0.19+7", "11.0.19+7"),
        ("17.0.21.0.3", "17.0.21.0.3"),
        ('openjdk version "17.0.5" 2022-10-18', "17.0.5"),
        ("openjdk 17.0.5 2022-10-18", "17.0.5"),
        ("    java.runtime.version = 17.0.5+8", "17.0.5+8"),
        ("8", "8u0"),
        ("1.8", "8u0"),
        ("21", "21"),
        (TEMURIN, "17.0.5+8"),
        (DEBIAN_8, "8u372-ga"),
        (CORRETTO_8, "8u352-b08"),
        (SEMERU, "17.0.5+8"),
        (IBM_8, "8u351-ga"),
        (GRAALVM, "17.0.5+8"),
        (EARLY, "11.0.31-ea+8"),
    ],
)
def test_as_people_write_it(text: str, version: str) -> None:
    assert read(text) == parse(version)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("17.0.5.8.1", "Corretto's number of 17.0.5\\+8: give that"),
        ("8.352.08.1", "Corretto's number of 8u352-b08: give that"),
        ("0.38.0", "the number of a JVM, OpenJ9: give what its java -version prints"),
        ("openj9-0.38.0", "the number of a JVM, OpenJ9"),
        ("17.38.21", "no OpenJDK's, whose second number is 0 .GraalVM and Zulu"),
        ("22.3.0", "no OpenJDK's, whose second number is 0"),
        ("8.0.7.20", "IBM's number of an SDK 8"),
        ("1.7.0_80", "older than 8"),
        ("7u80", "older than 8"),
        ("temurin", "not a JDK version"),
        ("", "not a JDK version"),
        ("9" * 5000, "not a JDK version"),
    ],
)
def test_other_schemes_are_named(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read(text)


@pytest.mark.parametrize(
    ("text", "release"), [("17.0.7+1", "17.0.7"), ("8u422-b02", "8u422"), ("20+18", "20")]
)
def test_the_release_of_a_build(text: str, release: str) -> None:
    assert parse(text).release == release
