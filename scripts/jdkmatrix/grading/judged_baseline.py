# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Against what was a build judged, and how far does that lie from it?"""

from collections.abc import Sequence

from jdkmatrix.config import version
from jdkmatrix.config.jdks import EntryId
from jdkmatrix.config.known_changes import VendorVersion
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.config.tags import has_change
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.request import SpeedRequest
from jdkmatrix.words.validation import ComparedBuild, baseline_sentences


def describe_baseline(
    builds: Sequence[BuildRecord],
    candidate_id: str,
    baseline_id: str | None,
    request: SpeedRequest,
    rulebook: Rulebook,
) -> str:
    """Why a validation's baseline was chosen, by version, date and what differs, and what it cannot
    show; '' without a baseline.
    """
    by_id = {build.id: build for build in builds}
    if baseline_id is None or not {candidate_id, baseline_id} <= by_id.keys():
        return ""
    candidate, baseline = by_id[candidate_id], by_id[baseline_id]
    newer, older = candidate.vendor_version, baseline.vendor_version
    twins = []
    for twin_id in request.twins:
        if entry_id := EntryId.read(twin_id):
            twin = VendorVersion(version.parse(entry_id.version), older.vendor)
            twins.append(_measure_distance(twin_id, None, twin, newer, rulebook))
    date = baseline.facts.get("release_date")
    return baseline_sentences(
        _measure_distance(baseline_id, str(date) if date else None, older, newer, rulebook),
        twins,
        is_named=request.is_baseline_named,
        is_twin=older.version.update == newer.version.update,
        is_of_vendor=baseline.vendor == candidate.vendor,
    )


def _measure_distance(
    build_id: str,
    release_date: str | None,
    older: VendorVersion,
    newer: VendorVersion,
    rulebook: Rulebook,
) -> ComparedBuild:
    """What may have changed from the older build to the newer one."""
    fixes = (bug.fixed for bug in rulebook.ledger.bugs)
    is_fixed = [
        (has_change(older.version, tags), has_change(newer.version, tags)) for tags in fixes
    ]
    changes = [change for change in rulebook.known_changes if change.is_between(older, newer)]
    return ComparedBuild(
        build_id,
        release_date,
        fix_count=sum(not in_older and in_newer is not False for in_older, in_newer in is_fixed),
        change_count=len(changes),
    )
