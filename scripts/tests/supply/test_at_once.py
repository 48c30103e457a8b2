# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are two runs safe that share a cache?"""

import json
import shutil
import threading
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from jdkmatrix.supply import install
from jdkmatrix.supply.build import Build, SourceError, Unavailable
from jdkmatrix.supply.cache import jdk_cache
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.jdk_cache import file_name
from tests.machine.looking import looks_while
from tests.supply.supply_kit import Shop, from_wheel, jdks_of

pytestmark = pytest.mark.slow

ENTRY = from_wheel("temurin-17.0.3+7", "1.0")
JDKS = jdks_of(ENTRY)
RUN_TIMEOUT_S = 120

CODE = """
from pathlib import Path
from tests.supply.supply_kit import ProgressLog, jdks_of
from jdkmatrix.supply.supplier import Supplier
import json
jdks = jdks_of(json.loads({entry!r}))
progress = ProgressLog()
(outcome,) = Supplier(jdks, Path({lock!r}), Path({cache!r}), False, progress).supply(jdks.builds)
print(json.dumps([str(getattr(outcome, "id", outcome)), progress.labels]))
"""

Run = Callable[[str], "Popen[str]"]


def code_for(shop: Shop) -> str:
    return CODE.format(entry=json.dumps(ENTRY), lock=str(shop.lock), cache=str(shop.cache))


def test_two_runs_at_once_install_once_and_both_succeed(shop: Shop, in_process: Run) -> None:
    shop.offer("1.0", "17.0.3+7")
    runs = [in_process(code_for(shop)) for _ in range(2)]
    answers = [run.communicate(timeout=RUN_TIMEOUT_S) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], answers
    reports = [json.loads(output) for output, _ in answers]
    assert [build_id for build_id, _ in reports] == ["temurin-17.0.3+7"] * 2
    downloads = [label for _, labels in reports for label in labels]
    assert downloads == ["temurin-17.0.3+7"]
    assert len(shop.installs()) == 1
    assert shop.list_staging() == []


def test_a_run_does_not_lose_a_changed_jdk_that_is_fetched_again(
    stocked_shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At its path there are always all of its files: here, whenever the new one is looked at."""
    (old_build,) = stocked_shop.supplier(JDKS).supply(JDKS.builds)
    assert isinstance(old_build, Build)
    (old_build.home / "conf" / "extra").touch()
    checks: list[bool] = []
    for module, name in ((install, "find_home"), (install, "measure"), (jdk_cache, "record_tree")):
        monkeypatch.setattr(module, name, watch(getattr(module, name), checks, old_build.home))
    (build,) = stocked_shop.supplier(JDKS).supply(JDKS.builds)
    assert isinstance(build, Build)
    assert checks == [True] * 3
    assert not (old_build.home / "conf" / "extra").exists()
    assert [folder.is_symlink() for folder in stocked_shop.installs()] == [False]
    assert stocked_shop.list_staging() == []
    notices = [
        notice
        for notice in stocked_shop.progress.notices
        if "extra was added; it is fetched" in notice
    ]
    assert len(notices) == 1


def test_what_is_replaced_is_never_away_for_a_moment(tmp_path: Path) -> None:
    """Else a JVM ends that loads its libraries as it needs them."""
    cache = jdk_cache.Cache(tmp_path, Locks(tmp_path / "locks", threading.Event()))
    folder, number = tmp_path / "builds" / "jdk-0", count()

    def replace() -> None:
        with cache.staging("jdk") as staging:
            tree = staging / "tree"
            tree.mkdir()
            (tree / "java").write_text(str(next(number)))
            with cache.as_if_installed(tree, folder) as tree:
                cache.commit(tree, folder, source="wheel", artifacts=(), home=".", facts=None)

    replace()
    looks = looks_while(folder / "java", replace, times=300)
    assert (folder / "java").read_text() == "300"
    assert looks
    assert all(looks)


def test_the_changed_one_is_back_if_the_other_is_not_accepted(tmp_path: Path) -> None:
    cache = jdk_cache.Cache(tmp_path, Locks(tmp_path / "locks", threading.Event()))
    folder, tree = tmp_path / "builds" / "jdk-0", tmp_path / "tree"
    for place, text in ((folder, "changed"), (tree, "other")):
        place.mkdir(parents=True)
        (place / "java").write_text(text)
    with pytest.raises(SourceError), cache.as_if_installed(tree, folder) as files_root:
        assert (folder / "java").read_text() == (files_root / "java").read_text() == "other"
        raise SourceError("no JDK of that version")
    assert (folder / "java").read_text() == "changed"


def watch(call: Callable[..., Any], checks: list[bool], home: Path) -> Callable[..., Any]:
    def look(*arguments: Any) -> Any:
        checks.append((home / "bin" / "java").is_file())
        return call(*arguments)

    return look


def test_a_changed_jdk_stays_where_no_other_can_be_had(stocked_shop: Shop) -> None:
    wheel = next(stocked_shop.wheels.iterdir())
    (old_build,) = stocked_shop.supplier(JDKS).supply(JDKS.builds)
    assert isinstance(old_build, Build)
    (old_build.home / "conf" / "extra").touch()
    wheel.unlink()
    (outcome,) = stocked_shop.supplier(JDKS).supply(JDKS.builds)
    assert isinstance(outcome, Unavailable)
    assert (old_build.home / "bin" / "java").is_file()


@pytest.mark.parametrize("is_changed", [True, False])
def test_a_jdk_stays_that_another_checkout_refuses(stocked_shop: Shop, is_changed: bool) -> None:
    (old_build,) = stocked_shop.supplier(JDKS).supply(JDKS.builds)
    assert isinstance(old_build, Build)
    if is_changed:
        (old_build.home / "conf" / "extra").touch()
    lock = json.loads(stocked_shop.lock.read_text())
    (entry,) = (entry for platform in lock["platforms"].values() for entry in platform.values())
    entry["tree_sha256"] = "0" * 64
    stocked_shop.lock.write_text(json.dumps(lock))
    (outcome,) = stocked_shop.supplier(JDKS).supply(JDKS.builds)
    assert isinstance(outcome, Unavailable)
    assert (old_build.home / "bin" / "java").is_file()
    assert (old_build.home / "conf" / "extra").exists() is is_changed
    assert stocked_shop.list_staging() == []


def test_who_waits_for_another_process_says_so(shop: Shop) -> None:
    shop.offer("1.0", "17.0.3+7")
    other_locks = Locks(shop.cache / "locks", threading.Event())
    outcomes: list[object] = []
    with other_locks.hold(file_name("temurin-17.0.3+7")):
        run = threading.Thread(
            target=lambda: outcomes.extend(shop.supplier(JDKS).supply(JDKS.builds))
        )
        run.start()
        while not shop.progress.notices and run.is_alive():
            time.sleep(0.01)
        assert outcomes == []
    assert shop.progress.notices[0] == "temurin-17.0.3+7: another process is fetching it; waiting"
    run.join(RUN_TIMEOUT_S)
    assert isinstance(outcomes[0], Build)


def test_threads_of_one_process_wait_without_a_word(tmp_path: Path) -> None:
    """The tool JDK may be one of the builds that are fetched."""
    locks = Locks(tmp_path, threading.Event())
    messages: list[str] = []

    def wait() -> None:
        with locks.hold("entry", lambda: messages.append("another process")):
            pass

    with locks.hold("entry"):
        second = threading.Thread(target=wait)
        second.start()
        time.sleep(0.5)  # some looks at the lock
    second.join(RUN_TIMEOUT_S)
    assert not second.is_alive()
    assert messages == []


def test_what_is_pruned_while_it_is_looked_for_is_fetched(
    stocked_shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    stocked_shop.supplier(JDKS).supply(JDKS.builds)
    (folder,) = stocked_shop.installs()
    use = Locks.use

    def pruned_before_that(self: Locks, name: str) -> None:
        if folder.exists():
            shutil.move(folder, stocked_shop.root / "pruned")
        use(self, name)

    monkeypatch.setattr(Locks, "use", pruned_before_that)
    (build,) = stocked_shop.supplier(JDKS).supply(JDKS.builds)
    assert isinstance(build, Build)
    assert stocked_shop.progress.notices == []  # of a damage
