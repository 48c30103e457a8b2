# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do the JDKs of a run say of their TLS defaults? Each is asked once, by running it."""

from collections.abc import Callable, Mapping
from pathlib import Path

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.errors import MachineError
from jdkmatrix.machine.java_program import JavaProgram
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.probe import Probe
from jdkmatrix.supply.runtime_facts import RuntimeFacts
from jdkmatrix.supply.sources.source import SourceError

# The oldest JDK that is asked; newer tool JDKs warn that 8 will go.
_FOR_JAVA_8 = ("--release", "8", "-Xlint:-options")


def probe_of(tool_jdk: Path, sources: Path) -> Probe:
    """What asks JDKs, compiled if need be. Raises MachineError."""
    program = JavaProgram("facts", sources, tool_jdk, cache_root() / "facts", options=_FOR_JAVA_8)
    return Probe(program.compiled(), cache_root() / "facts")


def ask(
    jdks: Mapping[str, Build], tool_jdk: Path, sources: Path, notice: Callable[[str], None]
) -> dict[str, RuntimeFacts]:
    """The answers by the keys of `jdks`; whoever does not answer is noticed and left out."""
    answers: dict[str, RuntimeFacts] = {}
    try:
        probe = probe_of(tool_jdk, sources)
    except MachineError as error:
        notice(f"no TLS defaults of the builds: {error}")
        return answers
    for key, jdk in jdks.items():
        try:
            answers[key] = probe.facts(jdk)
        except (SourceError, OSError) as error:
            notice(f"{key}: its TLS defaults are not known: {error}")
    return answers
