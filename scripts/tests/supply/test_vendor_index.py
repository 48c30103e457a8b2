# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a vendor's release found in the index, and is one that is damaged refused in a line?"""

import json
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jdkmatrix.config import version
from jdkmatrix.config.jdks import BuildEntry, UrlSource, load_jdks
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.added_entries import add_entries
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.net.web import NotThere, Web
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.sources.kinds import Circumstances
from jdkmatrix.supply.supplier import Supplier
from jdkmatrix.supply.vendor_index import VendorIndex, VendorRelease

LINUX = Platform("linux", "x64")
MEMBER = "coursier/jvm/indices/v1/linux-amd64.json"
LISTS = {
    "corretto": {
        "8": "tgz+https://c.test/8.tar.gz",
        "8.412.08.1": "tgz+https://c.test/8.412.tar.gz",
        "8.422.05.1": "tgz+https://c.test/8.422.tar.gz",
        "17.0.9.8.1": "tgz+https://c.test/17.0.9.8.tar.gz",
        "17.0.9.8.2": "tgz+https://c.test/17.0.9.8.2.tar.gz",
    },
    "zulu": {
        "8.0.422": "tgz+https://z.test/8.tar.gz",
        "17.0.8.1": "tgz+https://z.test/bin/zulu17.44.53-ca-jdk17.0.8.1-linux_x64.tar.gz",
        "17.0.9": "tgz+https://z.test/bin/zulu17.46.29-ca-crac-jdk17.0.9-linux_x64.tar.gz",
        "17.0.10": "tgz+https://z.test/bin/zulu17.48.15-ca-jdk17.0.10-linux_x64.tar.gz",
    },
    "graalvm-community": {
        "21.0.1": "tgz+https://g.test/21.0.1.tar.gz",
        "21.0.2": "tgz+https://g.test/21.0.2.tar.gz",
    },
    "microsoft-openjdk": {
        "11.0.12.7.1": "tgz+https://m.test/11.tar.gz",
        "17.0.8.1": "tgz+https://m.test/17.0.8.1.tar.gz",
        "17.0.9": "tgz+https://m.test/17.tar.gz",
    },
    "ibm-semeru": {
        "8.0.422": "tgz+https://i.test/8.tar.gz",
        "17.0.9": "tgz+https://i.test/17.0.9.tar.gz",
        "17.0.10": "tgz+https://i.test/17.0.10.tar.gz",
        "17": "tgz+https://i.test/17.tar.gz",
        "x": "tgz+https://i.test/x.tar.gz",
    },
    "liberica": {
        "8.0-422": "zip+https://l.test/8.zip",
        "17.0.9": "file:///etc/passwd",
        "21.0.8": "tgz+https://l.test/21.0.8.tar.gz",
    },
}


def jar(folder: Path, text: str, member: str = MEMBER) -> Path:
    path = folder / "index.jar"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, text)
    return path


def index(folder: Path) -> VendorIndex:
    return VendorIndex.read([jar(folder, json.dumps(LISTS))], LINUX)


@pytest.mark.parametrize(
    ("vendor", "text", "release_version", "address"),
    [
        ("corretto", "8u422", "8u422-b05", "https://c.test/8.422.tar.gz"),
        ("corretto", "8u412-b08", "8u412-b08", "https://c.test/8.412.tar.gz"),
        ("corretto", "17.0.9", "17.0.9+8", "https://c.test/17.0.9.8.2.tar.gz"),
        ("liberica", "8u422", "8u422", "https://l.test/8.zip"),
        ("zulu", "8u422", "8u422", "https://z.test/8.tar.gz"),
        ("liberica", "21.0.8", "21.0.8", "https://l.test/21.0.8.tar.gz"),
        ("graalvm_community", "21.0.2", "21.0.2", "https://g.test/21.0.2.tar.gz"),
        ("microsoft", "17.0.9", "17.0.9", "https://m.test/17.tar.gz"),
        ("microsoft", "11.0.12", "11.0.12+7", "https://m.test/11.tar.gz"),
        ("microsoft", "17.0.8.1", "17.0.8.1", "https://m.test/17.0.8.1.tar.gz"),
        ("semeru", "8u422", "8u422", "https://i.test/8.tar.gz"),
    ],
)
def test_a_release_is_found_by_its_version(
    tmp_path: Path, vendor: str, text: str, release_version: str, address: str
) -> None:
    (release,) = index(tmp_path).releases(vendor, (version.parse(text), version.parse(text)))
    assert (str(release.version), release.address) == (release_version, address)


def releases(folder: Path, vendor: str, text: str) -> tuple[VendorRelease, ...]:
    bounds = version.parse_range(text) if ".." in text else (version.parse(text),) * 2
    return index(folder).releases(vendor, bounds)


MISTAKES = [
    (
        "corretto",
        "8u423",
        r"'8u423': index.jar has no such release of corretto; accepted: 8u412-b08, 8u422-b05$",
    ),
    ("corretto", "17.0.9+9", r"'17.0.9\+9': .* accepted: 17.0.9\+8"),
    (
        "semeru",
        "17.1.1",
        r"'17.1.1': index.jar has no such release of semeru; accepted: 17.0.9, 17.0.10$",
    ),
    ("liberica", "11.0.9", r"'11.0.9': index.jar has no such .* accepted: 8, 17, 21$"),
    (
        "zulu",
        "17.0.9",
        r"'17.0.9': index.jar has another product under this version, "
        r"zulu17.46.29-ca-crac-jdk17.0.9-linux_x64.tar.gz, and no plain release of zulu; "
        r"accepted: 17.0.8.1, 17.0.10",
    ),
]


@pytest.mark.parametrize(("vendor", "text", "says"), MISTAKES)
def test_one_that_is_not_there_is_refused_with_what_is(
    tmp_path: Path, vendor: str, text: str, says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        releases(tmp_path, vendor, text)


def test_a_range_has_the_latest_of_each_version(tmp_path: Path) -> None:
    addresses = [r.address for r in releases(tmp_path, "corretto", "8u402..8u422")]
    assert addresses == ["https://c.test/8.412.tar.gz", "https://c.test/8.422.tar.gz"]
    addresses = [r.address for r in releases(tmp_path, "zulu", "17.0.8.1..17.0.10")]
    assert [address.rpartition("jdk")[2][:8] for address in addresses] == ["17.0.8.1", "17.0.10-"]
    (latest,) = releases(tmp_path, "corretto", "17.0.9..17.0.9")
    assert latest.address == "https://c.test/17.0.9.8.2.tar.gz"


def test_an_address_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"17\.0\.9: no archive at an https address"):
        releases(tmp_path, "liberica", "17.0.9")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"corretto": {"8": 1}}', '{"corretto": "x"}', "[" * 100_000]
)
def test_a_damaged_index_is_a_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(MachineError, match=r"index.jar: no index of JDKs: [^\n]*$"):
        VendorIndex.read([jar(tmp_path, text)], LINUX)


def test_a_cut_jar_and_a_large_one_are_refused(tmp_path: Path) -> None:
    whole = jar(tmp_path, json.dumps(LISTS)).read_bytes()
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        (tmp_path / "index.jar").write_bytes(whole[:length])
        with pytest.raises(MachineError, match="no index of JDKs"):
            VendorIndex.read([tmp_path / "index.jar"], LINUX)
    with pytest.raises(MachineError, match="larger than"):
        VendorIndex.read([jar(tmp_path, " " * (1 << 24))], LINUX)


def test_another_platform_has_none(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="no index of JDKs for mac on x64"):
        VendorIndex.read([jar(tmp_path, "{}")], Platform("mac", "x64"))


class Inquiry:
    """`jdks add` in a copy of jdks.yaml; what it tells is in `notices`."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.path = folder / "jdks.yaml"
        self.path.write_bytes((root / "jdks.yaml").read_bytes())
        self.notices: list[str] = []
        self._index = index(folder)

    def add(self, vendor: str, text: str, *, offline: bool = False) -> list[BuildEntry]:
        return add_entries(
            self.path,
            Locks(self.path.parent / "locks", threading.Event()),
            vendor,
            text,
            lambda _: self._index,
            offline,
            Circumstances(LINUX),
            self.notices.append,
        )


@pytest.fixture
def inquiry(root: Path, tmp_path: Path) -> Inquiry:
    return Inquiry(root, tmp_path)


ADDED = [
    ("corretto", "8u422", ["corretto-8u422-b05"], "https://c.test/8.422.tar.gz"),
    ("semeru", "17", ["semeru-17.0.10"], "https://i.test/17.0.10.tar.gz"),
    ("liberica", "21.0.8", ["liberica-21.0.8"], "https://l.test/21.0.8.tar.gz"),
    ("graalvm", "21", ["graalvm_community-21.0.2"], "https://g.test/21.0.2.tar.gz"),
    ("azul", "8u422", ["zulu-8u422"], "https://z.test/8.tar.gz"),
    (
        "corretto",
        "8u402..8u422",
        ["corretto-8u412-b08", "corretto-8u422-b05"],
        "https://c.test/8.422.tar.gz",
    ),
]


@pytest.mark.parametrize(("vendor", "text", "names", "address"), ADDED)
def test_an_entry_is_added_by_its_address(
    inquiry: Inquiry, vendor: str, text: str, names: list[str], address: str
) -> None:
    entries = inquiry.add(vendor, text, offline=True)
    assert [entry.id for entry in entries] == names
    assert load_jdks(inquiry.path).entry(names[-1]) == entries[-1]
    assert entries[-1].sources == (UrlSource(source="url", url=address),)
    assert len(inquiry.notices) == len(names)
    assert inquiry.notices[0].endswith("not asked whether it is there: --offline")


WRONG = [
    ("zulu", "17-ea", r"'17-ea': of zulu only releases are listed; accepted: 17 for the newest"),
    ("zulu", "x", r"'x': not a version or range; accepted: 8u412, "),
    ("semeru", "18", r"'18': index.jar has no such release of semeru; accepted: "),
    ("dragonwell", "17", r"'dragonwell': unknown vendor; accepted: temurin, corretto, liberica, "),
]


@pytest.mark.parametrize(("vendor", "text", "says"), WRONG)
def test_what_is_not_listed_is_a_line(
    inquiry: Inquiry, root: Path, vendor: str, text: str, says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        inquiry.add(vendor, text, offline=True)
    assert inquiry.path.read_bytes() == (root / "jdks.yaml").read_bytes()


def test_an_archive_that_is_gone_is_not_added(
    inquiry: Inquiry, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked for; a server that does not answer is told."""
    faults: list[SourceError] = [NotThere("8.zip: 404 Not Found"), SourceError("8.zip: no route")]

    @contextmanager
    def response(_: Web, address: str) -> Iterator[None]:
        assert address == "https://l.test/8.zip"
        raise faults.pop(0)
        yield

    monkeypatch.setattr(Web, "response", response)
    with pytest.raises(UsageError, match=r"^liberica 8u422: listed, but not there: 8.zip: 404"):
        inquiry.add("liberica", "8u422")
    assert inquiry.path.read_bytes() == (root / "jdks.yaml").read_bytes()
    (entry,) = inquiry.add("liberica", "8u422")
    assert entry.id == "liberica-8u422"
    assert inquiry.notices == ["liberica 8u422: not known whether it is there: 8.zip: no route"]


@pytest.mark.network
@pytest.mark.jdk
def test_the_real_index_has_what_the_kit_names(root: Path) -> None:
    checkout = Checkout(root)
    jars = Supplier.of_checkout(checkout, offline=False).jars(checkout).class_path("vendors")
    real = VendorIndex.read(jars, LINUX)

    def last(vendor: str, text: str) -> VendorRelease:
        return real.releases(vendor, (version.parse(text),) * 2)[-1]

    corretto = last("corretto", "8u422")
    assert str(corretto.version) == "8u422-b05"
    assert corretto.address.endswith(".tar.gz")
    assert last("corretto", "8u372")
    assert last("liberica", "21.0.8")
    assert last("graalvm_community", "21.0.2")
    for vendor in ("microsoft", "semeru"):
        assert last(vendor, "17.0.9").address.endswith(".tar.gz")
    with pytest.raises(UsageError, match=r"another product .*-crac-"):
        last("zulu", "17.0.9")
