# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A run folder as `matrix run` leaves it, of made cells of JDK-8335135."""

import json
from collections.abc import Mapping
from pathlib import Path

from jdkmatrix.config import version
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.records.record import (
    BuildRecord,
    CellRecord,
    KitRecord,
    MachineRecord,
    PlannedCell,
    RunRecord,
)
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from jdkmatrix.vocabulary import Status

TEST = "http/TruncatedReplyReadAsWhole.java"


def make_run(
    path: Path,
    outcomes: Mapping[str, str],
    homes: Mapping[str, Path] | None = None,
    versions: Mapping[str, str] | None = None,
) -> RunFolder:
    """A finished run of one cell a build; `homes` are the JDKs' by build, where they exist.

    `versions` are what they say of themselves, where that is not in the build's id.
    """
    path.mkdir()
    folder = RunFolder(path)
    builds = []
    cells = []
    for build, outcome in outcomes.items():
        home = (homes or {}).get(build, Path.home() / "jdks" / build)
        version_text = (versions or {}).get(build, build.partition("-")[2])
        builds.append(_build(build, home, version_text))
        cell = PlannedCell(build=build, test=TEST)
        cells.append(cell)
        folder.cell_folder(cell).mkdir(parents=True)
        place = folder.cell_folder(cell)
        (place / "outcome.json").write_text(_outcome("subject", outcome, builds[-1]))
        (place / "control-control.json").write_text(
            _outcome("control", "not-reproduced", builds[-1])
        )
        is_reproduced = outcome == "reproduced"
        folder.write_cell(
            CellRecord(
                build=build,
                test=TEST,
                ended=ChildEnd.FINISHED,
                status=Status.FAILED if is_reproduced else Status.PASSED,
                status_text="",
                seconds=3.5,
                test_seconds=2.5,
                artifacts=("outcome.json", "control-control.json"),
            )
        )
    folder.write_run(
        RunRecord(
            run=path.name,
            started="2026-11-21T08:00:00Z",
            finished="2026-11-21T08:03:00Z",
            request=Request(),
            machine=MachineRecord(
                os="Debian",
                kernel="6",
                architecture="x86_64",
                cores=2,
                memory_mib=8000,
                load_1min=0,
            ),
            kit=KitRecord(version="0.1.0", commit="abc", jtreg="jtreg 7.5.2", tool_jdk="x"),
            builds=tuple(builds),
            cells=tuple(cells),
        )
    )
    return folder


def _build(build: str, home: Path, version_text: str) -> BuildRecord:
    vendor, _, text = build.partition("-")
    return BuildRecord(
        id=build,
        entry=build,
        version=text,
        vendor=vendor,
        train=version.parse(text).train,
        source="local" if vendor == "local" else "wheel",
        sha256="ab" * 32,
        home=str(home),
        facts={"version": version_text, "vendor": vendor, "has_jfr": True},
    )


def _outcome(case: str, outcome: str, build: BuildRecord) -> str:
    figure_value = 1 if outcome == "reproduced" else 0
    return json.dumps(
        {
            "schema": 1,
            "test": Path(TEST).stem,
            "bug": "JDK-8335135",
            "case": case,
            "outcome": outcome,
            "reason": f"Half a body was read (truncated {figure_value}, bound 1).",
            "figures": [
                {"name": "truncated", "value": figure_value, "bound": 1, "unit": "replies"}
            ],
            "facts": {"body": "half", "list": ["a", "b"], "flag": True},
            "java": {
                "version": build.facts["version"],
                "vendor": build.facts["vendor"],
                "home": build.home,
                "pid": 7,
            },
        }
    )
