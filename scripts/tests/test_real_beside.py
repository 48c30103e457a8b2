# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a run on real JDKs keep what it uses while others prune, fetch and change the cache?

In a cache of its own: what `jdks prune` of another checkout removes would else be other people's.
"""

import json
import os
import random
import shutil
import subprocess
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.supply.cache.holdings import Holdings
from tests.fuzz import is_long
from tests.test_real_kills import SHORT

pytestmark = [pytest.mark.network, pytest.mark.jdk, pytest.mark.fuzz]

BUILDS = ("temurin-17.0.7+7", "temurin-17.0.9+9")
RUNS = 10
# Besides the builds, what `jdks fetch` gets.
TOOL_PREFIXES = ("debian-17-", "gnutls-cli-", "jars-", "jtreg-", "openssl-")


def matrix(root: Path, cache: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [root / "scripts" / "matrix", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "JDKMATRIX_CACHE": str(cache)},
    )


@pytest.fixture
def cache(root: Path, tmp_path: Path) -> Path:
    """A copy of what the machine's cache has of these builds and of the kit's tools."""
    process = matrix(root, cache_root(), "jdks", "fetch", *BUILDS)
    assert process.returncode == 0, process.stderr
    copy = tmp_path / "cache"
    copy.mkdir()
    (copy / "python").symlink_to(cache_root() / "python")
    prefixes = (*(build.replace("+", "_") for build in BUILDS), *TOOL_PREFIXES)
    for folder in (cache_root() / "builds").iterdir():
        if folder.name.startswith(prefixes):
            shutil.copytree(folder, copy / "builds" / folder.name, symlinks=True)
    return copy


@pytest.mark.skipif(not is_long(), reason="only with --long")
def test_prune_and_fetch_beside_a_run(
    root: Path, jdks: JdksFile, cache: Path, tmp_path: Path
) -> None:
    lock = tmp_path / "jdks.lock"  # of another checkout, which does not know these builds
    document = json.loads((root / "jdks.lock").read_text())
    for builds_by_id in document["platforms"].values():
        for build in BUILDS:
            builds_by_id.pop(build, None)
    lock.write_text(json.dumps(document))
    moments = random.Random("beside")
    fetches: list[subprocess.CompletedProcess[str]] = []

    def prune() -> None:
        holdings = Holdings(jdks, lock, cache, jars_lock=root / "jtreg" / "jars.lock")
        for folder in holdings.list_unneeded(unused_days=0):
            holdings.prune(folder, remove=True)

    def fetch() -> None:
        fetches.append(matrix(root, cache, "jdks", "fetch", *BUILDS))

    def change_and_fetch() -> None:
        for folder in (cache / "builds").glob("temurin-*"):
            if not folder.is_symlink():  # else it is being unpacked
                (folder / "root" / "extra").touch()
        fetch()

    acts: list[Callable[[], None]] = [prune, fetch, change_and_fetch]
    act_counts: Counter[int] = Counter()

    def act(end: threading.Event) -> None:
        while not end.wait(moments.uniform(0, 3)):
            index = act_counts.total() % len(acts)
            acts[index]()
            act_counts[index] += 1

    tests = [word for test in SHORT for word in ("--test", test)]
    builds = [word for build in BUILDS for word in ("--build", build)]
    for number in range(RUNS):
        end, out = threading.Event(), str(tmp_path / f"run-{number}")
        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(act, end)
            run = matrix(root, cache, "run", *builds, *tests, "--jobs", "1", "--out", out, "--json")
            end.set()
            future.result()
        assert run.returncode == 0, run.stderr
        assert len(json.loads(run.stdout)["cells"]) == len(BUILDS) * len(SHORT)
    assert len(act_counts) == len(acts)
    assert {process.returncode for process in fetches} == {0}, fetches
