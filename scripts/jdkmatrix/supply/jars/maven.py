# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which Maven fetches the jars: the machine's own, or Debian's, unpacked without root?

The machine's `mvn` runs as configured. Debian's reads the user's settings, too. Either uses a
repository of its own, so that nothing is left in the user's.
"""

import os
import re
import shutil
import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from jdkmatrix.errors import MachineError, translate_os_errors
from jdkmatrix.machine.files import text_of
from jdkmatrix.machine.java_program import SHORT_LIVED, JavaTool
from jdkmatrix.machine.processes import FinishedProcess, complaint, run
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.sources.mirror import lack_of_debian

_TIMEOUT_S = 1800.0
_LISTED = re.compile(
    r"^ {3}(?P<group>[^\s:]+):(?P<artifact>[^\s:]+):jar:(?:(?P<classifier>[^\s:]+):)?"
    r"(?P<version>[^\s:]+)(?: |$)",
    re.MULTILINE,
)
# What surrounds a reason: the goal and project are the kit's own, and the link is to a manual.
_CONTEXT = re.compile(
    r"^Failed to execute goal .*: Could not resolve dependencies for project \S+: "
    r"| -> \[Help \d+\]$"
)
_STORE_TIMEOUT_S = 60
BUNDLE_OF_DEBIAN = Path("/etc/ssl/certs/ca-certificates.crt")  # package ca-certificates


@dataclass(frozen=True)
class MavenCommand:
    """A Maven that is ready to run."""

    program: tuple[str, ...]
    environment: Mapping[str, str | None] = field(default_factory=dict)


class MavenWay(Protocol):
    """One way to get a Maven."""

    kind: str
    """Its name in reasons and in what is installed."""

    def command(self, folder: Path) -> MavenCommand:
        """Make it ready to run; `folder` is for its temporary files. Raises SourceError."""


class MachineMaven:
    """The machine's `mvn`, on the JDK that it is configured for."""

    kind = "mvn"

    def command(self, folder: Path) -> MavenCommand:
        """The `mvn` on the PATH. Raises SourceError if there is none."""
        program = shutil.which("mvn")
        if program is None:
            raise SourceError("no mvn on this machine's PATH")
        return MavenCommand((program,))


class DebianMaven:
    """Debian's `maven` package and what it depends on, run by the tool JDK.

    `maven_home` gives the folder with `bin/mvn` and `java_tool` the kit's Java on the tool JDK,
    fetched if need be; both raise SourceError.
    """

    kind = "debian"

    def __init__(self, maven_home: Callable[[], Path], java_tool: Callable[[], JavaTool]) -> None:
        self._maven_home = maven_home
        self._java_tool = java_tool

    def command(self, folder: Path) -> MavenCommand:
        """Fetch it if need be. Raises SourceError."""
        tool = self._java_tool()
        trust: tuple[str, ...] = ()
        options = os.environ.get("MAVEN_OPTS") or " ".join(SHORT_LIVED)
        if "javax.net.ssl.trustStore" not in options:
            trust = trust_options(tool, folder)
        mvn = str(self._maven_home() / "bin" / "mvn")
        return MavenCommand(
            (mvn, *trust), {"JAVA_HOME": str(tool.java_home), "MAVEN_OPTS": options}
        )


def first_command(ways: Sequence[MavenWay], folder: Path) -> MavenCommand:
    """The first of the ways that is to be had, ready to run. Raises SourceError."""
    reasons = []
    for way in ways:
        try:
            return way.command(folder)
        except SourceError as error:
            reasons.append(f"{way.kind}: {error}")
    raise SourceError("; ".join(reasons))


def lack_of_maven() -> str | None:
    """Why this machine can have no jar, whatever its network does; None if it can: it has neither
    `mvn` nor Debian's packages.
    """
    if shutil.which("mvn"):
        return None
    lack = lack_of_debian()
    return lack and f"no mvn on this machine's PATH, and {lack}"


def resolve(
    maven: MavenCommand,
    pom: Path,
    profile: str,
    repository: Path,
    tick: Callable[[], None],
) -> tuple[tuple[str, str], ...]:
    """Fetch all jars of this profile of `pom` into `repository`; return (name, version) of each.

    The goal is dependency:list, which resolves before it lists. Raises SourceError.
    """
    listing = repository.with_name("resolved.txt")
    command = [
        *maven.program,
        "--batch-mode",
        "--no-transfer-progress",
        "--strict-checksums",
        "-Dstyle.color=never",
        f"--file={pom}",
        f"--activate-profiles={profile}",
        f"-Dmaven.repo.local={repository}",
        "dependency:list",
        "-Dmdep.outputScope=false",
        f"-DoutputFile={listing}",
    ]
    with translate_os_errors(SourceError, f"{maven.program[0]} does not start"):
        process = run(command, env=maven.environment, timeout_s=_TIMEOUT_S, while_running=tick)
    if process.code != 0:
        raise SourceError(_reason(process))
    matches = _LISTED.finditer(text_of(listing))
    return tuple(
        (":".join(filter(None, match.group(1, 2, 3))), match["version"]) for match in matches
    )


def _reason(process: FinishedProcess) -> str:
    # The first error is the cause; what follows it is advice.
    lines = (process.errors + "\n" + process.output).splitlines()
    errors = [_CONTEXT.sub("", line[8:]) for line in lines if line.startswith("[ERROR] ")]
    if "PKIX path building failed" in process.output:
        return "the registry's certificate is not one that the machine trusts"
    return complaint(FinishedProcess(process.code, errors[0], "") if errors else process)


def trust_options(tool: JavaTool, folder: Path) -> tuple[str, ...]:
    """System properties for the JDK that `tool` runs on; none if it has a trust store.

    The store is written into `folder`. Raises SourceError.
    """
    security = tool.java_home / "lib" / "security"
    if any((security / name).is_file() for name in ("cacerts", "jssecacerts")):
        return ()
    store = folder / "trust.jks"
    bundle, subject = machine_bundle(), "the machine's certificates"
    try:
        tool.run("trust-store", [str(store)], subject, _STORE_TIMEOUT_S, stdin=bundle)
    except MachineError as error:
        raise SourceError(str(error)) from None
    return (f"-Djavax.net.ssl.trustStore={store}", "-Djavax.net.ssl.trustStoreType=JKS")


def machine_bundle() -> Path:
    """The PEM file of the machine's certificates. Raises SourceError."""
    cafile = ssl.get_default_verify_paths().cafile  # heeds SSL_CERT_FILE
    for path in (Path(cafile) if cafile else None, BUNDLE_OF_DEBIAN):
        if path is not None and path.is_file():
            return path
    raise SourceError(f"no certificates on this machine: {BUNDLE_OF_DEBIAN} (ca-certificates)")
