# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a run that is killed (SIGKILL) at any moment harmless?

Four are killed (160 with `--long`), each at a random moment of a run that downloads, unpacks,
starts, records and locks a build.
"""

import hashlib
import json
import os
import random
import shutil
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen, TimeoutExpired

import pytest

from jdkmatrix.supply.build import Build
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.jdk_cache import Cache
from jdkmatrix.supply.cache.jdks_lock import LockFile, this_platform
from tests.fuzz import is_long
from tests.supply.adoptium_kit import tar_gz
from tests.supply.dropping import DroppingHost, serving
from tests.supply.supply_kit import Shop, jdks_of, write_jdk

pytestmark = [pytest.mark.slow, pytest.mark.fuzz]

KILLS = 160 if is_long() else 4
RUN_TIMEOUT_S = 120
CODE = """
import json
from pathlib import Path
from tests.supply.supply_kit import ProgressLog, jdks_of
from jdkmatrix.supply.supplier import Supplier
jdks = jdks_of(json.loads({entry!r}))
Supplier(jdks, Path({lock!r}), Path({cache!r}), False, ProgressLog()).supply(jdks.builds)
"""
Run = Callable[[str], "Popen[str]"]


def archive_of(shop: Shop) -> bytes:
    """A JDK with 1,000 files and 6 MB that do not compress, so that each step takes a while."""
    home = write_jdk(shop.root / "made")
    (home / "lib" / "modules").write_bytes(os.urandom(6_000_000))
    for n in range(1_000):
        (home / "conf" / f"{n}").write_text(f"{n}\n")
    return tar_gz(shop.root / "jdk.tar.gz", home, "jdk").read_bytes()


def nothing_partial(shop: Shop) -> None:
    """What is at its place is whole; what is not lies where nobody looks for it."""
    cache = Cache(shop.cache, Locks(shop.root / "other-locks", threading.Event()))
    for folder in shop.installs():
        if not folder.is_symlink():
            assert cache.open_install(folder, full=True) is not None
    LockFile(shop.lock).entry(this_platform(), "temurin-17.0.3+7")  # raises if damaged


def lasted_s(run: "Popen[str]") -> float:
    began_s = time.monotonic()
    _, errors = run.communicate(timeout=RUN_TIMEOUT_S)
    assert run.returncode == 0, errors
    return time.monotonic() - began_s


def test_a_run_killed_at_a_random_moment_leaves_nothing_partial(
    shop: Shop, in_process: Run
) -> None:
    content = archive_of(shop)
    sha256 = hashlib.sha256(content).hexdigest()
    with serving(DroppingHost(content)) as host:
        source = {"source": "url", "url": host.address, "sha256": sha256}
        entry: dict[str, object] = {"id": "temurin-17.0.3+7", "sources": [source]}
        places = {"lock": str(shop.lock), "cache": str(shop.cache)}
        code = CODE.format(entry=json.dumps(entry), **places)
        whole_s = lasted_s(in_process(code))
        seed = random.randrange(1 << 30)
        moments = random.Random(seed)
        kills = 0
        for _ in range(20 * KILLS):
            shutil.rmtree(shop.cache / "builds", ignore_errors=True)
            shop.lock.unlink(missing_ok=True)
            run = in_process(code)
            try:
                run.wait(moments.uniform(0.0, whole_s))  # the moment is the point of the test
            except TimeoutExpired:
                run.send_signal(signal.SIGKILL)
                kills += 1
            run.communicate(timeout=RUN_TIMEOUT_S)
            nothing_partial(shop)
            if kills == KILLS:
                break
        print(f"{kills} killed within {whole_s:.2f} s, seed {seed}")
        assert kills == KILLS
        jdks = jdks_of(entry)
        (outcome,) = shop.supplier(jdks).supply(jdks.builds)
    assert isinstance(outcome, Build), str(outcome)
    assert [folder.is_symlink() for folder in shop.installs()] == [False]
    assert shop.list_staging() == []
    assert list((shop.cache / "begun").iterdir()) == []
    assert leftovers(shop.root) == []


def leftovers(root: Path) -> list[str]:
    return [path.name for path in root.glob(".jdks.lock.*")]
