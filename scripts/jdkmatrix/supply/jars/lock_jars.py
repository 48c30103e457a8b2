# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which jars does `jtreg/pom.xml` mean now? Resolves every profile and rewrites `jars.lock`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from jdkmatrix.errors import KitError, MachineError, UsageError
from jdkmatrix.machine.files import sha256_of
from jdkmatrix.machine.trees import scratch_folder
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import Artifact, SourceError
from jdkmatrix.supply.jars.jar_cache import JarsLock, jar_path, write_jars_lock
from jdkmatrix.supply.jars.maven import MavenCommand, MavenWay, first_command, resolve
from jdkmatrix.supply.supplier import Supplier
from jdkmatrix.surroundings import settle_faults

_POM = "{http://maven.apache.org/POM/4.0.0}"


def profiles_of(pom: Path) -> tuple[str, ...]:
    """The ids of the profiles in a pom. Raises UsageError."""
    try:
        tree = ElementTree.parse(pom)
    except OSError as error:
        raise UsageError(f"{pom}: {error.strerror}") from None
    except ElementTree.ParseError as error:
        raise UsageError(f"{pom}: {error}") from None
    profiles = [
        element.text or "" for element in tree.iterfind(f"{_POM}profiles/{_POM}profile/{_POM}id")
    ]
    if not profiles:
        raise UsageError(f"{pom}: no profile; each class path is one")
    return tuple(profiles)


def lock_of(pom: Path, ways: Sequence[MavenWay]) -> JarsLock:
    """Resolve each profile by the first way that works. Raises MachineError, UsageError."""
    profiles = profiles_of(pom)
    with scratch_folder() as folder:
        try:
            maven = first_command(ways, folder)
        except SourceError as error:
            raise MachineError(str(error)) from None
        try:
            return JarsLock(
                class_paths={profile: _jars(maven, pom, profile, folder) for profile in profiles}
            )
        except SourceError as error:
            raise MachineError(f"{pom}: {error}") from None


def _jars(maven: MavenCommand, pom: Path, profile: str, folder: Path) -> tuple[Artifact, ...]:
    repository = folder / "repository"
    jars = []
    for jar_name, version in resolve(maven, pom, profile, repository, lambda: None):
        path = repository / jar_path(Artifact(jar_name, version, 0, ""))
        jars.append(Artifact(jar_name, version, path.stat().st_size, sha256_of(path)))
    return tuple(jars)


def main() -> int:
    """Rewrite `jars.lock` of this checkout; return the exit code."""
    checkout = Checkout.current()
    try:
        supplier = Supplier.of_checkout(checkout, offline=False)
        lock = lock_of(checkout.pom, supplier.maven_ways(checkout))
        is_changed = write_jars_lock(checkout.jars_lock, lock)
    except KitError as error:
        print(f"lock-jars: {error}", file=sys.stderr)
        return error.exit_code
    size_mib = sum(jar.size_bytes for jar in lock.jars) / 2**20
    print(
        f"{checkout.jars_lock}: {len(lock.jars)} jars, {size_mib:.1f} MiB"
        + ("" if is_changed else ", as before")
    )
    return 0


if __name__ == "__main__":
    settle_faults()
    sys.exit(main())
