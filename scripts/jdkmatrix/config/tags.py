# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which build of each train is the first with a change? The tags of the ledger.

A tag is the first build tag that contains the change, as `git tag --contains` gives it. Where
only builds were measured, or only the release is known, a range (`8u492-b06..8u504-ga`,
`19+0..19+36`) means: not in the first, in the second.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema

from jdkmatrix.config import version
from jdkmatrix.config.version import JdkVersion

_RANGE = ".."


@dataclass(frozen=True)
class FirstTag:
    """A change is in `present_in` and later, and not in `absent_in` and earlier.

    Without `absent_in`, `present_in` is the very first build with the change.
    """

    present_in: JdkVersion
    absent_in: JdkVersion | None = None

    def is_in(self, build: JdkVersion) -> bool | None:
        """Whether a build of the same train has the change; None if nobody can tell."""
        if self.absent_in is None:
            return build.contains(self.present_in)
        if _is_no_later(build, self.absent_in):
            return False
        if self.present_in.build is None and build.numbers == self.present_in.numbers:
            # The release has it, but nobody knows from which of its builds on.
            return True if build.build is None and build.pre is None else None
        return build.contains(self.present_in) or None

    def __str__(self) -> str:
        if self.absent_in is None:
            return str(self.present_in)
        return f"{self.absent_in}{_RANGE}{self.present_in}"


def _is_no_later(build: JdkVersion, last: JdkVersion) -> bool:
    """Whether a build is surely `last` or earlier. As in `contains`, 19-ea+2 has 19+2's source.

    The release 8u412 is no earlier than any of its builds.
    """
    if build.numbers != last.numbers:
        return build.numbers < last.numbers
    if last.build is None:
        return last.pre is None or build == last
    return build.build is not None and build.build <= last.build


def has_change(build: JdkVersion, tags: Mapping[int, FirstTag]) -> bool | None:
    """Whether the build contains a change that reached each train with the given build tag.

    A change lands in mainline first, so its newest train's tag counts for every later train; an
    older train without a tag of its own never got it. None if the version cannot tell.
    """
    tag = tags.get(build.train)
    if tag is not None:
        return tag.is_in(build)
    return build.train > max(tags, default=build.train)


def _parse(text: object) -> FirstTag:
    absent, separator, present = str(text).partition(_RANGE)
    if not separator:
        return FirstTag(version.parse(absent))
    tag = FirstTag(version.parse(present), version.parse(absent))
    if tag.absent_in is None or tag.absent_in >= tag.present_in:
        raise ValueError(f"{text}: its second build must be newer than its first")
    return tag


def _match_their_trains(tags: dict[int, FirstTag]) -> dict[int, FirstTag]:
    for train, tag in tags.items():
        for build in (tag.present_in, tag.absent_in):
            if build is not None and build.train != train:
                raise ValueError(f"tag {build} does not belong to train {train}")
    return tags


Tag = Annotated[
    FirstTag,
    BeforeValidator(_parse),
    WithJsonSchema(
        {
            "anyOf": [{"type": "string"}, {"type": "integer"}],
            "description": f"A build tag ({version.ACCEPTED}), or A..B: not in A, but in B.",
        }
    ),
]
TagsByTrain = Annotated[dict[int, Tag], AfterValidator(_match_their_trains)]
