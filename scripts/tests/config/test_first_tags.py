# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The ledger names the first tag of each change, so that a release has an expectation."""

import pytest

from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.version import parse
from jdkmatrix.plan.expectation import expect
from jdkmatrix.vocabulary import Expectation

# Of mainline's 18 and 19 no history with tags was at hand.
UNTAGGED_TRAINS = {18, 19}
# As old as the package or as 11 itself; which of its early builds had it first matters to nobody.
SINCE_THE_RELEASE = "11+0..11+28"
# Of 17u the tags after 17.0.4 were not at hand: its ranges come from builds that were run, and from
# the releases named in reports. Elsewhere, no tag was at hand (8274736, 8295068, 8326643, 8347506),
# the change that introduced it is not known (8314063; 8306040 on 17), or a vendor's build has the
# change before its tag (8239798). Of 8328286 on 17 and 23 no tag between two releases is public;
# some ids are not public (KIT-1, KIT-4). Of the fixes of 2026 the tags of 21 alone are (8376031,
# 8365086, 8368041).
RANGES = {
    8: {"JDK-8274736", "JDK-8368041"},
    11: {"JDK-8239798", "JDK-8314063", "JDK-8368041"},
    17: {
        "JDK-8179502",
        "JDK-8283544",
        "JDK-8292044",
        "JDK-8294985",
        "JDK-8295068",
        "JDK-8303965",
        "JDK-8304701",
        "JDK-8306040",
        "JDK-8308144",
        "JDK-8309667",
        "JDK-8311644",
        "JDK-8328286",
        "JDK-8335181",
        "JDK-8365086",
        "JDK-8368041",
        "JDK-8376031",
        "KIT-1",
    },
    21: {"JDK-8295068", "KIT-1"},
    22: {"JDK-8326643"},
    23: {"JDK-8328286"},
    24: {"JDK-8347506"},
    25: {"JDK-8365086", "JDK-8368041", "JDK-8376031", "KIT-1", "KIT-4"},
    26: {"JDK-8368041", "JDK-8376031", "KIT-3"},
    27: {"KIT-1", "KIT-4"},
    28: {"KIT-1", "KIT-4"},
}
FIXED_BY_17_0_19 = {"JDK-8294985", "JDK-8309667", "JDK-8311644", "JDK-8365086"}


def ranges(bugs: tuple[Bug, ...]) -> dict[int, set[str]]:
    """Per train, the bugs of which only two builds are given and not the first tag."""
    by_train: dict[int, set[str]] = {}
    for bug in bugs:
        for tags in (bug.introduced or {}, bug.fixed):
            for train, tag in tags.items():
                if tag.absent_in and train not in UNTAGGED_TRAINS and str(tag) != SINCE_THE_RELEASE:
                    by_train.setdefault(train, set()).add(bug.id)
    return by_train


def test_each_range_has_a_reason(ledger: Ledger) -> None:
    assert ranges(ledger.bugs) == RANGES


def test_a_new_range_is_noticed(ledger: Ledger) -> None:
    fields = {"id": "JDK-9999999", "title": "a", "component": "b", "tests": ["c"]}
    new = Bug.model_validate({**fields, "fixed": {21: "21.0.8+9..21.0.13+9", 25: "25+1"}})
    assert "JDK-9999999" in ranges((*ledger.bugs, new))[21]
    assert 25 not in ranges((new,))


@pytest.mark.parametrize(
    ("release", "unknown"),
    [
        ("8u332-b09", set()),
        ("8u372-b07", set()),
        ("8u452-b09", set()),
        ("11.0.12+7", set()),
        ("11.0.14.1+1", set()),
        ("11.0.26+4", set()),
        ("17.0.11+9", set()),
        ("17.0.13+11", set()),
        ("17.0.14+7", set()),
        ("17.0.15+6", set()),
        ("17.0.16+8", FIXED_BY_17_0_19),
        ("17.0.17+10", FIXED_BY_17_0_19),
        ("17.0.18+8", FIXED_BY_17_0_19),
        ("21.0.5+11", set()),
        ("21.0.9+10", set()),
        ("22.0.1+8", set()),
        ("23.0.2+7", set()),
    ],
)
def test_a_release_between_two_of_the_kits_builds(
    ledger: Ledger, release: str, unknown: set[str]
) -> None:
    """Most are in no entry of jdks.yaml; each bug has an expectation there all the same."""
    build = parse(release)
    assert {
        bug.id for bug in ledger.bugs if expect(bug, build, ledger) is Expectation.UNKNOWN
    } == unknown
