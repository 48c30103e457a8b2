# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A build has one id: in a run, when that is gone on with, and in whichever shard it is."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import NoReturn

import pytest

from jdkmatrix.config.jdks import BuildEntry, LocalSource
from jdkmatrix.config.version import parse
from jdkmatrix.plan.build_ids import RunIds
from jdkmatrix.records.request import Request
from jdkmatrix.supply.build import Build
from tests.flow.run_kit import PLAIN, TESTS, Stage, read_stored, resume, run

SOURCE = LocalSource(source="local", path=Path("/jdk"))


def entry(name: str) -> BuildEntry:
    return BuildEntry(id=name, sources=(SOURCE,))


def make_build(entry_id: str, version: str) -> Build:
    """What that entry has given."""
    jdk_version, origin = parse(version), entry(entry_id)
    return replace(
        PLAIN,
        id=f"{origin.vendor}-{version}",
        entry_id=entry_id,
        vendor=origin.vendor,
        version=jdk_version,
        train=jdk_version.train,
        target=origin.target,
    )


def make_local(version: str, vendor: str = "temurin") -> Build:
    return replace(make_build(f"{vendor}-{version}", version), source="local")


@pytest.mark.parametrize(
    ("entries", "jdks", "ids"),
    [
        ((), ["17.0.9+9"], ["temurin-17.0.9+9"]),
        (("temurin-17.0.9+9",), ["17.0.9+9"], ["temurin-17.0.9+9@jdk"]),
        (("temurin-17.0.3+7",), ["17.0.9+9"], ["temurin-17.0.9+9"]),
        (("temurin-17",), ["17.0.9+9"], ["temurin-17.0.9+9@jdk"]),  # it may be that by now
        (("debian-17", "temurin-11"), ["17.0.9+9"], ["temurin-17.0.9+9"]),
        (
            (),
            ["17.0.9+9", "17.0.3+7", "17.0.9+9"],
            ["temurin-17.0.9+9", "temurin-17.0.3+7", "temurin-17.0.9+9@jdk-3"],
        ),
    ],
)
def test_jdks_of_the_users_own(entries: Sequence[str], jdks: list[str], ids: list[str]) -> None:
    local = RunIds(tuple(map(entry, entries)), tuple(map(make_local, jdks))).local()
    assert [build.id for build in local] == ids
    assert [str(build.identity.version) for build in local] == jdks


@pytest.mark.parametrize(
    ("entries", "version", "ids"),
    [
        (("debian-17", "debian-17.0.21+9"), "17.0.21+9", ["@debian-17", ""]),
        (("debian-17", "debian-17.0.19+10"), "17.0.21+9", ["", ""]),
        (("debian-17", "debian-17-ea"), "17.0.21+9", ["", "@debian-17-ea"]),
        (("debian-17", "temurin-17.0.21+9"), "17.0.21+9", ["", ""]),
        (("temurin-17.0.9+9", "temurin-17.0.9+9-musl"), "", ["", ""]),
    ],
)
def test_entries_that_gave_the_same_release(
    entries: Sequence[str], version: str, ids: list[str]
) -> None:
    run = RunIds(tuple(map(entry, entries)), ())
    builds = [
        make_build(name, version if build_entry.moves else str(build_entry.version))
        for name, build_entry in zip(entries, run.entries, strict=True)
    ]
    for order in permutations(builds):  # whichever comes first
        builds_by_entry = {build.entry_id: run.identify(build) for build in order}
        for build, suffix in zip(builds, ids, strict=True):
            assert builds_by_entry[build.entry_id] == replace(build, id=build.id + suffix)


def sources_by_id(folder: Path) -> list[tuple[str, str]]:
    return [(build.id, build.source) for build in read_stored(folder).builds]


def interrupt(*_: object, **__: object) -> NoReturn:
    """Somebody presses Ctrl-C in the first cell."""
    raise KeyboardInterrupt


def test_resumed_and_in_shards(tmp_path: Path) -> None:
    stage = Stage(run=interrupt)
    request = Request(builds=(PLAIN.id,), jdks=(str(tmp_path),), tests=TESTS)
    expected = [(PLAIN.id, "wheel"), (f"{PLAIN.id}@jdk", "local")]
    run(tmp_path / "run", request, stage=stage)
    assert sources_by_id(tmp_path / "run") == expected
    resume(tmp_path / "run", stage)
    assert sources_by_id(tmp_path / "run") == expected
    for index in (1, 2):
        run(
            tmp_path / f"shard-{index}",
            request.model_copy(update={"shard": f"{index}/2"}),
            stage=stage,
        )
    shards = [sources_by_id(tmp_path / f"shard-{index}") for index in (1, 2)]
    assert [*shards[0], *shards[1]] == expected
