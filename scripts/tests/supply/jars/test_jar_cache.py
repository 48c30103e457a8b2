# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Do the jars of a lock get into the cache, whole and unchanged, and is any other byte refused?"""

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from jdkmatrix.errors import LackingError, MachineError, UsageError
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.jars import jar_cache
from jdkmatrix.supply.jars.jar_cache import jar_path
from jdkmatrix.supply.jars.maven import MachineMaven, MavenCommand
from tests.supply.jars.maven_kit import Registry, lock


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    """A stocked registry whose `mvn` is the first on the PATH."""
    new_registry = Registry(tmp_path)
    new_registry.stock()
    monkeypatch.setenv("PATH", str(new_registry.bin), prepend=os.pathsep)
    return new_registry


def refusal(get: Callable[[], object]) -> str:
    with pytest.raises(MachineError) as error:
        get()
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_class_path_is_fetched_once_and_in_its_order(registry: Registry) -> None:
    jars = registry.jars().class_path("azure")
    assert [path.name for path in jars] == [
        "http-1.16.jar",
        "json-2.18.jar",  # of the other class path it is 2.15
        "tcnative-2.0.1.Final-linux-x86_64.jar",
    ]
    assert all(path.is_file() for path in jars)
    assert registry.progress.labels == ["jars"]
    (registry.bin / "mvn").unlink()
    assert registry.jars(offline=True).class_path("azure") == jars
    assert registry.jars().class_path("peer")[0].is_file()
    assert registry.jars(offline=True).fetch() in jars[0].parents
    assert registry.list_staging() == []


def test_an_unknown_class_path_names_the_known(registry: Registry) -> None:
    with pytest.raises(UsageError, match=r"no class path 'wiremock'.*; accepted: azure, peer"):
        registry.jars().class_path("wiremock")


def test_other_bytes_than_the_locks_are_refused(registry: Registry) -> None:
    registry.stock(suffix="x")
    first = lock().jars[0]
    reason = refusal(lambda: registry.jars().class_path("peer"))
    assert reason.startswith(f"jars: {first.name} {first.version}: SHA-256 is ")
    assert reason.endswith(f"but jars.lock has {first.sha256}")
    assert registry.installs() == []
    assert registry.list_staging() == []


def test_another_set_of_jars_than_the_locks_is_refused(registry: Registry) -> None:
    registry.stock(extra=True)
    reason = refusal(lambda: registry.jars().class_path("peer"))
    assert "the lock lacks not.in:lock 1; jtreg/jars.lock does not match jtreg/pom.xml" in reason
    assert registry.installs() == []


def test_a_changed_byte_in_the_cache_is_named_and_the_jars_are_fetched_again(
    registry: Registry,
) -> None:
    jar, _ = registry.jars().class_path("peer")
    content = jar.read_bytes()
    times = jar.stat()
    jar.write_bytes(b"X" + content[1:])
    os.utime(jar, ns=(times.st_atime_ns, times.st_mtime_ns))
    reason = refusal(lambda: registry.jars(offline=True).class_path("peer"))
    assert "mock-3.1.jar changed (SHA-256 " in reason
    assert reason.endswith(", and offline")
    new_jar, _ = registry.jars().class_path("peer")
    assert new_jar.read_bytes() == content
    assert "mock-3.1.jar changed" in registry.progress.notices[0]


@pytest.mark.parametrize("offline", [False, True])
def test_a_machine_without_any_maven_lacks_them(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, offline: bool
) -> None:
    monkeypatch.setenv("PATH", str(registry.root / "empty"))
    with pytest.raises(LackingError) as failure:
        registry.jars(offline=offline).class_path("peer")
    lack = "no mvn on this machine's PATH, and no apt-get and no dpkg-deb on this machine"
    assert str(failure.value) == f"jars: {lack}"


def test_one_whose_maven_fails_does_not(registry: Registry) -> None:
    registry.stock(error="no route to host")
    with pytest.raises(MachineError) as failure:
        registry.jars().class_path("peer")
    assert not isinstance(failure.value, LackingError)


def test_offline_without_a_cache_says_so_and_starts_nothing(registry: Registry) -> None:
    reason = refusal(lambda: registry.jars(offline=True).class_path("peer"))
    assert reason == "jars: not in the cache, and offline"
    assert registry.progress.labels == []


class OtherMaven:
    """A way whose Maven is the registry's, or that fails."""

    kind = "other"

    def __init__(self, program: Path) -> None:
        self._program = program

    def command(self, folder: Path) -> MavenCommand:
        if not self._program.is_file():
            raise SourceError(f"no {self._program.name} here")
        return MavenCommand((str(self._program),))


class TestNextWay:
    def test_without_mvn_the_next_way_is_taken(
        self, registry: Registry, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", str(registry.root / "empty"))
        other_maven = OtherMaven(registry.bin / "mvn")
        jar, _ = registry.jars((MachineMaven(), other_maven)).class_path("peer")
        assert jar.is_file()

    def test_where_no_way_leads_on_each_has_its_reason(
        self, registry: Registry, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", str(registry.root / "empty"))
        monkeypatch.setattr(jar_cache, "lack_of_maven", lambda: None)
        other_maven = OtherMaven(registry.root / "nothing")
        reason = refusal(lambda: registry.jars((MachineMaven(), other_maven)).class_path("peer"))
        assert reason == "jars: mvn: no mvn on this machine's PATH; other: no nothing here"

    def test_a_maven_that_fails_tells_its_first_error_without_the_host(
        self, registry: Registry
    ) -> None:
        registry.stock(error="no jar at https://user:secret@maven.example/a/b.jar")
        reason = refusal(lambda: registry.jars().class_path("peer"))
        assert reason == "jars: mvn: no jar at b.jar"

    def test_a_stopped_run_tries_no_further_way(self, registry: Registry) -> None:
        stop = threading.Event()
        stop.set()
        assert refusal(lambda: registry.jars(stop=stop).class_path("peer")) == "jars: interrupted"


class NoRoom:
    """A way for which there is no room; a write names no file, unlike making a folder."""

    kind = "full"

    def __init__(self, *place: str) -> None:
        self._place = place

    def command(self, folder: Path) -> MavenCommand:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), *self._place)


@pytest.mark.parametrize("place", [(), ("/cache/staging/x",)])
def test_a_full_disk_is_one_line_and_leaves_nothing(
    registry: Registry, place: tuple[str, ...]
) -> None:
    reason = refusal(lambda: registry.jars((NoRoom(*place),)).class_path("peer"))
    assert reason == ": ".join(["jars", *place, "No space left on device"])
    assert registry.list_staging() == []
    assert registry.installs() == []


def test_a_jar_lies_where_maven_has_it() -> None:
    tcnative = lock().class_paths["azure"][2]
    assert str(jar_path(tcnative)) == (
        "io/netty/tcnative/2.0.1.Final/tcnative-2.0.1.Final-linux-x86_64.jar"
    )
