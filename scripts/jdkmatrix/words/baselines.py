# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Why was a validation's baseline chosen, and what can it not show?"""

from collections.abc import Sequence
from typing import NamedTuple

from jdkmatrix.texts import count_of


class ComparedBuild(NamedTuple):
    """A build that the judged one is, or might have been, compared with, and what differs by what
    the kit knows: up to so many fixes of the ledger, and changes of `test/changes.yaml`.
    """

    id: str
    release_date: str | None
    fix_count: int
    change_count: int


def baseline_sentences(
    baseline: ComparedBuild,
    twins: Sequence[ComparedBuild],
    *,
    is_named: bool,
    is_twin: bool,
    is_of_vendor: bool,
) -> str:
    """Why this baseline, and what it cannot show. `twins` were passed over for it; `is_twin` says
    that it is itself of the candidate's update.
    """
    if is_named:
        choice = "was named"
    elif is_twin:
        choice = "is the newest older release, as none of an earlier update is known"
    else:
        vendor = "the same vendor" if is_of_vendor else "another vendor, as this one has none"
        choice = f"is the newest release of an earlier update, of {vendor}"
    sentences = [f"{_name(baseline)} {choice}; between the two lie {_distance(baseline)}."]
    if is_twin:
        sentences.append("Being of the same update, it hides what came with that update.")
    sentences.append("What both do wrong does not show.")
    if twins:
        names = "; ".join(f"{_name(twin)}, {_distance(twin)} between" for twin in twins)
        sentences.append(f"Passed over, as of the same update: {names}.")
    return " ".join(sentences)


def _name(build: ComparedBuild) -> str:
    return f"{build.id} of {build.release_date}" if build.release_date else build.id


def _distance(build: ComparedBuild) -> str:
    fixes = count_of(build.fix_count, "fixed bug")
    return f"{fixes} and {count_of(build.change_count, 'known change')}"
