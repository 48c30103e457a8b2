# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is `jars.lock` what `pom.xml` asks for, pinned to the byte, and is a damaged one refused?"""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.jars.jar_cache import read_jars_lock, write_jars_lock
from jdkmatrix.supply.jars.lock_jars import lock_of, profiles_of
from jdkmatrix.supply.jars.maven import MachineMaven
from tests.supply.jars.maven_kit import Registry, lock

POM = {"pom": "http://maven.apache.org/POM/4.0.0"}


class TestShipped:
    def test_each_profile_is_a_class_path_with_the_versions_of_the_pom(self, root: Path) -> None:
        jars_lock = read_jars_lock(Checkout(root).jars_lock)
        assert sorted(jars_lock.class_paths) == sorted(profiles_of(Checkout(root).pom))
        for profile in ElementTree.parse(Checkout(root).pom).iterfind(".//pom:profile", POM):
            name = profile.findtext("pom:id", "", POM)
            lock_ids = {(jar.name, jar.version) for jar in jars_lock.class_paths[name]}
            for jar in profile.iterfind(".//pom:dependency", POM):
                group, artifact, version = [element.text or "" for element in jar][:3]
                assert (f"{group}:{artifact}", version) in lock_ids

    def test_every_version_in_the_pom_is_an_exact_one(self, root: Path) -> None:
        versions = ElementTree.parse(Checkout(root).pom).iterfind(".//pom:version", POM)
        for version in versions:
            assert re.fullmatch(r"[0-9][\w.-]*", version.text or "")

    def test_it_names_no_host(self, root: Path) -> None:
        assert "://" not in Checkout(root).jars_lock.read_text(encoding="utf-8")


def test_the_lock_is_made_from_what_maven_resolves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = Registry(tmp_path)
    registry.stock()
    monkeypatch.setenv("PATH", str(registry.bin), prepend=":")
    jars_lock = lock_of(registry.pom, [MachineMaven()])
    assert jars_lock == lock()
    path = tmp_path / "jars.lock"
    assert write_jars_lock(path, jars_lock)
    assert not write_jars_lock(path, jars_lock)
    assert read_jars_lock(path) == jars_lock


def test_why_there_is_no_lock_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = Registry(tmp_path)
    registry.stock(error="no jar of a:b")
    monkeypatch.setenv("PATH", str(registry.bin), prepend=":")
    with pytest.raises(MachineError) as error:
        lock_of(registry.pom, [MachineMaven()])
    assert str(error.value) == f"{registry.pom}: no jar of a:b"
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MachineError) as error:
        lock_of(registry.pom, [MachineMaven(), MachineMaven()])
    reason = "mvn: no mvn on this machine's PATH"
    assert str(error.value) == f"{reason}; {reason}"


GOOD = {"name": "a.b:c", "version": "1.0", "size_bytes": 1, "sha256": "0" * 64}


@pytest.mark.parametrize(
    ("jar", "text"),
    [
        ({**GOOD, "name": "c"}, "not the coordinates of a jar: c 1.0"),
        ({**GOOD, "name": "a:../../b"}, "not the coordinates of a jar: a:../../b 1.0"),
        ({**GOOD, "version": "[1,2)"}, "not the coordinates of a jar: a.b:c [1,2)"),
        ({**GOOD, "version": "1..2"}, "not the coordinates of a jar: a.b:c 1..2"),
        ({**GOOD, "sha256": "abc"}, "a.b:c: not a SHA-256: abc"),
        ({"name": "a.b:c"}, "version"),
    ],
)
def test_a_damaged_lock_is_one_line(tmp_path: Path, jar: dict[str, object], text: str) -> None:
    path = tmp_path / "jars.lock"
    path.write_text(json.dumps({"schema": 1, "class_paths": {"peer": [jar]}}))
    with pytest.raises(UsageError) as error:
        read_jars_lock(path)
    assert text in str(error.value)
    assert str(error.value).startswith(f"{path}: not a lock file of schema 1: ")
    assert "scripts/lock-jars" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_lock_and_a_pom_without_profiles_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"jars\.lock: cannot be read: .*; run scripts/lock-jars "):
        read_jars_lock(tmp_path / "jars.lock")
    pom = tmp_path / "pom.xml"
    with pytest.raises(UsageError) as error:
        profiles_of(pom)
    assert str(error.value) == f"{pom}: No such file or directory"
    pom.write_text("<project>")
    with pytest.raises(UsageError) as error:
        profiles_of(pom)
    assert str(error.value) == f"{pom}: no element found: line 1, column 9"
    pom.write_text("<project/>")
    with pytest.raises(UsageError, match=r"pom\.xml: no profile; each class path is one"):
        profiles_of(pom)
