# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a run store of a build that it was given?"""

from dataclasses import asdict
from pathlib import Path

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
