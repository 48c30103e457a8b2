# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did updates change in what a JDK does, in several release lines at once?"""

from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.grading.compared_behaviour import observations_of, rows_of_build
from jdkmatrix.results.document import Results
from jdkmatrix.verdict.release_lines import LineBuild, compare_updates, find_common_changes
from jdkmatrix.words.behaviour import NONE_COMMON, common_change_lines


def lines_across(results: Results, rulebook: Rulebook) -> list[str]:
    """What came to several release lines at once, by the rows of one run."""
    builds = []
    for build in results.builds:
        rows = sorted(observations_of(results, build.id), key=lambda row: row.row)
        if rows:
            builds.append(LineBuild(build.id, build.vendor_version, rows_of_build(rows)))
    updates = compare_updates(builds, rulebook.behaviour, rulebook.known_changes)
    common_changes = find_common_changes(updates, rulebook.behaviour)
    return list(common_change_lines(common_changes)) or [NONE_COMMON]
