# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which command measures one build of a comparison again, or validates a build anew?"""

import shlex
from collections.abc import Mapping

from jdkmatrix.plan.blocks import is_copy
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.verdict.ratio import MINIMUM_EFFECT


def rerun_command(
    comparison: ComparisonRecord,
    name: str,
    plan: ThroughputRecord,
    builds: Mapping[str, BuildRecord],
) -> str:
    """The command line for the build or copy of that name.

    A JDK of the user's own can only be validated.
    """
    baseline = comparison.baseline.partition("@")[0]
    build = builds.get(name)
    if build and build.source == "local":
        return f"scripts/matrix validate {shlex.quote(build.home)} --baseline {baseline}"
    if is_copy(name):
        copies = sum(map(is_copy, comparison.builds))
        which = f"--build {baseline} --baseline {baseline} --copies {copies}"
    elif build and build.overlay:
        which = f"--build {baseline} {build.overlay.option}"
    else:
        which = f"--build {baseline} --build {name} --baseline {baseline}"
    effect = plan.minimum_effect
    least = "" if effect == MINIMUM_EFFECT else f" --minimum-effect {effect:g}"
    return (
        f"scripts/matrix throughput --scenario {comparison.scenario_name} "
        f"--client {comparison.client} {which} --blocks {plan.blocks} --seed {plan.seed}{least}"
    )
