# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a real runtime come whole through the API's way, in every platform's shape of archive?

The archives are made from a fetched Temurin runtime; the shapes are those of the vendor's: a folder
on top, `Contents/Home` on macOS, a zip with `java.exe` on Windows.
"""

import tarfile
import threading
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.net.download import Download
from jdkmatrix.supply.net.web import Web
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.sources.kinds import Circumstances
from jdkmatrix.supply.supplier import Supplier
from tests.supply.adoptium_kit import BRISK, Market, adoptium, require_build
from tests.supply.dropping import DroppingHost, serving
from tests.supply.standin import release

pytestmark = [pytest.mark.jdk, pytest.mark.network]

TOP = "jdk-17.0.3+7-jre"
# On a busy machine a server takes seconds to begin with 60 MB.
PATIENT = replace(BRISK, read_timeout_s=60.0)


@dataclass(frozen=True)
class Archives:
    """The vendor's shapes, and the runtime that they hold."""

    runtime: Path
    linux: Path
    mac: Path
    windows: Path


@pytest.fixture(scope="module")
def archives(jdks: JdksFile, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Archives:
    """Made once of temurin-17.0.3+7, which is fetched if need be."""
    entry = jdks.entry("temurin-17.0.3+7")
    (build,) = Supplier(jdks, root / "jdks.lock", cache_root()).supply([entry])
    assert isinstance(build, Build), str(build)
    folder = tmp_path_factory.mktemp("archives")
    linux, mac, windows = folder / "l.tar.gz", folder / "m.tar.gz", folder / "w.zip"
    with tarfile.open(linux, "w:gz", compresslevel=1) as archive:
        archive.add(build.home, TOP)
    with tarfile.open(mac, "w:gz", compresslevel=1) as archive:
        archive.add(build.home, f"{TOP}/Contents/Home")
    with zipfile.ZipFile(windows, "w") as zip_file:
        for file in sorted(path for path in build.home.rglob("*") if path.is_file()):
            name = file.relative_to(build.home).as_posix()
            zip_file.write(file, f"{TOP}/{'bin/java.exe' if name == 'bin/java' else name}")
    return Archives(build.home, linux, mac, windows)


def offer(market: Market, archive: Path, os_name: str, name: str) -> None:
    package = market.standin.serve(name, archive)
    market.stub_release("jdk-17.0.3+7", release("jdk-17.0.3+7", "17.0.3+7", package, os=os_name))


@pytest.mark.parametrize(
    ("os_name", "shape", "name"),
    [
        ("linux", "linux", "OpenJDK17U-jre_x64_linux_hotspot_17.0.3_7.tar.gz"),
        ("alpine-linux", "linux", "OpenJDK17U-jre_x64_alpine-linux_hotspot_17.0.3_7.tar.gz"),
        ("mac", "mac", "OpenJDK17U-jre_x64_mac_hotspot_17.0.3_7.tar.gz"),
        ("windows", "windows", "OpenJDK17U-jre_x64_windows_hotspot_17.0.3_7.zip"),
    ],
)
def test_each_platforms_archive_becomes_a_jdk_that_runs(
    market: Market, archives: Archives, os_name: str, shape: str, name: str
) -> None:
    market.circumstances = Circumstances(Platform(os_name, "x64"), patience=PATIENT)
    offer(market, getattr(archives, shape), os_name, name)
    build = require_build(market.buy(adoptium()))
    assert (build.id, build.facts.has_jfr) == ("temurin-17.0.3+7", True)
    assert (build.home / "lib/modules").stat().st_size == (
        archives.runtime / "lib/modules"
    ).stat().st_size
    runtime_files = {path.relative_to(archives.runtime) for path in archives.runtime.rglob("*")}
    build_files = {path.relative_to(build.home) for path in build.home.rglob("*")}
    expected = {Path("bin/java.exe")} if shape == "windows" else set()
    assert build_files - runtime_files == expected


def test_a_real_archive_comes_over_a_dropping_link_with_its_sha256(
    archives: Archives, tmp_path: Path
) -> None:
    content = archives.linux.read_bytes()
    host = DroppingHost(content, cuts=[5_000_000, 7_000_000, 1_000_000])
    with serving(host):
        web = Web(threading.Event(), PATIENT)
        download = Download(web, host.address, tmp_path / "f", len(content))
        download.run(lambda n: None)
    assert download.resumptions == 3
    assert (tmp_path / "f").read_bytes() == content
