# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Do `jdks list`, `verify` and `prune` say and do what is so?"""

import json
import os
import shutil
import threading
from pathlib import Path

import pytest

from jdkmatrix.report.console.holdings_list import holding_line
from jdkmatrix.supply.build import Artifact, Build
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.holdings import Holdings, HoldingState
from jdkmatrix.supply.cache.jdk_cache import Cache
from jdkmatrix.supply.cache.jdks_lock import LockedEntry, LockFile, this_platform
from jdkmatrix.supply.cache.manifest import Manifest, check, record_tree
from jdkmatrix.supply.jars.jar_cache import write_jars_lock
from tests.supply.jars.maven_kit import lock
from tests.supply.supply_kit import Shop, from_wheel, jdks_of

pytestmark = pytest.mark.slow

JDKS = jdks_of(from_wheel("temurin-17.0.3+7", "1.0"))
(ENTRY,) = JDKS.builds


def bought(shop: Shop) -> Build:
    shop.offer("1.0", "17.0.3+7")
    (build,) = shop.supplier(JDKS).supply(JDKS.builds)
    assert isinstance(build, Build)
    return build


def holdings(shop: Shop) -> Holdings:
    return Holdings(JDKS, shop.lock, shop.cache)


def state(shop: Shop) -> tuple[HoldingState, str]:
    holding = holdings(shop).look_up(ENTRY)
    return holding.state, holding.reason


def test_each_state_of_an_entry(shop: Shop) -> None:
    assert state(shop)[0] is HoldingState.ABSENT
    bought(shop)
    assert state(shop) == (HoldingState.CACHED, "")
    (folder,) = shop.installs()
    (folder / "extra").touch()
    assert state(shop) == (HoldingState.CHANGED, "extra was added")
    (folder / "extra").unlink()
    elsewhere = folder.with_name(f"{folder.name[:-12]}000000000000")
    folder.rename(elsewhere)
    assert state(shop) == (HoldingState.STALE, "the cache has different bytes for it")
    elsewhere.rename(shop.root / "away")
    assert state(shop) == (HoldingState.LOCKED, "not in the cache")
    new_jdks = jdks_of(from_wheel("temurin-17.0.3+7", "2.0"))
    holding = Holdings(new_jdks, shop.lock, shop.cache).look_up(new_jdks.builds[0])
    reason = "jdks.lock does not have what jdks.yaml asks for"
    assert (holding.state, holding.reason) == (HoldingState.STALE, reason)


def test_an_entry_without_the_hash_of_its_tree_is_named(stocked_shop: Shop) -> None:
    bought(stocked_shop)
    for is_there in (True, False):
        cache_holdings = holdings(stocked_shop)
        assert [outcome.is_vouched for outcome in cache_holdings.verify([ENTRY])] == [is_there]
        line = holding_line(cache_holdings.look_up(ENTRY))
        assert ("(no tree hash in jdks.lock)" in line) is not is_there
        if is_there:
            forget_the_tree(stocked_shop.lock)
    (folder,) = stocked_shop.installs()
    shutil.rmtree(folder)
    line = holding_line(holdings(stocked_shop).look_up(ENTRY))
    assert line.endswith("locked   not in the cache (no tree hash in jdks.lock)")


def forget_the_tree(lock: Path) -> None:
    """As an older kit wrote it."""
    document = json.loads(lock.read_text())
    for entries in document["platforms"].values():
        for entry in entries.values():
            del entry["tree_sha256"]
    lock.write_text(json.dumps(document))


def test_verify_hashes_every_file(stocked_shop: Shop) -> None:
    build = bought(stocked_shop)
    (outcome,) = holdings(stocked_shop).verify([ENTRY])
    assert outcome.problem is None
    assert outcome.hashed_bytes > (build.home / "lib/modules").stat().st_size


def test_verify_can_cover_what_is_beside_the_builds(shop: Shop) -> None:
    jars_lock = shop.root / "jars.lock"
    write_jars_lock(jars_lock, lock())
    cache_holdings = Holdings(JDKS, shop.lock, shop.cache, jars_lock=jars_lock)
    assert list(cache_holdings.verify([ENTRY], with_tools=True)) == []
    folders = [add_install(shop, "jtreg", "jtreg7"), add_install(shop, "maven", "maven")]
    folders.append(add_install(shop, "jars", *lock().jars))
    assert list(cache_holdings.verify([ENTRY])) == []
    outcomes = list(cache_holdings.verify([ENTRY], with_tools=True))
    assert [(outcome.name, outcome.problem, outcome.hashed_bytes) for outcome in outcomes] == [
        (name, None, 7) for name in ("jtreg", "maven", "jars")
    ]
    for folder in folders:
        (folder / "root" / "file").write_text("CONTENT")
    problems = [
        outcome.problem or "" for outcome in cache_holdings.verify([ENTRY], with_tools=True)
    ]
    assert [problem.partition(" (")[0] for problem in problems] == ["root/file changed"] * 3


def add_install(shop: Shop, name: str, *packages: str | Artifact) -> Path:
    """An install with one file; `jdks.lock` has it."""
    artifacts = tuple(
        Artifact(package, "1", 1, "0" * 64) if isinstance(package, str) else package
        for package in packages
    )
    tree = shop.root / f"tree-{name}"
    (tree / "root").mkdir(parents=True)
    (tree / "root" / "file").write_text("content")
    cache = Cache(shop.cache, Locks(shop.cache / "locks", threading.Event()))
    folder = cache.folder(name, artifacts)
    cache.commit(tree, folder, source="debian", artifacts=artifacts, home="root", facts=None)
    lock_entry = LockedEntry(version="1", source="debian", artifacts=artifacts)
    LockFile(shop.lock).record(this_platform(), name, lock_entry)
    return folder


def test_only_a_full_check_sees_a_change_below_the_file_system(tmp_path: Path) -> None:
    """What root can do: other bytes, the same size, times and inode; here the record is bent."""
    (tmp_path / "modules").write_bytes(b"classes")
    good = record_tree(tmp_path).manifest
    bent = Manifest(
        files={name: file._replace(sha256="0" * 64) for name, file in good.files.items()}, links={}
    )
    assert check(tmp_path, bent).hashed_bytes == 0
    try:
        check(tmp_path, bent, full=True)
    except Exception as error:
        assert "modules changed (SHA-256 " in str(error)
    else:
        raise AssertionError("not seen")


def test_paranoid_hashes_before_each_use_and_says_what_it_cost(stocked_shop: Shop) -> None:
    bought(stocked_shop)
    for paranoid in (False, True):
        supplier = stocked_shop.supplier(JDKS, offline=True, paranoid=paranoid)
        supplier.supply(JDKS.builds)
        cost = supplier.check_cost
        assert (cost.installs, cost.files > 3) == (1, True)
        assert (cost.hashed_bytes > 0) is paranoid
        assert ("MB of them hashed" in str(cost)) is paranoid


class TestPrune:
    def age(self, shop: Shop) -> Path:
        """An install that the lock does not name."""
        bought(shop)
        shop.lock.unlink()
        (folder,) = shop.installs()
        return folder

    def test_what_the_lock_names_stays(self, stocked_shop: Shop) -> None:
        bought(stocked_shop)
        assert holdings(stocked_shop).list_unneeded(unused_days=0) == []

    def test_the_rest_goes_with_its_size_told(self, stocked_shop: Shop) -> None:
        folder = self.age(stocked_shop)
        cache_holdings = holdings(stocked_shop)
        assert cache_holdings.list_unneeded(unused_days=0) == [folder]
        dry = cache_holdings.prune(folder, remove=False)
        assert (dry.is_removed, dry.size_bytes > 70_000) == (False, True)
        assert folder.is_dir()

    def test_what_was_compiled_is_no_install(self, stocked_shop: Shop) -> None:
        """By this kit or an earlier one, which another checkout may use."""
        folder = self.age(stocked_shop)
        for name in ("tool", "tests", "load", "overlays", "digest", "facts", "flatten"):
            (stocked_shop.cache / name / "facts-1").mkdir(parents=True)
            (stocked_shop.cache / name / "facts-1.json").touch()
        assert holdings(stocked_shop).list_unneeded(unused_days=0) == [folder]

    def test_what_a_process_uses_stays_until_it_ends(self, stocked_shop: Shop) -> None:
        folder = self.age(stocked_shop)
        supplier = stocked_shop.supplier(JDKS)
        supplier.supply(JDKS.builds)
        stocked_shop.lock.unlink()
        cache_holdings = holdings(stocked_shop)
        assert not cache_holdings.prune(folder, remove=True).is_removed
        del supplier
        assert cache_holdings.prune(folder, remove=True).is_removed
        assert stocked_shop.installs() == stocked_shop.list_staging() == []

    def test_what_was_used_since_it_was_looked_at_stays(self, stocked_shop: Shop) -> None:
        folder = self.age(stocked_shop)
        (users,) = (stocked_shop.cache / "locks").glob("*.users")
        os.utime(users, (0, 0))
        cache_holdings = holdings(stocked_shop)
        assert cache_holdings.list_unneeded(unused_days=1) == [folder]
        os.utime(users)
        assert not cache_holdings.prune(folder, remove=True, unused_days=1).is_removed
        os.utime(users, (0, 0))
        assert cache_holdings.prune(folder, remove=True, unused_days=1).is_removed

    def test_what_another_prune_removed_is_gone(self, stocked_shop: Shop) -> None:
        folder = self.age(stocked_shop)
        first, second = holdings(stocked_shop), holdings(stocked_shop)
        assert first.prune(folder, remove=True).is_removed
        late = second.prune(folder, remove=True)
        assert (late.is_removed, late.is_gone, late.size_bytes) == (False, True, 0)
        assert second.list_unneeded(unused_days=0) == []

    def test_what_another_checkout_used_of_late_stays(self, stocked_shop: Shop) -> None:
        folder = self.age(stocked_shop)
        cache_holdings = holdings(stocked_shop)
        assert cache_holdings.list_unneeded(unused_days=1) == []
        (users,) = (stocked_shop.cache / "locks").glob("*.users")
        os.utime(users, (0, 0))
        assert cache_holdings.list_unneeded(unused_days=1) == [folder]
