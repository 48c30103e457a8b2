# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a run store of a build, and is that still the same build?"""

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from jdkmatrix.errors import UsageError
from jdkmatrix.records.record import BuildRecord, OverlayRecord
from jdkmatrix.supply.build import Build, SourceError
from jdkmatrix.supply.jdk_facts import listed_date
from jdkmatrix.supply.sources.local import KIND as LOCAL_KIND
from jdkmatrix.supply.sources.local import local_build


def build_record(build: Build) -> BuildRecord:
    """What a run stores of a build. What was cached by an earlier kit lacks the date: it is read
    from the JDK's own `release` file.
    """
    facts = asdict(build.facts)
    facts["release_date"] = facts["release_date"] or listed_date(build.home)
    return BuildRecord(
        id=build.id,
        entry=build.entry_id,
        version=str(build.version),
        vendor=build.vendor,
        train=build.train,
        source=build.source,
        sha256=build.sha256,
        home=str(build.home),
        compile_options=build.compile_options,
        facts={name: str(v) if isinstance(v, Path) else v for name, v in facts.items()},
        overlay=OverlayRecord(**asdict(build.overlay)) if build.overlay else None,
        altered=build.altered,
        configuration=build.configuration,
    )


def describe_replacement(build: Build) -> str | None:
    """How a JDK of the user's own has changed since it was inspected; None if it has not.

    Cached builds are checked before each run, and nobody writes to them.
    """
    if build.source != LOCAL_KIND:
        return None
    try:
        current = local_build(build.home)
    except (SourceError, OSError) as error:
        return f"It was replaced during the run and is no longer a usable JDK: {error}."
    if (current.facts, current.sha256) == (build.facts, build.sha256):
        return None
    old_facts = f"{build.facts.version}, SHA-256 {build.sha256[:12]}"
    return (
        f"It was replaced during the run: it was {old_facts}, and is {current.facts.version},"
        f" SHA-256 {current.sha256[:12]}. Its cells may have run on either."
    )


def check_unchanged(run: Path, records: Iterable[BuildRecord], present: Iterable[Build]) -> None:
    """Raises UsageError for a run one of whose builds has changed under the same id, or whose JDK
    of the user's own now says that it is another.
    """
    current = {build.id: build for build in present}
    homes = {str(build.home): build for build in current.values() if build.source == LOCAL_KIND}
    for record in records:
        build = current.get(record.id)
        if build is None and record.source == LOCAL_KIND:
            build = homes.get(record.home)
        # None: unavailable now, or what a moving entry was.
        if build and _identity(build) != _identity(record):
            raise UsageError(
                f"{run}: {record.id} has changed since the run began ({_change(record, build)}); "
                "accepted: the JDK as it was then, or a new run"
            )


def _change(record: BuildRecord, build: Build) -> str:
    """What has changed: the overlay, as it was asked for, or the home of the JDK."""
    if record.overlay and build.sha256 == record.sha256:
        return record.overlay.option
    return record.home


def _identity(build: Build | BuildRecord) -> tuple[str, str | None, str | None]:
    """Its id, its bytes, and those of the overlay."""
    return build.id, build.sha256, build.overlay.sha256 if build.overlay else None
