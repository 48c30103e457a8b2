# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which JDK does the kit use for itself, and what is reported of one that does not work?

The JDKs are shell scripts; their `javac` makes nothing.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from jdkmatrix.config.jdks import AnySource, DebianSource, DebianToolSource
from jdkmatrix.errors import MachineError
from jdkmatrix.supply import tool_jdk
from jdkmatrix.supply.build import Artifact, Build, ByteReport, FetchedFile, Offer, SourceError
from jdkmatrix.supply.discovery import DiscoveredJdk
from jdkmatrix.supply.platform import machine_platform
from jdkmatrix.supply.supplier import Supplier
from jdkmatrix.supply.tool_jdk import ToolJdkUse
from tests.supply.supply_kit import Shop, from_wheel, full_jdk, jdks_of, starts, write_jdk

ENTRY = from_wheel("temurin-17.0.3+7", "1.0")
JDKS = jdks_of(ENTRY)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The JDKs that `jdks discover` finds, none yet; JAVA_HOME is not set."""
    homes: list[Path] = []

    def discover(*_: object) -> tuple[DiscoveredJdk, ...]:
        return tuple(DiscoveredJdk(home, ("SDKMAN",)) for home in homes)

    monkeypatch.setattr(tool_jdk, "discover_jdks", discover)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    return homes


def choose_tool_jdk(supplier: Supplier) -> tuple[str, str]:
    build = supplier.tool_jdk()
    return build.source, build.id


LOCK = json.dumps(
    {
        "schema": 1,
        "platforms": {
            machine_platform().lock_key: {
                "debian-17": {
                    "version": "17.0.9+9",
                    "source": "debian",
                    "artifacts": [
                        {
                            "name": "openjdk-17",
                            "version": "17.0.9+9-1",
                            "size_bytes": 1,
                            "sha256": "9" * 64,
                        }
                    ],
                }
            }
        },
    }
)
PLACES = ("--jdk", "JAVA_HOME", "SDKMAN", "cache", "wheel")


@pytest.mark.parametrize("first", range(len(PLACES)), ids=PLACES)
def test_the_first_jdk_at_hand_is_taken(
    first: int, shop: Shop, machine: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.offer("1.0", "17.0.3+7", javac=True)
    shop.offer("2.0", "21.0.8+9", javac=True)
    jdks = jdks_of(ENTRY, from_wheel("temurin-21.0.8+9", "2.0"))
    places = PLACES[first:]
    if "cache" in places:
        shop.supplier(jdks).supply(jdks.builds[1:])
    supplier = shop.supplier(jdks)
    if "SDKMAN" in places:
        machine.append(full_jdk(shop.root / "sdkman", "17.0.5+8"))
    if "JAVA_HOME" in places:
        monkeypatch.setenv("JAVA_HOME", str(full_jdk(shop.root / "home", "17.0.6+10")))
    if "--jdk" in places:
        supplier.local(full_jdk(shop.root / "own", "17.0.7+7"))
    ids = ("debian-17.0.7+7", "debian-17.0.6+10", "debian-17.0.5+8", "temurin-21.0.8+9")
    assert choose_tool_jdk(supplier) == (PLACES[first], (*ids, "temurin-17.0.3+7")[first])


@pytest.mark.parametrize("is_fetched", [False, True], ids=["cached", "fetched anyhow"])
def test_that_of_jdks_yaml_goes_first_where_it_costs_no_download(
    is_fetched: bool, shop: Shop, machine: list[Path]
) -> None:
    shop.offer("1.0", "17.0.3+7", javac=True)
    machine.append(full_jdk(shop.root / "sdkman"))
    if not is_fetched:
        shop.supplier(JDKS).supply(JDKS.builds)
    supplier = shop.supplier(JDKS)
    supplier.tool_jdk_use = ToolJdkUse(
        fetched_entries=frozenset({"temurin-17.0.3+7"} if is_fetched else ())
    )
    assert choose_tool_jdk(supplier) == ("wheel", "temurin-17.0.3+7")
    assert starts(machine[0]) == 0


def test_a_jdk_that_is_judged_is_its_own_peer_only_if_there_is_no_other(
    shop: Shop, machine: list[Path]
) -> None:
    user_jdk = full_jdk(shop.root / "own", "17.0.7+7")
    for expected in ("--jdk", "SDKMAN"):
        supplier = shop.supplier(JDKS)
        supplier.tool_jdk_use = ToolJdkUse(judges=True)
        supplier.local(user_jdk)
        assert supplier.tool_jdk().source == expected
        if not machine:
            machine.append(full_jdk(shop.root / "sdkman"))


def test_a_resumed_run_keeps_its_tool_jdk(
    shop: Shop, machine: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.append(full_jdk(shop.root / "sdkman", "17.0.5+8"))
    monkeypatch.setenv("JAVA_HOME", str(full_jdk(shop.root / "home", "17.0.6+10")))
    for resumed_build, expected in (
        ("debian-17.0.5+8", "SDKMAN"),
        ("debian-17.0.1+1", "JAVA_HOME"),
    ):
        supplier = shop.supplier(JDKS)
        supplier.tool_jdk_use = ToolJdkUse(resumed_build=resumed_build)
        assert supplier.tool_jdk().source == expected


BROKEN = [
    ("java", "exit 1", "does not start: ended with code 1"),
    ("javac", "echo no memory >&2; exit 3", "compiling the facts: exit code 3: no memory"),
    ("javac", None, "it has no javac"),
    ("java", None, "not a JDK: no bin/java"),
]


@pytest.mark.parametrize(("program", "script", "reason"), BROKEN)
def test_one_that_does_not_work_is_passed_over_in_one_line(
    program: str,
    script: str | None,
    reason: str,
    shop: Shop,
    machine: list[Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = full_jdk(shop.root / "home")
    if script is None:
        (home / "bin" / program).unlink()
    else:
        (home / "bin" / program).write_text(f"#!/bin/sh\n{script}\n")
    monkeypatch.setenv("JAVA_HOME", str(home))
    machine.append(full_jdk(shop.root / "sdkman"))
    assert shop.supplier(JDKS).tool_jdk().source == "SDKMAN"
    (notice,) = shop.progress.notices
    assert notice.startswith(f"not used as the tool JDK: JAVA_HOME {home}: {reason}")
    assert notice.endswith("; accepted: a JDK of 17 or later with javac and Flight Recorder")


def test_a_javac_is_tried_where_another_jdk_has_compiled_already(
    shop: Shop, machine: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.append(full_jdk(shop.root / "sdkman"))
    assert shop.supplier(JDKS).tool_jdk().source == "SDKMAN"
    home = full_jdk(shop.root / "home")
    (home / "bin" / "javac").write_text("#!/bin/sh\nexit 3\n")
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert shop.supplier(JDKS).tool_jdk().source == "SDKMAN"
    assert f"JAVA_HOME {home}: javac: exit code 3" in shop.progress.notices[-1]


def test_a_java_home_that_leads_nowhere_is_one_line(
    shop: Shop, machine: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", "/nix/jdk")
    machine.append(full_jdk(shop.root / "sdkman"))
    assert shop.supplier(JDKS).tool_jdk().source == "SDKMAN"
    (notice,) = shop.progress.notices
    assert notice.startswith("not used as the tool JDK: JAVA_HOME /nix/jdk: no such folder; ")


def test_a_jre_of_the_users_is_passed_over_in_one_line_and_an_old_jdk_in_none(
    shop: Shop, machine: list[Path]
) -> None:
    machine.append(full_jdk(shop.root / "sdkman"))
    machine.insert(0, write_jdk(shop.root / "image"))
    machine.insert(0, full_jdk(shop.root / "old", "11.0.24+8"))
    supplier = shop.supplier(JDKS)
    supplier.local(full_jdk(shop.root / "own", "11.0.25+9"))
    jre = write_jdk(shop.root / "jre", "17.0.4+8")
    supplier.local(jre)
    assert supplier.tool_jdk().source == "SDKMAN"
    (notice,) = shop.progress.notices
    assert notice.startswith(f"not used as the tool JDK: --jdk {jre}: it has no javac; ")
    assert starts(machine[0]) == 0  # its `release` file is enough


def test_it_is_started_once_until_it_changes(shop: Shop, machine: list[Path]) -> None:
    machine.append(full_jdk(shop.root / "sdkman"))
    for _ in range(3):
        shop.supplier(JDKS).tool_jdk()
    assert starts(machine[0]) == 1
    (machine[0] / "lib" / "modules").write_bytes(b"of an update")
    assert shop.supplier(JDKS).tool_jdk().id == "debian-17.0.9+9"
    assert starts(machine[0]) == 2


def test_a_cached_one_that_is_not_what_the_lock_says_is_not_taken(
    shop: Shop, machine: list[Path]
) -> None:
    shop.offer("1.0", "17.0.3+7", javac=True)
    shop.supplier(JDKS).supply(JDKS.builds)
    lock = re.sub(r'("tree_sha256": ")\w+', rf"\g<1>{'0' * 64}", shop.lock.read_text())
    shop.lock.write_text(lock)
    with pytest.raises(MachineError) as error:
        shop.supplier(JDKS, offline=True).tool_jdk()
    assert "jdks.lock has 0000" in str(error.value)
    assert str(error.value).count("\n") == 0


def test_without_any_the_line_names_each_and_what_to_do(shop: Shop, machine: list[Path]) -> None:
    machine += [write_jdk(shop.root / "jre"), full_jdk(shop.root / "old", "11.0.24+8")]
    with pytest.raises(MachineError) as error:
        shop.supplier(JDKS, offline=True).tool_jdk()
    text = str(error.value)
    assert text.startswith(
        f"no tool JDK: SDKMAN {machine[0]}: it has no javac; SDKMAN {machine[1]}: it is of train "
        "11; temurin-17.0.3+7 unavailable: wheel: "
    )
    assert text.endswith(
        "to fix it: set JAVA_HOME to a JDK of 17 or later with javac and Flight Recorder"
    )


def test_one_of_jdks_yaml_without_javac_will_not_do(shop: Shop, machine: list[Path]) -> None:
    shop.offer("1.0", "17.0.3+7")
    with pytest.raises(MachineError) as error:
        shop.supplier(JDKS).tool_jdk()
    need = "a JDK of 17 or later with javac and Flight Recorder"
    assert str(error.value) == (
        "no tool JDK: temurin-17.0.3+7 unavailable: wheel: temurin-17.0.3+7 is not "
        f"{need} (tools.jdk in jdks.yaml); to fix it: set JAVA_HOME to {need}"
    )


class OlderNow:
    """Debian's packages, of which only an older version than the locked is left."""

    kind, label, goes_on = "debian", "bookworm", False

    def __init__(self, config: AnySource) -> None:
        self.config = config

    def fits(self, artifacts: Sequence[Artifact]) -> bool:
        return bool(artifacts)

    def resolve(self, artifacts: Sequence[Artifact]) -> tuple[Offer, ...]:
        if artifacts and not isinstance(self.config, DebianToolSource):
            raise SourceError("bookworm has 17.0.1 at most, older than 17.0.9 of jdks.lock")
        return (Offer("openjdk-17", "17.0.1+12-1", 1, "1" * 64),)

    def fetch(
        self, offers: Sequence[Offer], staging: Path, report_bytes: ByteReport
    ) -> tuple[FetchedFile, ...]:
        return (FetchedFile(Artifact("openjdk-17", "17.0.1+12-1", 1, "1" * 64), staging),)

    def install(self, files: object, target: Path, final: Path) -> Path:
        return full_jdk(target / "root", "17.0.1+12")


def test_an_older_one_than_the_locked_is_a_tool_and_no_build(
    shop: Shop, machine: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = {"source": "debian", "suite": "bookworm", "packages": ["openjdk-17"]}
    jdks = jdks_of({"id": "debian-17", "sources": [packages]})

    def source(config: AnySource, *_: object) -> OlderNow:
        assert isinstance(config, DebianSource)
        return OlderNow(config)

    monkeypatch.setattr("jdkmatrix.supply.install.downloading", source)
    shop.lock.write_text(LOCK)
    supplier = shop.supplier(jdks)
    assert choose_tool_jdk(supplier) == ("debian", "debian-17.0.1+12")
    assert shop.progress.notices == [
        "debian-17 unavailable: debian: bookworm has 17.0.1 at most, older than 17.0.9 of "
        "jdks.lock; the tool JDK is debian-17.0.1+12"
    ]
    assert shop.lock.read_text() == LOCK
    (outcome,) = supplier.supply(jdks.builds)
    assert not isinstance(outcome, Build)
    assert choose_tool_jdk(shop.supplier(jdks, offline=True)) == ("cache", "debian-17.0.1+12")
