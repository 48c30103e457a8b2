# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is an OpenPGP signature checked by the pinned key alone, as the policy says?"""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.net.signature import Signatures
from jdkmatrix.supply.sources.kinds import PINNED_KEYS
from tests.supply.adoptium_kit import BRISK, Market, adoptium, reason, require_build
from tests.supply.gpg_home import gpg_home
from tests.supply.standin import release

pytestmark = [
    pytest.mark.jdk,
    pytest.mark.skipif(shutil.which("gpg") is None, reason="no gpg to sign with"),
]
SIGNATURE = "/files/jre.tar.gz.sig"


@dataclass(frozen=True)
class Signer:
    """A key of its own, made for a test."""

    home: Path

    def gpg(self, *arguments: str) -> str:
        command = ["gpg", "--homedir", str(self.home), "--batch", "--passphrase", "", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    @property
    def fingerprint(self) -> str:
        lines = self.gpg("--list-keys", "--with-colons").splitlines()
        return next(line.split(":")[9] for line in lines if line.startswith("fpr"))

    def sign(self, file: Path, signature: Path) -> None:
        self.gpg("--yes", "--output", str(signature), "--detach-sign", str(file))


@pytest.fixture(scope="module")
def signers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Signer]]:
    """The vendor, and somebody else."""
    with (
        gpg_home(tmp_path_factory.mktemp("gpg")) as vendor,
        gpg_home(tmp_path_factory.mktemp("gpg")) as stranger,
    ):
        pair = [Signer(vendor), Signer(stranger)]
        for name, signer in zip(("vendor", "stranger"), pair, strict=True):
            signer.gpg("--quick-gen-key", name, "ed25519", "sign", "never")
        yield pair


@pytest.fixture
def signed_market(market: Market, signers: list[Signer]) -> Market:
    """A release with a good signature; the vendor's key is pinned."""
    vendor = signers[0]
    keys = market.shop.root / "keys"
    keys.mkdir()
    pin(vendor, keys)
    market.circumstances = replace(market.circumstances, pinned_keys=keys)
    package = market.standin.serve("jre.tar.gz", market.archive())
    package["signature_link"] = f"{market.standin.http}{SIGNATURE}"
    market.stub_release("jdk-17.0.3+7", release("jdk-17.0.3+7", "17.0.3+7", package))
    vendor.sign(market.archive(), market.standin.files / "jre.tar.gz.sig")
    market.standin.stub(SIGNATURE, {"status": 200, "bodyFileName": "jre.tar.gz.sig"})
    return market


def pin(signer: Signer, keys: Path) -> None:
    key_text = signer.gpg("--armor", "--export", signer.fingerprint)
    (keys / f"eclipse-{signer.fingerprint}.asc").write_text(key_text)


def bought(market: Market, policy: str) -> tuple[str, ...]:
    return require_build(market.buy(adoptium(signature=policy))).notices


@pytest.mark.parametrize("policy", ["require", "warn"])
def test_a_good_signature_is_recorded(
    signed_market: Market, signers: list[Signer], policy: str
) -> None:
    assert not any("signature" in notice for notice in bought(signed_market, policy))
    (install,) = signed_market.shop.installs()
    assert signers[0].fingerprint in (install / "installed.json").read_text()


@pytest.mark.parametrize("policy", ["require", "warn"])
def test_a_bad_signature_always_fails(signed_market: Market, policy: str) -> None:
    place = signed_market.standin.files / "jre.tar.gz.sig"
    good = bytearray(place.read_bytes())
    good[-5] ^= 1
    place.write_bytes(good)
    text = reason(signed_market.buy(adoptium(signature=policy)))
    assert text.startswith("bad signature: ")
    assert signed_market.shop.installs() == signed_market.shop.list_staging() == []


def test_another_files_signature_fails(signed_market: Market, signers: list[Signer]) -> None:
    other_file = signed_market.shop.root / "other"
    other_file.write_bytes(b"something else")
    signers[0].sign(other_file, signed_market.standin.files / "jre.tar.gz.sig")
    assert reason(signed_market.buy(adoptium(signature="warn"))).startswith("bad signature: ")


def test_a_strangers_signature_fails(signed_market: Market, signers: list[Signer]) -> None:
    signers[1].sign(signed_market.archive(), signed_market.standin.files / "jre.tar.gz.sig")
    text = reason(signed_market.buy(adoptium(signature="warn")))
    assert text.startswith("bad signature: by key ")
    assert text.endswith(f"not {signers[0].fingerprint}")


@pytest.mark.parametrize("index", [0, 1])
def test_each_of_several_pinned_keys_will_do(
    signed_market: Market, signers: list[Signer], index: int
) -> None:
    pin(signers[1], signed_market.circumstances.pinned_keys)
    signers[index].sign(signed_market.archive(), signed_market.standin.files / "jre.tar.gz.sig")
    bought(signed_market, "require")
    (install,) = signed_market.shop.installs()
    assert signers[index].fingerprint in (install / "installed.json").read_text()


def test_garbage_for_a_signature_fails(signed_market: Market) -> None:
    (signed_market.standin.files / "jre.tar.gz.sig").write_bytes(b"<html>sorry</html>")
    assert reason(signed_market.buy(adoptium(signature="warn"))).startswith("bad signature: ")


BEGIN = b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n"
END = b"-----END PGP PUBLIC KEY BLOCK-----\n"


@pytest.mark.parametrize(
    "key",
    [b"", b"\x99\x01\x0d", BEGIN + b"eA==\n" + END, BEGIN + b"\nxsBNB\n" + END],
    ids=["empty", "not armoured", "no empty line", "cut short"],
)
def test_a_damaged_key_is_named_and_always_fails(tmp_path: Path, key: bytes) -> None:
    (tmp_path / "eclipse-ABC.asc").write_bytes(key)
    web: Any = SimpleNamespace(content=lambda link, most_bytes: b"a signature")
    with pytest.raises(SourceError) as error:
        Signatures(web, tmp_path).check(tmp_path / "jre.tar.gz", "link", "eclipse", "warn")
    assert str(error.value) == "the pinned key eclipse-ABC.asc is damaged"


@pytest.fixture
def passing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Signer]:
    """Somebody whose key will not do for ever."""
    with gpg_home(tmp_path_factory.mktemp("gpg")) as home:
        yield Signer(home)


def sign_instead(signed_market: Market, signer: Signer, *options: str) -> None:
    """Let the archive have a signature by that one."""
    signature = signed_market.standin.files / "jre.tar.gz.sig"
    signer.gpg(
        *options, "--yes", "--output", str(signature), "--detach-sign", str(signed_market.archive())
    )


@pytest.mark.parametrize("policy", ["require", "warn"])
def test_a_signature_by_a_revoked_key_always_fails(
    signed_market: Market, passing: Signer, policy: str
) -> None:
    passing.gpg("--quick-gen-key", "passing", "ed25519", "sign", "never")
    sign_instead(signed_market, passing)
    (certificate,) = (passing.home / "openpgp-revocs.d").glob("*.rev")
    revocation = passing.home / "revocation"  # a colon keeps it from being imported by mistake
    revocation.write_text(certificate.read_text().replace(":-----BEGIN", "-----BEGIN"))
    passing.gpg("--import", str(revocation))
    pin(passing, signed_market.circumstances.pinned_keys)
    text = reason(signed_market.buy(adoptium(signature=policy)))
    assert text == f"bad signature: by key {passing.fingerprint[-16:]}, which was revoked"


def test_an_expired_key_is_the_policys_matter(signed_market: Market, passing: Signer) -> None:
    clock = ("--faked-system-time", "20200101T000000!")
    passing.gpg(*clock, "--quick-gen-key", "passing", "ed25519", "sign", "2d")
    sign_instead(signed_market, passing, *clock)
    pin(passing, signed_market.circumstances.pinned_keys)
    cause = f"the signature or its key {passing.fingerprint[-16:]} has expired"
    text = reason(signed_market.buy(adoptium(signature="require")))
    assert text == f"signature required, but {cause}"
    assert any(
        f"signature not checked: {cause}" in notice for notice in bought(signed_market, "warn")
    )


def missing(market: Market, monkeypatch: pytest.MonkeyPatch) -> str:
    market.standin.stub(SIGNATURE, {"status": 404})
    return "it is not where the API says (404)"


def busy(market: Market, monkeypatch: pytest.MonkeyPatch) -> str:
    market.standin.stub(SIGNATURE, {"status": 503})
    return "it cannot be fetched: jre.tar.gz.sig: 503 Service Unavailable"


def silent(market: Market, monkeypatch: pytest.MonkeyPatch) -> str:
    patience = replace(BRISK, attempts=1)
    market.circumstances = replace(market.circumstances, patience=patience)
    market.standin.stub(SIGNATURE, {"status": 200, "fixedDelayMilliseconds": 4000})
    return "it cannot be fetched: jre.tar.gz.sig: timed out"


def forbidden(market: Market, monkeypatch: pytest.MonkeyPatch) -> str:
    market.standin.stub(SIGNATURE, {"status": 403})
    return "it cannot be fetched: jre.tar.gz.sig: 403 Forbidden"


def not_named(market: Market, monkeypatch: pytest.MonkeyPatch) -> str:
    package = market.standin.serve("jre.tar.gz", market.archive())
    market.stub_release("jdk-17.0.3+7", release("jdk-17.0.3+7", "17.0.3+7", package))
    return "the API names no signature"


def no_key(market: Market, monkeypatch: pytest.MonkeyPatch) -> str:
    for key in market.circumstances.pinned_keys.iterdir():
        key.unlink()
    return "no key of eclipse is pinned"


def no_tool(market: Market, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("jdkmatrix.supply.net.signature.shutil.which", lambda name: None)
    return "this machine has no gpgv (Debian package gpgv)"


@pytest.mark.parametrize("hinder", [missing, busy, silent, forbidden, not_named, no_key, no_tool])
def test_what_cannot_be_checked_is_the_policys_matter(
    signed_market: Market,
    monkeypatch: pytest.MonkeyPatch,
    hinder: Callable[[Market, pytest.MonkeyPatch], str],
) -> None:
    cause = hinder(signed_market, monkeypatch)
    text = reason(signed_market.buy(adoptium(signature="require")))
    assert text == f"signature required, but {cause}"
    assert bought(signed_market, "warn")[0] == f"temurin-17.0.3+7: signature not checked: {cause}"


def test_off_asks_for_no_signature(signed_market: Market) -> None:
    assert not any("signature" in notice for notice in bought(signed_market, "off"))
    assert signed_market.standin.requests(SIGNATURE) == []


def test_a_build_cached_unchecked_will_not_do_once_it_is_required(signed_market: Market) -> None:
    bought(signed_market, "off")
    offline = reason(signed_market.buy(adoptium(signature="require"), offline=True))
    assert "its signature was not checked, and jdks.yaml requires it" in offline
    bought(signed_market, "require")
    assert require_build(signed_market.buy(adoptium(signature="require"), offline=True))


def test_each_pinned_key_has_the_fingerprint_of_its_name(tmp_path: Path) -> None:
    keys = sorted(PINNED_KEYS.glob("*.asc"))
    assert [key.name.partition("-")[0] for key in keys] == ["eclipse", "microsoft"]
    for key in keys:
        lines = Signer(tmp_path).gpg("--show-keys", "--with-colons", str(key)).splitlines()
        fingerprint = next(line.split(":")[9] for line in lines if line.startswith("fpr"))
        assert key.stem.endswith(f"-{fingerprint}")
