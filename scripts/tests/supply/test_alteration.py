# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A copy of a release is that release, byte for byte, or it is called altered."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.plan.build_ids import RunIds
from jdkmatrix.records.builds import build_record, describe_replacement
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.supplier import Supplier
from tests.supply.supply_kit import Shop, from_wheel, jdks_of

pytestmark = pytest.mark.slow

ENTRY = from_wheel("temurin-17.0.3+7", "1.0")


def copy_release(shop: Shop, folder: Path) -> tuple[Supplier, Path]:
    """A supplier that has the release, and a copy of it."""
    jdks = jdks_of(ENTRY)
    supplier = shop.supplier(jdks)
    (build,) = supplier.supply(jdks.builds)
    assert isinstance(build, Build)
    shutil.copytree(build.home, folder, symlinks=True)
    return supplier, folder


def run_id(build: Build) -> str:
    (run_build,) = RunIds((), (build,)).local()
    return run_build.id


def write(name: str, text: str = "other\n") -> Callable[[Path], object]:
    def change(home: Path) -> None:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)

    return change


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        (write("conf/net.properties"), "conf/net.properties"),
        (write("lib/modules"), "lib/modules"),
        (lambda home: (home / "lib/jfr/default.jfc").unlink(), "lib/jfr/default.jfc"),
        (write("conf/security/java.policy"), "conf/security/java.policy"),
        (write("lib/ext/more.jar"), "lib/ext/more.jar"),
        (write("lib/security/cacerts"), "lib/security/cacerts"),
        (lambda home: (home / "lib/security/cacerts").unlink(), "lib/security/cacerts"),
        (
            lambda home: [write(name)(home) for name in ("lib/modules", "conf/net.properties")],
            "conf/net.properties (and 1 more file)",
        ),
    ],
)
def test_a_copy_with_another_file_is_altered(
    stocked_shop: Shop, tmp_path: Path, change: Callable[[Path], object], differs: str
) -> None:
    supplier, home = copy_release(stocked_shop, tmp_path / "copy")
    old = supplier.local(home)
    change(home)
    new = supplier.local(home)
    assert new.altered == f"altered: differs from temurin-17.0.3+7 in {differs}"
    assert new.sha256 != old.sha256
    assert run_id(new) == "temurin-17.0.3+7@altered"
    assert build_record(new).variant == "altered"
    sentence = describe_replacement(old)
    assert sentence
    assert sentence.startswith("It was replaced during the run: it was ")


@pytest.mark.parametrize(
    "change",
    [
        lambda home: None,
        # what machines make where the release has none, what is no part of a running JDK, what
        # another package has
        write("jre/lib/security/cacerts"),
        write("lib/server/classes.jsa"),
        write("lib/src.zip"),
        write("legal/LICENSE"),
        write("lib/libawt_xawt.so"),
    ],
)
def test_a_copy_is_the_release(
    stocked_shop: Shop, tmp_path: Path, change: Callable[[Path], object]
) -> None:
    supplier, home = copy_release(stocked_shop, tmp_path / "copy")
    change(home)
    build = supplier.local(home)
    assert build.altered is None
    assert run_id(build) == "temurin-17.0.3+7"
    assert build_record(build).variant == "local"
    assert describe_replacement(build) is None


def test_a_link_to_a_folder_above_ends(stocked_shop: Shop, tmp_path: Path) -> None:
    supplier, home = copy_release(stocked_shop, tmp_path / "copy")
    (home / "lib" / "up").symlink_to("..")
    assert supplier.local(home).altered is None


def test_another_kind_of_image_is_not_compared(stocked_shop: Shop, tmp_path: Path) -> None:
    """Its modules are others by intent."""
    supplier, home = copy_release(stocked_shop, tmp_path / "copy")
    write("lib/modules")(home)
    write("release", 'MODULES="java.base jdk.jfr"\n')(home)
    assert supplier.local(home).altered is None


def test_one_for_another_c_library_is_not_compared(stocked_shop: Shop, tmp_path: Path) -> None:
    supplier, home = copy_release(stocked_shop, tmp_path / "copy")
    release = (home / "release").read_text()
    (home / "release").write_text(f'{release}LIBC="musl"\n')
    write("lib/libjava.so")(home)
    build = supplier.local(home)
    assert build.altered is None
    assert supplier.word_on(build) == "cannot be checked: the cache does not have that release"


def test_an_altered_copy_beside_its_release_and_another(stocked_shop: Shop, tmp_path: Path) -> None:
    supplier, home = copy_release(stocked_shop, tmp_path / "copy")
    same = supplier.local(home)
    write("conf/net.properties")(home)
    altered_build = supplier.local(home)
    entries = jdks_of(ENTRY).builds
    ids = [build.id for build in RunIds(entries, (same, altered_build, altered_build)).local()]
    plain = "temurin-17.0.3+7"
    assert ids == [f"{plain}@jdk", f"{plain}@altered-2", f"{plain}@altered-3"]


def test_what_it_is_not_compared_with_counts_as_unused(stocked_shop: Shop, tmp_path: Path) -> None:
    """Else no build would ever be unused for so long that it is pruned."""
    supplier, home = copy_release(stocked_shop, tmp_path / "copy")
    stocked_shop.offer("1.1", "17.0.7+7")
    other_jdks = jdks_of(from_wheel("temurin-17.0.7+7", "1.1"))
    stocked_shop.supplier(other_jdks).supply(other_jdks.builds)
    del supplier
    locks = stocked_shop.cache / "locks"
    for users in locks.glob("*.users"):
        os.utime(users, (0, 0))
    assert stocked_shop.supplier(jdks_of(ENTRY)).local(home).altered is None
    usage = {users.name: users.stat().st_mtime > 0 for users in locks.glob("*.users")}
    assert sorted(usage.values()) == [False, True]
    (name,) = (name for name, is_used in usage.items() if is_used)
    assert name.startswith("temurin-17.0.3_7-")


@pytest.mark.jdk
@pytest.mark.network
@pytest.mark.parametrize("entry_id", ["temurin-17.0.9+9", "debian-8"])
def test_a_real_copy(root: Path, jdks: JdksFile, tmp_path: Path, entry_id: str) -> None:
    supplier = Supplier(jdks, root / "jdks.lock", cache_root())
    (build,) = supplier.supply([jdks.entry(entry_id)])
    assert isinstance(build, Build)
    whole = next(folder for folder in build.home.parents if folder.name == "root").parent
    # Debian's configuration is in root/etc/, its C library in libraries/.
    shutil.copytree(whole, tmp_path / "copy", symlinks=True)
    home = tmp_path / "copy" / build.home.relative_to(whole)
    assert supplier.local(home).altered is None
    name = "conf/security/java.security"
    name = name if (home / name).exists() else "jre/lib/security/java.security"
    security = (home / name).resolve()
    security.chmod(0o644)
    security.write_text(security.read_text() + "# of this site\n")
    sentence = f"altered: differs from {build.id} in {name}"
    assert supplier.local(home).altered == sentence
