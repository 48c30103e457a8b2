# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a run store of a build that it was given, and is that still the same build?"""

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from jdkmatrix.errors import UsageError
from jdkmatrix.run.record import BuildRecord, OverlayRecord
from jdkmatrix.supply.build import Build


def build_record(build: Build) -> BuildRecord:
    """What a run stores of a build."""
    return BuildRecord(
        id=build.id,
        entry=build.entry_id,
        version=str(build.version),
        vendor=build.vendor,
        train=build.train,
        source=build.source,
        sha256=build.sha256,
        home=str(build.home),
        facts={
            name: str(v) if isinstance(v, Path) else v for name, v in asdict(build.facts).items()
        },
        overlay=OverlayRecord(**asdict(build.overlay)) if build.overlay else None,
    )


def check_unchanged(run: Path, stored: Iterable[BuildRecord], present: Iterable[Build]) -> None:
    """Refuse to go on with a run one of whose builds is another by now, under the same id.

    Raises UsageError.
    """
    now: dict[str, list[tuple[str, str | None]]] = {}
    for build in present:
        overlay = build.overlay.sha256 if build.overlay else None
        now.setdefault(build.id, []).append((build.sha256, overlay))
    for record in stored:
        known = now.get(record.id.partition("@")[0], [])  # a second one of an id has @2 and so on
        overlay = record.overlay.sha256 if record.overlay else None
        if known and (record.sha256, overlay) not in known:
            changed = record.overlay is not None and any(sha == record.sha256 for sha, _ in known)
            what = record.overlay.option if changed and record.overlay else record.home
            raise UsageError(
                f"{run}: {record.id} has changed since the run began ({what}); "
                "accepted: what it was then, or a new run"
            )
