# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a vendor's release found in the index, and is one that is damaged refused in a line?"""

import json
import threading
import zipfile
from pathlib import Path

import pytest

from jdkmatrix.config import version
from jdkmatrix.config.jdks import UrlSource, load_jdks
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.added_entries import add_entries
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.parts import Circumstances
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.supplier import Supplier
from jdkmatrix.supply.vendor_index import VendorIndex

LINUX = Platform("linux", "x64")
MEMBER = "coursier/jvm/indices/v1/linux-amd64.json"
LISTS = {
    "corretto": {
        "8.412.08.1": "tgz+https://c.test/8.412.tar.gz",
        "8.422.05.1": "tgz+https://c.test/8.422.tar.gz",
        "17.0.9.8.1": "tgz+https://c.test/17.0.9.8.tar.gz",
        "17.0.9.8.2": "tgz+https://c.test/17.0.9.8.2.tar.gz",
    },
    "zulu": {"8.0.422": "tgz+https://z.test/8.tar.gz", "17.0.9": "tgz+https://z.test/17.tar.gz"},
    "microsoft-openjdk": {
        "11.0.12.7.1": "tgz+https://m.test/11.tar.gz",
        "17.0.8.1": "tgz+https://m.test/17.0.8.1.tar.gz",
        "17.0.9": "tgz+https://m.test/17.tar.gz",
    },
    "ibm-semeru": {"8.0.422": "tgz+https://i.test/8.tar.gz"},
    "liberica": {"8.0-422": "zip+https://l.test/8.zip", "17.0.9": "file:///etc/passwd"},
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
        ("microsoft", "17.0.9", "17.0.9", "https://m.test/17.tar.gz"),
        ("microsoft", "11.0.12", "11.0.12+7", "https://m.test/11.tar.gz"),
        ("microsoft", "17.0.8.1", "17.0.8.1", "https://m.test/17.0.8.1.tar.gz"),
        ("semeru", "8u422", "8u422", "https://i.test/8.tar.gz"),
    ],
)
def test_a_release_is_found_by_its_version(
    tmp_path: Path, vendor: str, text: str, release_version: str, address: str
) -> None:
    release = index(tmp_path).release(vendor, version.parse(text))
    assert (str(release.version), release.address) == (release_version, address)


def test_one_that_is_not_there_is_refused_with_what_is(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"'8u423': index.jar has no such .* accepted: 8u4"):
        index(tmp_path).release("corretto", version.parse("8u423"))
    with pytest.raises(UsageError, match=r"'17.0.9\+9': .* accepted: 17.0.9\+8"):
        index(tmp_path).release("corretto", version.parse("17.0.9+9"))


def test_an_address_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"17\.0\.9: no archive at an https address"):
        index(tmp_path).release("liberica", version.parse("17.0.9"))


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


def test_an_entry_is_added_by_its_address(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "jdks.yaml"
    path.write_bytes((root / "jdks.yaml").read_bytes())
    locks = Locks(tmp_path / "locks", threading.Event())
    vendor_index = index(tmp_path)
    for vendor, text, name, address in (
        ("corretto", "8u422", "corretto-8u422-b05", "https://c.test/8.422.tar.gz"),
        ("zulu", "17.0.9", "zulu-17.0.9", "https://z.test/17.tar.gz"),
    ):
        (entry,) = add_entries(
            path, locks, vendor, text, lambda _: vendor_index, circumstances=Circumstances(LINUX)
        )
        assert entry.id == name
        assert load_jdks(path).entry(name) == entry
        assert entry.sources == (UrlSource(source="url", url=address),)


@pytest.mark.network
@pytest.mark.jdk
def test_the_real_index_has_what_the_kit_names(root: Path) -> None:
    checkout = Checkout(root)
    jars = Supplier.of_checkout(checkout, offline=False).jars(checkout).class_path("vendors")
    real = VendorIndex.read(jars, LINUX)
    corretto = real.release("corretto", version.parse("8u422"))
    assert str(corretto.version) == "8u422-b05"
    assert corretto.address.endswith(".tar.gz")
    assert real.release("liberica", version.parse("17.0.9"))
    assert real.release("graalvm_community", version.parse("21.0.2"))
    for vendor in ("zulu", "microsoft", "semeru"):
        assert real.release(vendor, version.parse("17.0.9")).address.endswith(".tar.gz")
