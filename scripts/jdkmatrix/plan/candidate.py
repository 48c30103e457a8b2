# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which build does a validation judge, and against which release?"""

from collections.abc import Iterator
from pathlib import Path

from jdkmatrix.config.accepted_changes import (
    AcceptedChange,
    check_accepted,
    gold_globs,
    load_accepted_changes,
)
from jdkmatrix.config.jdks import BuildEntry
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import NothingRanError, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.selection import path_of
from jdkmatrix.records.request import Request
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.cache.jdks_lock import LockFile
from jdkmatrix.supply.catalog import Catalog
from jdkmatrix.supply.supplier import Supplier

# Every reproducer, which peers the build still talks to, and what it does.
_TESTS = (":full", ":interop_quick", ":behave_gold")
_OR_FOLDER = ", or the folder of a JDK"


def candidate_of(catalog: Catalog, text: str) -> Request:
    """The request to test what `JDK-OR-PATH` means: an entry, or a folder. Raises UsageError."""
    if path := path_of(text, "JDK-OR-PATH"):
        return Request(jdks=(str(path),), tests=_TESTS)
    entry = catalog.entry(text, "JDK-OR-PATH", _OR_FOLDER)
    return Request(builds=(entry.id,), tests=_TESTS)


def accepted_for(checkout: Checkout, file: Path, request: Request) -> tuple[AcceptedChange, ...]:
    """The changes of behaviour that this file accepts for the candidate. Raises UsageError for an
    invalid file, one of another build, and rows that there are not.

    A folder is no build yet: its changes name it as the command does.
    """
    changes = load_accepted_changes(file)
    entries = request.builds
    last_builds = LockFile(checkout.lock).last_builds()
    names = [*request.jdks, *entries, *(last_builds[e].id for e in entries if e in last_builds)]
    check_accepted(file, changes, names, gold_globs(checkout.behaviour.parent))
    return changes


def with_baseline(request: Request, catalog: Catalog, supplier: Supplier) -> Request:
    """A validation's request with its baseline: the one that it names, or the first one of
    `older_releases` that can be had. None if jdks.yaml knows no such release.

    Raises UsageError for a baseline that does not exist, is the candidate itself, is of another
    train or newer; NothingRanError if the candidate or every possible baseline is unavailable.
    """
    assert request.speed
    baseline_name = request.speed.baseline
    place = _place(baseline_name, request, catalog) if baseline_name else None
    new = _candidate(request, catalog, supplier)  # from here on builds are fetched
    update: dict[str, object]
    if baseline_name and place:
        baseline = _check_baseline(baseline_name, place, new, supplier)
        update = {"baseline": baseline, "is_baseline_named": True}
    else:
        older = list(older_releases(catalog, new))
        entry = _first_to_be_had(older, new, supplier)
        update = {"baseline": entry.id if entry else None}
        if entry and not _is_twin(catalog.last_build(entry).version, new):
            builds = list(map(catalog.last_build, older))
            update["twins"] = tuple(build.id for build in builds if _is_twin(build.version, new))
    if update["baseline"]:
        update["counterpart"] = next(
            (
                entry.id
                for entry in counterparts(catalog, new)
                if entry.id != update["baseline"] and _is_to_be_had(entry, supplier)
            ),
            None,
        )
    speed = request.speed.model_copy(update=update)
    return request.model_copy(update={"speed": speed})


def older_releases(catalog: Catalog, new: Build) -> Iterator[BuildEntry]:
    """The entries of the same train with an older release, without early access: those of an
    earlier update first, of these those of the same vendor, and of these the newest. None has
    another target than that build.

    Builds of one update have nearly the same fixes: classes of TLS and HTTP in 17.0.21.0.3 and
    17.0.21.1 differ by one fix, those in 21.0.13 and 21.0.13.0.3 not at all. Such a twin hides what
    came with the update.
    """
    fit = [
        (not _is_twin(version, new), entry.vendor == new.vendor, version, entry)
        for version, entry in _releases(catalog, new)
        if _is_before(version, new)
    ]
    for *_, entry in sorted(fit, key=lambda row: row[:3], reverse=True):
        yield entry


def _releases(catalog: Catalog, new: Build) -> Iterator[tuple[JdkVersion, BuildEntry]]:
    """The entries that may run where that build does, each with its version, as far as known."""
    for entry in catalog.jdks.builds:
        if catalog.knows_build(entry) and entry.target in ("", new.target):
            yield catalog.last_build(entry).version, entry


def _is_twin(version: JdkVersion, new: Build) -> bool:
    """Whether both are of one update: 17.0.21.0.3 and 17.0.21.1."""
    return version.update == new.version.update


def counterparts(catalog: Catalog, new: Build) -> Iterator[BuildEntry]:
    """The entries of other vendors with the same version, the newest build first."""
    fit = [
        (version, entry)
        for version, entry in _releases(catalog, new)
        if entry.vendor != new.vendor and version.release == new.version.release and not version.pre
    ]
    for _, entry in sorted(fit, key=lambda row: row[0], reverse=True):
        yield entry


def _is_to_be_had(entry: BuildEntry, supplier: Supplier) -> bool:
    return all(isinstance(outcome, Build) for outcome in supplier.supply([entry]))


def _is_before(version: JdkVersion, new: Build) -> bool:
    return version.train == new.version.train and version < new.version and not version.pre


def _place(name: str, request: Request, catalog: Catalog) -> Path | BuildEntry:
    """Where the baseline is that the user named."""
    if path := path_of(name, "--baseline"):
        return path
    entry = catalog.entry(name, "--baseline", _OR_FOLDER)
    if entry.id in request.builds:
        raise _same_build(name)
    return entry


def _same_build(name: str) -> UsageError:
    return UsageError(f"--baseline {name}: is the build under test; accepted: another build")


def _check_baseline(name: str, place: Path | BuildEntry, new: Build, supplier: Supplier) -> str:
    """The baseline's id or path, once it is known to be an older build of the same train."""
    if isinstance(place, Path):
        old = supplier.local(place, "--baseline")
    else:
        (outcome,) = supplier.supply([place])
        if not isinstance(outcome, Build):
            raise NothingRanError(f"nothing to compare {new.id} with: {outcome}")
        old = outcome
    if old.home == new.home:
        raise _same_build(name)
    if old.version.train != new.version.train:
        raise UsageError(
            f"--baseline {name}: of train {old.version.train}; "
            f"accepted: a release of train {new.version.train} before {new.version}"
        )
    if old.version > new.version:
        raise UsageError(
            f"--baseline {name}: {old.version} is newer than {new.version}; "
            "accepted: an older release"
        )
    return str(place) if isinstance(place, Path) else place.id


def _candidate(request: Request, catalog: Catalog, supplier: Supplier) -> Build:
    for path in request.jdks:
        return supplier.local(Path(path), "JDK-OR-PATH")
    (outcome,) = supplier.supply([catalog.jdks.entry(request.builds[0])])
    if isinstance(outcome, Build):
        return outcome
    raise NothingRanError(str(outcome))


def _first_to_be_had(
    entries: list[BuildEntry], new: Build, supplier: Supplier
) -> BuildEntry | None:
    reasons = []
    for entry in entries:
        (outcome,) = supplier.supply([entry])
        if not isinstance(outcome, Build):
            reasons.append(str(outcome))
        elif _is_before(outcome.version, new):  # one that moves may be a newer build by now
            return entry
    if reasons:
        raise NothingRanError(f"nothing to compare {new.id} with: {'; '.join(reasons)}")
    return None
