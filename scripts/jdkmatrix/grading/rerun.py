# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which command measures one build of a comparison again?"""

import shlex
from collections.abc import Mapping
from typing import TypeGuard

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
    """The command line for the build or copy of that name."""
    build, base = builds.get(name), builds.get(comparison.baseline)
    baseline = _make_argument(comparison.baseline, base)
    baseline_option = _make_option(comparison.baseline, base)
    if is_copy(name):
        copies = sum(map(is_copy, comparison.builds))
        selection = f"{baseline_option} --baseline {baseline} --copies {copies}"
    elif build and build.overlay:
        selection = build.options
    else:
        selection = f"{baseline_option} {_make_option(name, build)} --baseline {baseline}"
    effect = plan.minimum_effect
    limit = "" if effect == MINIMUM_EFFECT else f" --minimum-effect {effect:g}"
    return (
        f"scripts/matrix throughput --scenario {comparison.scenario_name} "
        f"--client {comparison.client} {selection} --blocks {plan.blocks} "
        f"--seed {plan.seed}{limit}"
    )


def _is_local(build: BuildRecord | None) -> TypeGuard[BuildRecord]:
    return build is not None and build.source == "local"


def _make_option(build_id: str, build: BuildRecord | None) -> str:
    return f"{'--jdk' if _is_local(build) else '--build'} {_make_argument(build_id, build)}"


def _make_argument(build_id: str, build: BuildRecord | None) -> str:
    """How a command line names it: by its id in `jdks.yaml`, or its folder."""
    return shlex.quote(build.home) if _is_local(build) else build_id.partition("@")[0]
