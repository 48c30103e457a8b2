# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Do the registries still give what `jdks.yaml` asks for? Real downloads, about 120 MB."""

import subprocess
import threading
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.machine.files import sha256_of
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.jdk_cache import Cache
from jdkmatrix.supply.jars.jar_cache import Jars, JarsLock, read_jars_lock
from jdkmatrix.supply.supplier import Supplier
from tests.supply.supply_kit import ProgressLog

pytestmark = [pytest.mark.network, pytest.mark.slow]


def test_a_wheel_a_debian_build_with_its_own_c_library_and_jtreg(
    jdks: JdksFile, root: Path, tmp_path: Path
) -> None:
    lock = tmp_path / "jdks.lock"
    lock.write_bytes((root / "jdks.lock").read_bytes())
    progress = ProgressLog()
    supplier = Supplier(jdks, lock, tmp_path / "cache", False, progress)
    entries = [jdks.entry("temurin-17.0.3+7"), jdks.entry("debian-8")]

    wheel, debian = supplier.supply(entries)
    assert isinstance(wheel, Build), str(wheel)
    assert isinstance(debian, Build), str(debian)
    assert (wheel.id, debian.train, debian.vendor) == ("temurin-17.0.3+7", 8, "debian")
    assert debian.facts.has_javac
    process = subprocess.run(
        [debian.home / "bin" / "javac", "-version"], capture_output=True, text=True, check=True
    )
    assert "1.8.0" in process.stderr + process.stdout

    jtreg = supplier.jtreg()
    assert (jtreg / "lib" / "jtreg.jar").is_file()
    assert (jtreg / "bin" / "jtreg").is_file()

    outcomes = Supplier(jdks, lock, tmp_path / "cache", True, progress).supply(entries)
    assert [o.id for o in outcomes if isinstance(o, Build)] == [wheel.id, debian.id]


def test_debians_maven_needs_no_other_on_this_machine(
    jdks: JdksFile, root: Path, tmp_path: Path
) -> None:
    """The smallest class path, by Debian's package and the tool JDK, which trusts nobody itself."""
    supplier = Supplier(jdks, root / "jdks.lock", cache_root())
    _, debian = supplier.maven_ways(Checkout(root))
    lock = read_jars_lock(Checkout(root).jars_lock)
    class_paths = {"histogram": lock.class_paths["histogram"]}
    locks = Locks(tmp_path / "locks", threading.Event())
    cache = Cache(tmp_path / "cache", locks)
    pom = Checkout(root).pom
    jars = Jars(
        JarsLock(class_paths=class_paths), pom, cache, locks, [debian], ProgressLog(), False
    )
    (jar,) = jars.class_path("histogram")
    assert sha256_of(jar) == class_paths["histogram"][0].sha256
