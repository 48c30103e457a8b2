# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which builds have a change, by the tags of each train."""

import pytest
from pydantic import TypeAdapter, ValidationError

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.tags import TagsByTrain, has_change
from jdkmatrix.config.version import parse

TAGS = {8: "8u422-b02", 11: "11.0.21+1", 17: "17.0.7+1", 20: "20+18"}
MEASURED = {8: "8u492-b06..8u504-ga", 11: "11.0.15+1"}
WHOLE_RELEASE = {19: 19}
RELEASE_KNOWN = {19: "19+0..19+36"}


def in_build(tags: object, build: str) -> bool | None:
    return has_change(parse(build), TypeAdapter(TagsByTrain).validate_python(tags))


@pytest.mark.parametrize(
    ("tags", "build", "expected"),
    [
        (TAGS, "11.0.20.1+1", False),
        (TAGS, "11.0.21+1", True),
        (TAGS, "16.0.2+7", False),  # no tag, older than mainline's
        (TAGS, "25.0.2+10", True),  # no tag, newer
        (TAGS, "8u422-ea", None),  # does not say its build
        ({}, "25.0.2+10", False),
        ({}, "8u504-ga", False),
        (WHOLE_RELEASE, "18.0.2+9", False),
        (WHOLE_RELEASE, "19+1", True),
        (WHOLE_RELEASE, "19-ea", True),
        (MEASURED, "8u492-b06", False),
        (MEASURED, "8u412-b08", False),
        (MEASURED, "8u492-ga", None),  # newer than b06, older than what was measured
        (MEASURED, "8u502-b03", None),
        (MEASURED, "8u504-ga", True),
        (MEASURED, "1.8.0_504", True),
        (MEASURED, "8u504-b03", None),  # measured was the release, not this one
        (MEASURED, "8u504-ea", None),
        (MEASURED, "8u492-ea-b06", False),
        (MEASURED, "8u492-ea", None),
        (RELEASE_KNOWN, "18.0.2+9", False),
        (RELEASE_KNOWN, "19-ea", None),
        (RELEASE_KNOWN, "19-ea+1", None),
        (RELEASE_KNOWN, "19+2", None),
        (RELEASE_KNOWN, "19+36", True),
        (RELEASE_KNOWN, "19.0.2+7", True),
        (RELEASE_KNOWN, "20-ea+1", True),
        ({8: "8u412-ga..8u422-ga"}, "8u412-b08", False),
        ({8: "8u422-ea..8u422-ga"}, "8u422-ea", False),
        ({8: "8u422-ea..8u422-ga"}, "8u422-b03", None),
        (MEASURED, "8u512-b01", True),
        (MEASURED, "11.0.14+1", False),
        (MEASURED, "17.0.3+7", True),
    ],
)
def test_has_change(tags: object, build: str, expected: bool | None) -> None:
    assert in_build(tags, build) is expected


def test_a_release_known_without_its_build_is_a_range(ledger: Ledger) -> None:
    """Of a change in 18 or 19 no first tag is known: its early builds may lack it."""
    for train, release in ((18, "18+36"), (19, "19+36")):
        for bug in ledger.bugs:
            for tags in (bug.introduced or {}, bug.fixed):
                if train in tags:
                    assert has_change(parse(f"{train}-ea+2"), tags) is None, bug.id
                    assert has_change(parse(release), tags) is True, bug.id


@pytest.mark.parametrize(
    ("tags", "says"),
    [
        ({17: "16+1"}, r"tag 16\+1 does not belong to train 17"),
        ({8: "11+1..8u504-ga"}, "second build must be newer"),
        ({8: "8u504-ga..8u492-b06"}, "second build must be newer"),
        ({11: "8u504-ga..11.0.3+1"}, "tag 8u504-ga does not belong to train 11"),
        ({8: "..8u504-ga"}, "not a JDK version"),
        ({8: "never"}, "accepted: 8u412-b08"),
    ],
)
def test_bad_tags(tags: object, says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        in_build(tags, "8u504-ga")
