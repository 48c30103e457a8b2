# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which command measures one build of a comparison again, or validates a build anew?"""

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
    """The command line for the build or copy of that name.

    Two builds of which one is a JDK of the user's own can only be validated.
    """
    build, base = builds.get(name), builds.get(comparison.baseline)
    baseline = _named(comparison.baseline, base)
    if is_copy(name):
        copies = sum(map(is_copy, comparison.builds))
        alone = base.options if _is_local(base) else f"--build {baseline} --baseline {baseline}"
        which = f"{alone} --copies {copies}"
    elif build and build.overlay:
        which = build.options
    elif _is_local(build) or _is_local(base):
        return f"scripts/matrix validate {_named(name, build)} --baseline {baseline}"
    else:
        which = f"--build {baseline} --build {_named(name, build)} --baseline {baseline}"
    effect = plan.minimum_effect
    least = "" if effect == MINIMUM_EFFECT else f" --minimum-effect {effect:g}"
    return (
        f"scripts/matrix throughput --scenario {comparison.scenario_name} "
        f"--client {comparison.client} {which} --blocks {plan.blocks} --seed {plan.seed}{least}"
    )


def _is_local(build: BuildRecord | None) -> TypeGuard[BuildRecord]:
    return build is not None and build.source == "local"


def _named(build_id: str, build: BuildRecord | None) -> str:
    """How a command line names it: by its id in `jdks.yaml`, or its folder."""
    return shlex.quote(build.home) if _is_local(build) else build_id.partition("@")[0]
