# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a cached JDK that was changed in any way found out, and never used?"""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.cache.manifest import ManifestMismatch, check, record_tree
from jdkmatrix.supply.installable import Installable
from tests.supply.supply_kit import Shop, from_wheel, jdks_of

pytestmark = pytest.mark.slow

JDKS = jdks_of(from_wheel("temurin-17.0.3+7", "1.0"))
LOCK = "scripts/matrix jdks lock temurin-17.0.3+7"
HOME = "root/fakejdk/java-runtime"


def buy(shop: Shop, *, offline: bool = False) -> Build | Unavailable:
    (outcome,) = shop.supplier(JDKS, offline=offline).supply(JDKS.builds)
    return outcome


def flip_a_byte_and_hide_it(folder: Path) -> None:
    path = folder / HOME / "lib" / "modules"
    state = path.stat()
    with path.open("r+b") as file:
        file.seek(5000)
        file.write(b"X")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


def truncate(folder: Path) -> None:
    os.truncate(folder / HOME / "lib" / "modules", 100)


def remove_a_file(folder: Path) -> None:
    (folder / HOME / "conf" / "net.properties").unlink()


def add_a_file(folder: Path) -> None:
    (folder / HOME / "conf" / "extra").write_text("x")


def add_a_link(folder: Path) -> None:
    (folder / HOME / "conf" / "extra").symlink_to("/etc/passwd")


def take_the_execute_bit(folder: Path) -> None:
    (folder / HOME / "bin" / "java").chmod(0o644)


def damage_the_record(folder: Path) -> None:
    os.truncate(folder / "installed.json", 50)


def remove_the_record(folder: Path) -> None:
    (folder / "installed.json").unlink()


def put_a_pipe_for_a_file(folder: Path) -> None:
    remove_a_file(folder)
    os.mkfifo(folder / HOME / "conf" / "net.properties")


def put_a_pipe_for_the_record(folder: Path) -> None:
    remove_the_record(folder)
    os.mkfifo(folder / "installed.json")


def add_an_empty_folder(folder: Path) -> None:
    (folder / HOME / "conf" / "empty").mkdir()


def change_a_file_and_the_record(folder: Path) -> None:
    with (folder / HOME / "conf" / "net.properties").open("a") as file:
        file.write("http.nonProxyHosts=*\n")
    about = folder / "installed.json"
    record = json.loads(about.read_text())
    about.unlink()
    record["manifest"] = record_tree(folder).manifest.model_dump()
    about.write_text(json.dumps(record))


def lead_elsewhere(folder: Path) -> None:
    about = folder / "installed.json"
    about.write_text(about.read_text().replace(f'"home":"{HOME}"', f'"home":"../x/{HOME}"'))


DAMAGES = [
    (add_an_empty_folder, "its tree has the SHA-256 "),
    (change_a_file_and_the_record, "its tree has the SHA-256 "),
    (lead_elsewhere, "installed.json is damaged"),
    (flip_a_byte_and_hide_it, f"{HOME}/lib/modules changed (SHA-256 "),
    (truncate, f"{HOME}/lib/modules changed (100 bytes, not 70000)"),
    (remove_a_file, f"{HOME}/conf/net.properties is missing"),
    (add_a_file, f"{HOME}/conf/extra was added"),
    (add_a_link, f"{HOME}/conf/extra was added"),
    (take_the_execute_bit, f"{HOME}/bin/java changed (mode 644, not 755)"),
    (damage_the_record, "installed.json is damaged"),
    (remove_the_record, "installed.json is missing"),
    (put_a_pipe_for_a_file, f"{HOME}/conf/net.properties is not a file, folder or link"),
    (put_a_pipe_for_the_record, "installed.json is not a file, folder or link"),
]


@pytest.mark.parametrize(("damage", "text"), DAMAGES)
def test_a_change_is_named_and_the_jdk_fetched_again(
    stocked_shop: Shop, damage: Callable[[Path], None], text: str
) -> None:
    assert isinstance(buy(stocked_shop, offline=True), Build)  # its record is that of the copy now
    (folder,) = stocked_shop.installs()
    damage(folder)

    offline = buy(stocked_shop, offline=True)
    assert isinstance(offline, Unavailable)
    assert offline.reasons[0][1].startswith(f"cached temurin-17.0.3+7: {text}")

    outcome = buy(stocked_shop)
    assert isinstance(outcome, Build)
    assert any(text in notice for notice in stocked_shop.progress.notices)
    assert isinstance(buy(stocked_shop, offline=True), Build)
    assert stocked_shop.list_staging() == []


def test_what_is_unpacked_must_be_the_tree_of_the_lock(shop: Shop) -> None:
    shop.offer("1.0", "17.0.3+7")
    assert isinstance(buy(shop), Build)
    first = json.loads(shop.lock.read_text())
    (entry,) = (entry for platform in first["platforms"].values() for entry in platform.values())
    good, entry["tree_sha256"] = entry["tree_sha256"], "0" * 64
    shop.lock.write_text(json.dumps(first))
    refusal = buy(shop)
    assert isinstance(refusal, Unavailable)
    reason = f"refused: its tree has the SHA-256 {good}, but jdks.lock has {'0' * 64}"
    assert refusal.reasons[0][1] == f"{reason} (to accept it: {LOCK})"
    assert len(shop.installs()) == 1  # a run may use it

    (build,) = shop.supplier(JDKS).renew(JDKS.builds)
    assert isinstance(build, Build)
    assert good in shop.lock.read_text()


def test_what_is_no_build_is_taken_once_the_lock_has_it_no_more() -> None:
    assert Installable.jdk(JDKS.builds[0]).taken_by == LOCK
    assert Installable.jtreg(JDKS.tools).taken_by == "remove jtreg from jdks.lock"


ODDITIES = [
    (
        lambda path: os.setxattr(path, "security.capability", b"\1\0\0\2" + b"\0" * 16),
        "file has file capabilities",
    ),
    (lambda path: os.chown(path, 12345, -1), "file belongs to user 12345, not 0"),
]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
@pytest.mark.parametrize(("change", "text"), ODDITIES)
def test_owners_and_capabilities_count(
    tmp_path: Path, change: Callable[[Path], None], text: str
) -> None:
    (tmp_path / "file").write_text("x")
    manifest = record_tree(tmp_path).manifest
    check(tmp_path, manifest)
    change(tmp_path / "file")
    with pytest.raises(ManifestMismatch, match=f"^{text}$"):
        check(tmp_path, manifest)


def test_a_link_that_is_gone_or_leads_elsewhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    (tmp_path / "b").write_text("x")
    link = tmp_path / "l"
    link.symlink_to("a")
    manifest = record_tree(tmp_path).manifest
    check(tmp_path, manifest)
    link.unlink()
    with pytest.raises(ManifestMismatch, match=r"^l was removed$"):
        check(tmp_path, manifest)
    link.symlink_to("b")
    with pytest.raises(ManifestMismatch, match=r"^l now links to b$"):
        check(tmp_path, manifest)


def test_a_copied_cache_is_hashed_once_and_then_good(stocked_shop: Shop) -> None:
    buy(stocked_shop)
    (folder,) = stocked_shop.installs()
    copy = folder.with_name("copy")
    shutil.copytree(folder, copy, symlinks=True)
    shutil.rmtree(folder)
    copy.rename(folder)
    old_mtime_ns = (folder / "installed.json").stat().st_mtime_ns
    assert isinstance(buy(stocked_shop, offline=True), Build)
    new_mtime_ns = (folder / "installed.json").stat().st_mtime_ns
    assert new_mtime_ns != old_mtime_ns
    assert isinstance(buy(stocked_shop, offline=True), Build)
    assert (folder / "installed.json").stat().st_mtime_ns == new_mtime_ns
