# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which JDK compiles for a build? One of its train: a runtime image has no javac of its own."""

from dataclasses import replace

from jdkmatrix.config.jdks import BuildEntry, DebianSource, JdksFile
from jdkmatrix.errors import MachineError
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.fetch import Supplier


def compiler_for(build: Build, supplier: Supplier, jdks: JdksFile) -> Build:
    """A JDK of the build's train that has a compiler. Raises MachineError."""
    if build.facts.has_javac:
        return build
    reasons = []
    for entry in jdks.builds:
        if entry.version.train == build.train and _has_javac(entry):
            (found,) = supplier.supply([entry])
            if isinstance(found, Build):
                return found
            reasons.append(str(found))
    why = "; ".join(reasons) or "jdks.yaml needs a full JDK of it"
    raise MachineError(f"no javac of train {build.train}: {why}")


def with_compiler(build: Build, supplier: Supplier, jdks: JdksFile) -> Build | Unavailable:
    """The build, a runtime image with the JDK that compiles for it, or why there is none."""
    if build.facts.has_javac:
        return build
    try:
        return replace(build, compiler=compiler_for(build, supplier, jdks).home)
    except MachineError as error:
        return Unavailable(build.entry_id, (("compiler", str(error)),))


def _has_javac(entry: BuildEntry) -> bool:
    return any(
        isinstance(source, DebianSource) and any("-jdk-" in name for name in source.packages)
        for source in entry.sources
    )
