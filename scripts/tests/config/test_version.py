# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The version model: one test a scheme, the order across schemes, and `contains`."""

import itertools

import pytest

from jdkmatrix.config.version import parse


def test_8u_tags() -> None:
    assert parse("8u412-b08").numbers == (8, 0, 412)
    assert parse("8u412-b08").build == 8
    assert parse("jdk8u412-b08") == parse("8u412-b08")
    assert parse("8u504-ga").build is None
    assert parse("8u512-ea-b03").pre == "ea"


def test_legacy_property() -> None:
    assert parse("1.8.0_504").numbers == (8, 0, 504)
    assert parse("1.8.0_412-b08") == parse("8u412-b08")
    assert parse("1.8.0_512-ea-b03") == parse("8u512-ea-b03")


def test_debian_8_counts_its_own_builds_after_ga() -> None:
    assert parse("1.8.0_504-8u504-ga-1-b01") == parse("8u504-ga")


def test_jep_322() -> None:
    assert parse("11.0.13+8").build == 8
    assert parse("11.0.9.1+1").numbers == (11, 0, 9, 1)
    assert parse("17.0.21.0.3+1").numbers == (17, 0, 21, 0, 3)
    assert parse("25.0.2+10-LTS") == parse("25.0.2+10")
    assert parse("jdk-17.0.3+7") == parse("17.0.3+7")
    assert parse("21.0.0+35") == parse("21+35")


def test_early_access() -> None:
    assert (parse("11.0.33-ea").pre, parse("11.0.33-ea").build) == ("ea", None)
    assert (parse("21-ea+35").pre, parse("21-ea+35").build) == ("ea", 35)
    assert parse("11.0.33-ea+8-post-Debian-1") == parse("11.0.33-ea+8")


def test_vendor_suffixes() -> None:
    assert parse("17.0.21+9-1-deb12u1-Debian") == parse("17.0.21+9")
    assert parse("11.0.24+8-post-Debian-2deb11u1") == parse("11.0.24+8")


OLDEST_TO_NEWEST = """
    8u412-b01 1.8.0_412-b08 8u412-ga 8u422-ea-b01 8u422-b02 1.8.0_504 11-ea+28 11+28
    11.0.9+11 11.0.9.1+1 11.0.13+8 11.0.20.1+1 11.0.21+1 11.0.33-ea 11.0.33-ea+8 11.0.33+1
    17.0.3+7 17.0.7+1 17.0.21+9 17.0.21.0.3+1 20+18 21-ea+35 21+35 25.0.2+10-LTS 26.0.2.1+1
""".split()


def test_order_across_all_schemes() -> None:
    for older, newer in itertools.combinations(OLDEST_TO_NEWEST, 2):
        assert parse(older) < parse(newer), (older, newer)


@pytest.mark.parametrize(
    ("build", "tag", "is_contained"),
    [
        ("8u412-b08", "8u422-b02", False),
        ("8u422-b01", "8u422-b02", False),
        ("8u422-b02", "8u422-b02", True),
        ("1.8.0_422", "8u422-b02", True),
        ("8u422-ea", "8u422-b02", None),
        ("8u504-ga", "8u422-b02", True),
        ("11.0.20.1+1", "11.0.21+1", False),
        ("11.0.21-ea+1", "11.0.21+1", True),
        ("11.0.21-ea", "11.0.21+1", True),
        ("17.0.6+10", "17.0.7+1", False),
        ("17.0.21.0.3+1", "17.0.7+1", True),
        ("20-ea+17", "20+18", False),
        ("20-ea+18", "20+18", True),
        ("17.0.13-internal+0-adhoc.user.jdk17u", "17.0.13+2", None),
        ("17.0.13-internal+0-adhoc.user.jdk17u", "17.0.13+1", True),
        ("17.0.13-internal+0-adhoc.user.jdk17u", "17.0.12+2", True),
        ("1.8.0_422-internal-user_2024-b00", "8u422-b02", None),
    ],
)
def test_contains(build: str, tag: str, is_contained: bool | None) -> None:
    assert parse(build).contains(parse(tag)) is is_contained


@pytest.mark.parametrize("text", ["", "eleven", "1.7.0_80", "8u", "17..3", "17.0.3+", "-17", "0.3"])
def test_bad_versions_name_what_is_accepted(text: str) -> None:
    with pytest.raises(ValueError, match="accepted: 8u412-b08"):
        parse(text)


@pytest.mark.parametrize("part", ["../../x", "a b", "a;id", "$(id)", "a/b"])
def test_a_vendors_part_that_is_no_name(part: str) -> None:
    """A JDK says it of itself, and a build's id names folders."""
    with pytest.raises(ValueError, match="not a JDK version"):
        parse(f"1.8.0_372-{part}-b07")
