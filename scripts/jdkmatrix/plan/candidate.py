# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which build is judged by a validation, and against which release?"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from jdkmatrix.config.jdks import BuildEntry, JdksFile
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import NothingRanError, UsageError
from jdkmatrix.plan.selection import entry_named
from jdkmatrix.plan.workloads import version_of
from jdkmatrix.records.record import Request
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.sources.local import expanded
from jdkmatrix.supply.sources.source import SourceError
from jdkmatrix.supply.supplier import Supplier


def candidate_of(jdks: JdksFile, ids: Mapping[str, str], text: str) -> Request:
    """The reproducers of what `JDK-OR-PATH` means: an entry, or a folder. Raises UsageError."""
    try:
        path = expanded(Path(text)).absolute()
    except SourceError as error:
        raise UsageError(f"JDK-OR-PATH {text}: {error}") from None
    if path.is_dir() or "/" in text:
        return Request(jdks=(str(path),))
    entry = entry_named(jdks, ids, text, "JDK-OR-PATH", also=", or the folder of a JDK")
    return Request(builds=(entry.id,))


def with_baseline(
    request: Request, jdks: JdksFile, ids: Mapping[str, str], supplier: Supplier
) -> Request:
    """A validation's request with the release that it compares with: the one that it names, or the
    newest older one of its train that can be had.

    Raises UsageError for a build that there is not, NothingRanError if none can be had.
    """
    assert request.speed
    named = request.speed.baseline
    wanted = [entry_named(jdks, ids, named, "--baseline")] if named else []
    if any(entry.id in request.builds for entry in wanted):
        raise UsageError(f"--baseline {named}: the build itself; accepted: another")
    new = _candidate(request, jdks, supplier)
    old = _first_to_be_had(
        wanted or list(older_releases(jdks, ids, new.version)), new, jdks, supplier
    )
    return request.model_copy(
        update={"speed": request.speed.model_copy(update={"baseline": old.id})}
    )


def older_releases(jdks: JdksFile, ids: Mapping[str, str], new: JdkVersion) -> Iterator[BuildEntry]:
    """The entries of the same train with an older release, newest first; no early access."""
    known = [
        (version_of(ids.get(entry.id, entry.id)), entry)
        for entry in jdks.builds
        if entry.id in ids or not entry.moves
    ]
    fit = [
        (found, entry)
        for found, entry in known
        if found.train == new.train and found < new and not found.pre
    ]
    for _, entry in sorted(fit, key=lambda pair: pair[0], reverse=True):
        yield entry


def _candidate(request: Request, jdks: JdksFile, supplier: Supplier) -> Build:
    for path in request.jdks:
        try:
            return supplier.local(Path(path))
        except UsageError as error:
            raise UsageError(str(error).replace("--jdk", "JDK-OR-PATH", 1)) from None
    (outcome,) = supplier.supply([jdks.entry(request.builds[0])])
    if isinstance(outcome, Build):
        return outcome
    raise NothingRanError(str(outcome))


def _first_to_be_had(
    wanted: list[BuildEntry], new: Build, jdks: JdksFile, supplier: Supplier
) -> BuildEntry:
    reasons = []
    for entry in wanted:
        (outcome,) = supplier.supply([entry])
        if isinstance(outcome, Build):
            return entry
        reasons.append(str(outcome))
    if reasons:
        raise NothingRanError(f"nothing to compare {new.id} with: {'; '.join(reasons)}")
    known = ", ".join(entry.id for entry in jdks.builds)
    raise UsageError(
        f"{new.id}: jdks.yaml has no older release of train {new.train}; "
        f"name one by --baseline; accepted: {known}"
    )
