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

from jdkmatrix.supply.net.signature import PINNED_KEYS, Signatures
from jdkmatrix.supply.sources.source import SourceError
from tests.supply.adoptium_kit import Market, adoptium, got, reason
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
        listed = self.gpg("--list-keys", "--with-colons").splitlines()
        return next(line.split(":")[9] for line in listed if line.startswith("fpr"))

    def sign(self, file: Path, signature: Path) -> None:
        self.gpg("--yes", "--output", str(signature), "--detach-sign", str(file))


@pytest.fixture(scope="module")
def signers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Signer]]:
    """The vendor, and somebody else."""
    with (
        gpg_home(tmp_path_factory.mktemp("gpg")) as vendor,
        gpg_home(tmp_path_factory.mktemp("gpg")) as stranger,
    ):
        made = [Signer(vendor), Signer(stranger)]
        for name, signer in zip(("vendor", "stranger"), made, strict=True):
            signer.gpg("--quick-gen-key", name, "ed25519", "sign", "never")
        yield made


@pytest.fixture
def signed(market: Market, signers: list[Signer]) -> Market:
    """A release with a good signature; the vendor's key is pinned."""
    vendor = signers[0]
    keys = market.shop.root / "keys"
    keys.mkdir()
    pin(vendor, keys)
    market.circumstances = replace(market.circumstances, pinned_keys=keys)
    package = market.standin.put("jre.tar.gz", market.archive())
    package["signature_link"] = f"{market.standin.http}{SIGNATURE}"
    market.named("jdk-17.0.3+7", release("jdk-17.0.3+7", "17.0.3+7", package))
    vendor.sign(market.archive(), market.standin.files / "jre.tar.gz.sig")
    market.standin.stub(SIGNATURE, {"status": 200, "bodyFileName": "jre.tar.gz.sig"})
    return market


def pin(signer: Signer, keys: Path) -> None:
    armoured = signer.gpg("--armor", "--export", signer.fingerprint)
    (keys / f"eclipse-{signer.fingerprint}.asc").write_text(armoured)


def bought(market: Market, policy: str) -> tuple[str, ...]:
    return got(market.buy(adoptium(signature=policy))).notices


@pytest.mark.parametrize("policy", ["require", "warn"])
def test_a_good_signature_is_recorded(signed: Market, signers: list[Signer], policy: str) -> None:
    assert not any("signature" in notice for notice in bought(signed, policy))
    (install,) = signed.shop.installs()
    assert signers[0].fingerprint in (install / "installed.json").read_text()


@pytest.mark.parametrize("policy", ["require", "warn"])
def test_a_bad_signature_always_fails(signed: Market, policy: str) -> None:
    place = signed.standin.files / "jre.tar.gz.sig"
    good = bytearray(place.read_bytes())
    good[-5] ^= 1
    place.write_bytes(good)
    told = reason(signed.buy(adoptium(signature=policy)))
    assert told.startswith("bad signature: ")
    assert signed.shop.installs() == signed.shop.staged() == []


def test_another_files_signature_fails(signed: Market, signers: list[Signer]) -> None:
    other = signed.shop.root / "other"
    other.write_bytes(b"something else")
    signers[0].sign(other, signed.standin.files / "jre.tar.gz.sig")
    assert reason(signed.buy(adoptium(signature="warn"))).startswith("bad signature: ")


def test_a_strangers_signature_fails(signed: Market, signers: list[Signer]) -> None:
    signers[1].sign(signed.archive(), signed.standin.files / "jre.tar.gz.sig")
    told = reason(signed.buy(adoptium(signature="warn")))
    assert told.startswith("bad signature: by key ")
    assert told.endswith(f"not {signers[0].fingerprint}")


@pytest.mark.parametrize("which", [0, 1])
def test_each_of_several_pinned_keys_will_do(
    signed: Market, signers: list[Signer], which: int
) -> None:
    pin(signers[1], signed.circumstances.pinned_keys)
    signers[which].sign(signed.archive(), signed.standin.files / "jre.tar.gz.sig")
    bought(signed, "require")
    (install,) = signed.shop.installs()
    assert signers[which].fingerprint in (install / "installed.json").read_text()


def test_garbage_for_a_signature_fails(signed: Market) -> None:
    (signed.standin.files / "jre.tar.gz.sig").write_bytes(b"<html>sorry</html>")
    assert reason(signed.buy(adoptium(signature="warn"))).startswith("bad signature: ")


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
    with pytest.raises(SourceError) as caught:
        Signatures(web, tmp_path).check(tmp_path / "jre.tar.gz", "link", "eclipse", "warn")
    assert str(caught.value) == "the pinned key eclipse-ABC.asc is damaged"


@pytest.fixture
def passing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Signer]:
    """Somebody whose key will not do for ever."""
    with gpg_home(tmp_path_factory.mktemp("gpg")) as home:
        yield Signer(home)


def sign_instead(signed: Market, signer: Signer, *options: str) -> None:
    """Let the archive have a signature by that one."""
    signature = signed.standin.files / "jre.tar.gz.sig"
    signer.gpg(
        *options, "--yes", "--output", str(signature), "--detach-sign", str(signed.archive())
    )


@pytest.mark.parametrize("policy", ["require", "warn"])
def test_a_signature_by_a_revoked_key_always_fails(
    signed: Market, passing: Signer, policy: str
) -> None:
    passing.gpg("--quick-gen-key", "passing", "ed25519", "sign", "never")
    sign_instead(signed, passing)
    (made,) = (passing.home / "openpgp-revocs.d").glob("*.rev")
    revocation = passing.home / "revocation"  # a colon keeps it from being imported by mistake
    revocation.write_text(made.read_text().replace(":-----BEGIN", "-----BEGIN"))
    passing.gpg("--import", str(revocation))
    pin(passing, signed.circumstances.pinned_keys)
    told = reason(signed.buy(adoptium(signature=policy)))
    assert told == f"bad signature: by key {passing.fingerprint[-16:]}, which was revoked"


def test_an_expired_key_is_the_policys_matter(signed: Market, passing: Signer) -> None:
    then = ("--faked-system-time", "20200101T000000!")
    passing.gpg(*then, "--quick-gen-key", "passing", "ed25519", "sign", "2d")
    sign_instead(signed, passing, *then)
    pin(passing, signed.circumstances.pinned_keys)
    why = f"the signature or its key {passing.fingerprint[-16:]} has expired"
    told = reason(signed.buy(adoptium(signature="require")))
    assert told == f"signature required, but {why}"
    assert any(f"signature not checked: {why}" in notice for notice in bought(signed, "warn"))


def missing(market: Market, monkeypatch: pytest.MonkeyPatch) -> str:
    market.standin.stub(SIGNATURE, {"status": 404})
    return "it is not where the API says (404)"


def busy(market: Market, monkeypatch: pytest.MonkeyPatch) -> str:
    market.standin.stub(SIGNATURE, {"status": 503})
    return "it cannot be fetched: jre.tar.gz.sig: 503 Service Unavailable"


def silent(market: Market, monkeypatch: pytest.MonkeyPatch) -> str:
    patience = replace(market.circumstances.patience, attempts=1)
    market.circumstances = replace(market.circumstances, patience=patience)
    market.standin.stub(SIGNATURE, {"status": 200, "fixedDelayMilliseconds": 4000})
    return "it cannot be fetched: jre.tar.gz.sig: timed out"


def refused(market: Market, monkeypatch: pytest.MonkeyPatch) -> str:
    market.standin.stub(SIGNATURE, {"status": 403})
    return "it cannot be fetched: jre.tar.gz.sig: 403 Forbidden"


def not_named(market: Market, monkeypatch: pytest.MonkeyPatch) -> str:
    package = market.standin.put("jre.tar.gz", market.archive())
    market.named("jdk-17.0.3+7", release("jdk-17.0.3+7", "17.0.3+7", package))
    return "the API names no signature"


def no_key(market: Market, monkeypatch: pytest.MonkeyPatch) -> str:
    for key in market.circumstances.pinned_keys.iterdir():
        key.unlink()
    return "no key of eclipse is pinned"


def no_tool(market: Market, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("jdkmatrix.supply.net.signature.shutil.which", lambda name: None)
    return "this machine has no gpgv (Debian package gpgv)"


@pytest.mark.parametrize("hinder", [missing, busy, silent, refused, not_named, no_key, no_tool])
def test_what_cannot_be_checked_is_the_policys_matter(
    signed: Market,
    monkeypatch: pytest.MonkeyPatch,
    hinder: Callable[[Market, pytest.MonkeyPatch], str],
) -> None:
    why = hinder(signed, monkeypatch)
    told = reason(signed.buy(adoptium(signature="require")))
    assert told == f"signature required, but {why}"
    assert bought(signed, "warn")[0] == f"temurin-17.0.3+7: signature not checked: {why}"


def test_off_asks_for_no_signature(signed: Market) -> None:
    assert not any("signature" in notice for notice in bought(signed, "off"))
    assert signed.standin.requests(SIGNATURE) == []


def test_a_build_cached_unchecked_will_not_do_once_it_is_required(signed: Market) -> None:
    bought(signed, "off")
    offline = reason(signed.buy(adoptium(signature="require"), offline=True))
    assert "its signature was not checked, and jdks.yaml requires it" in offline
    bought(signed, "require")
    assert got(signed.buy(adoptium(signature="require"), offline=True))


def test_each_pinned_key_has_the_fingerprint_of_its_name(tmp_path: Path) -> None:
    keys = sorted(PINNED_KEYS.glob("*.asc"))
    assert [key.name.partition("-")[0] for key in keys] == ["eclipse", "microsoft"]
    for key in keys:
        shown = Signer(tmp_path).gpg("--show-keys", "--with-colons", str(key)).splitlines()
        fingerprint = next(line.split(":")[9] for line in shown if line.startswith("fpr"))
        assert key.stem.endswith(f"-{fingerprint}")
