# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which command measures one build of a comparison again?"""

from collections.abc import Mapping

from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.texts import command_line
from jdkmatrix.verdict.ratio import MINIMUM_EFFECT


def rerun_command(
    comparison: ComparisonRecord,
    name: str,
    plan: ThroughputRecord,
    builds: Mapping[str, BuildRecord],
) -> str:
    """The command line for the build or copy of that name."""
    build, base = builds.get(name), builds.get(comparison.baseline)
    # A run that was interrupted before it looked at its builds has their ids alone.
    baseline = base.spec if base else command_line(comparison.baseline)
    baseline_option = base.option if base else f"--build {baseline}"
    if name in comparison.copies:
        copies = len(comparison.copies)
        selection = f"{baseline_option} --baseline {baseline} --copies {copies}"
    elif build and build.overlay:
        selection = build.options
    else:
        option = build.option if build else command_line("--build", name)
        selection = f"{baseline_option} {option} --baseline {baseline}"
    effect = plan.minimum_effect
    limit = "" if effect == MINIMUM_EFFECT else f" --minimum-effect {effect:g}"
    words = ("--scenario", comparison.scenario_name, "--client", comparison.client)
    rest = f"--blocks {plan.blocks} --seed {plan.seed}{limit}"
    return f"scripts/matrix throughput {command_line(*words)} {selection} {rest}"
