# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does `jdks.lock` pin the bytes, follow what moves, and never change without need?"""

import json
from pathlib import Path

import pytest

from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.errors import UsageError
from jdkmatrix.supply.build import Artifact, Build, Offer, SourceError, Unavailable
from jdkmatrix.supply.cache.jdks_lock import (
    LockedEntry,
    LockFile,
    changes,
    check_against,
    replaced_upstream,
    this_platform,
)
from jdkmatrix.supply.supplier import Supplier
from tests.supply.supply_kit import Shop, from_wheel, jdks_of

VM = Artifact("vm", "8u504-ga-1", 10, "aa")
LIBC = Artifact("libc6", "2.41", 20, "bb")
LOCKED = LockedEntry(
    version="8u504-ga", vendor="debian", train=8, source="debian", artifacts=(VM, LIBC)
)


def test_the_same_version_with_other_bytes_is_refused() -> None:
    with pytest.raises(SourceError, match=r"vm 8u504-ga-1: SHA-256 is cc, but jdks\.lock has aa"):
        check_against(LOCKED, "debian", (Offer("vm", "8u504-ga-1", 10, "cc"),))


@pytest.mark.parametrize(
    "offer",
    [
        Offer("vm", "8u504-ga-1", 10, "aa"),
        Offer("vm", "8u512-ga-1", 10, "cc"),
        Offer("vm", "8u504-ga-1", None, None),
    ],
)
def test_known_bytes_a_newer_version_and_bytes_not_yet_known_pass(offer: Offer) -> None:
    check_against(LOCKED, "debian", (offer,))


def test_another_source_may_have_other_bytes() -> None:
    check_against(LOCKED, "adoptium", (Offer("vm", "8u504-ga-1", 10, "cc"),))


@pytest.mark.parametrize(
    ("offer", "is_replaced"),
    [
        (Offer("ea.tar.gz", "jdk-17-ea", 10, "cc"), True),
        (Offer("renamed.tar.gz", "jdk-17-ea", 10, "cc"), True),
        (Offer("ea.tar.gz", "jdk-17-ea", 10, "aa"), False),
        (Offer("ea.tar.gz", "jdk-17-ea", 10, None), False),
        (Offer("ea.tar.gz", "jdk-18-ea", 10, "cc"), False),
    ],
)
def test_an_early_access_build_is_told_by_its_releases_name(
    offer: Offer, is_replaced: bool
) -> None:
    first = Artifact("ea.tar.gz", "jdk-17-ea", 10, "aa")
    lock_entry = LockedEntry(version="17-ea", source="adoptium", mutable=True, artifacts=(first,))
    assert replaced_upstream(lock_entry, "adoptium", (offer,)) is is_replaced
    final_entry = lock_entry.model_copy(update={"mutable": False})
    assert not replaced_upstream(final_entry, "adoptium", (offer,))


def test_what_moved_on_is_told_by_artifact() -> None:
    newer = Artifact("vm", "8u512-ga-1", 11, "cc")
    assert changes(LOCKED, (newer, LIBC)) == (("vm", "8u504-ga-1", "8u512-ga-1"),)


def test_the_file_is_sorted_and_stable(tmp_path: Path) -> None:
    path = tmp_path / "jdks.lock"
    file = LockFile(path)
    assert file.entry("linux-x64", "debian-8") is None
    assert file.record("linux-x64", "debian-8", LOCKED)
    assert file.record("linux-aarch64", "debian-8", LOCKED)
    old_state = path.read_bytes(), path.stat().st_mtime_ns
    assert not LockFile(path).record("linux-x64", "debian-8", LOCKED)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == old_state
    assert list(json.loads(old_state[0])["platforms"]) == ["linux-aarch64", "linux-x64"]
    assert LockFile(path).entry("linux-x64", "debian-8") == LOCKED
    assert [entry.name for entry in tmp_path.iterdir()] == ["jdks.lock"]


def test_a_build_for_another_c_library_keeps_its_name(tmp_path: Path) -> None:
    file = LockFile(tmp_path / "jdks.lock")
    for entry_id in ("temurin-17", "temurin-17.0.11+9-musl"):
        lock_entry = LOCKED.model_copy(update={"vendor": "temurin", "version": "17.0.11+9"})
        file.record(this_platform(), entry_id, lock_entry)
    assert {entry_id: build.id for entry_id, build in file.last_builds().items()} == {
        "temurin-17": "temurin-17.0.11+9",
        "temurin-17.0.11+9-musl": "temurin-17.0.11+9-musl",
    }


def test_a_version_that_is_none_is_one_line(tmp_path: Path) -> None:
    file = LockFile(tmp_path / "jdks.lock")
    file.record(this_platform(), "temurin-17", LOCKED.model_copy(update={"version": "x"}))
    with pytest.raises(UsageError, match=r"jdks\.lock: temurin-17: not a JDK version: 'x'; acc"):
        file.last_builds()


@pytest.mark.parametrize(
    "content", ["{", '{"schema": 2, "platforms": {}}', '{"schema": 1}', '{"schema": 1, "x": 1}']
)
def test_a_damaged_file_is_one_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "jdks.lock"
    path.write_text(content)
    with pytest.raises(UsageError) as error:
        LockFile(path).entry("linux-x64", "debian-8")
    assert str(error.value).startswith(f"{path}: not a lock file of schema 1: ")
    assert "\n" not in str(error.value)


def test_first_use_is_said_and_a_newer_build_of_a_moving_entry_is_taken(shop: Shop) -> None:
    shop.offer("1.0", "17.0.3+7")
    first = jdks_of(from_wheel("temurin-17", "1.0"))
    (build,) = shop.supplier(first).supply(first.builds)
    assert isinstance(build, Build)
    assert build.id == "temurin-17.0.3+7"
    notice = f"temurin-17: first use on {this_platform()}, 17.0.3+7 recorded"
    assert build.notices == (notice,)

    shop.offer("2.0", "17.0.7+7")
    new_jdks = jdks_of(from_wheel("temurin-17", "2.0"))
    (build,) = shop.supplier(new_jdks).supply(new_jdks.builds)
    assert isinstance(build, Build)
    assert build.id == "temurin-17.0.7+7"
    assert build.notices == ("temurin-17: fakejdk now has fakejdk 2.0, lock had 1.0",)
    lock_entry = LockFile(shop.lock).entry(this_platform(), "temurin-17")
    assert lock_entry is not None
    assert lock_entry.version == "17.0.7+7"


def test_a_lock_that_cannot_be_written_only_warns(shop: Shop) -> None:
    lock = shop.root / "no folder" / "jdks.lock"
    shop.offer("1.0", "17.0.3+7")
    jdks = jdks_of(from_wheel("temurin-17.0.3+7", "1.0"))
    (build,) = Supplier(jdks, lock, shop.cache, progress=shop.progress).supply(jdks.builds)
    assert isinstance(build, Build)
    notice = f"temurin-17.0.3+7: {lock}: cannot be written: No such file or directory"
    assert shop.progress.notices[-1] == notice


def test_the_shipped_lock_pins_every_shipped_entry(root: Path) -> None:
    jdks = load_jdks(root / "jdks.yaml")
    lock = LockFile(root / "jdks.lock")
    missing = [e.id for e in jdks.builds if lock.entry("linux-x64", e.id) is None]
    assert missing == []
    assert lock.entry("linux-x64", "jtreg") is not None
    assert "://" not in (root / "jdks.lock").read_text()


def test_the_shipped_lock_has_the_tree_of_all_that_can_be_had(root: Path) -> None:
    """The others were unpacked by a kit that recorded none, and are gone from their mirrors."""
    builds = load_jdks(root / "jdks.yaml").builds
    lost_ids = {entry.id for entry in builds if "mirrors have it no longer" in (entry.note or "")}
    entries = LockFile(root / "jdks.lock").entries()
    bare_ids = {
        name.removesuffix("-source")
        for name, lock_entry in entries
        if lock_entry.tree_sha256 is None
    }
    assert bare_ids <= lost_ids


def test_an_unavailable_build_says_why_for_each_source() -> None:
    text = str(Unavailable("debian-8", (("debian", "no index"), ("local", "no such folder"))))
    assert text == "debian-8 unavailable: debian: no index; local: no such folder"


def test_what_only_compiles_is_not_recorded(shop: Shop) -> None:
    shop.offer("1.0", "17.0.3+7")
    jdks = jdks_of(from_wheel("temurin-17", "1.0"))
    compiler = shop.supplier(jdks).compiler(jdks.builds[0])
    assert isinstance(compiler, Build)
    assert LockFile(shop.lock).entry(this_platform(), "temurin-17") is None
    shop.supplier(jdks).supply(jdks.builds)
    content = shop.lock.read_bytes()
    shop.offer("2.0", "17.0.7+7")
    new_jdks = jdks_of(from_wheel("temurin-17", "2.0"))
    newer = shop.supplier(new_jdks).compiler(new_jdks.builds[0])
    assert isinstance(newer, Build)
    assert newer.id == "temurin-17.0.7+7"
    assert shop.lock.read_bytes() == content
