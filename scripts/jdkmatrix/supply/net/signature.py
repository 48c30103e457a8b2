# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Did the vendor sign this archive, with the key that this repository pins?

`keys/<API's vendor>-<fingerprint>.asc` are the pinned keys. A vendor may have several, such as
while a new key replaces an old one. The check is done by GnuPG's `gpgv`, which apt's downloads need
anyway: it trusts only the keys it is given, and reads files of any size.
"""

import base64
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from jdkmatrix.machine.files import content_of
from jdkmatrix.machine.processes import complaint, run
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.net.web import NotThere, Web

Policy = Literal["require", "warn", "off"]

_TIMEOUT_S = 120.0
_MOST_SIGNATURE_BYTES = 64 << 10
# VALIDSIG ends with the fingerprint of the primary key (GnuPG, doc/DETAILS).
_VALID = re.compile(r"^\[GNUPG:\] VALIDSIG (?:\S+ )+(?P<primary>[0-9A-F]{40})$", re.MULTILINE)
# For these, too, gpgv reports a good and valid signature, also by its exit code.
_REVOKED = re.compile(r"^\[GNUPG:\] REVKEYSIG (?P<key>[0-9A-F]+)", re.MULTILINE)
_EXPIRED = re.compile(r"^\[GNUPG:\] EXP(?:KEY)?SIG (?P<key>[0-9A-F]+)", re.MULTILINE)
_UNKNOWN = re.compile(r"^\[GNUPG:\] NO_PUBKEY (?P<key>[0-9A-F]+)$", re.MULTILINE)


@dataclass(frozen=True)
class SignatureCheck:
    """`signed_by` is the fingerprint of the pinned key, None if nothing was checked."""

    signed_by: str | None
    notices: tuple[str, ...] = ()


class _NotCheckable(Exception):
    """The signature cannot be checked; the text says why: no signature, no key, no tool."""


class Signatures:
    """Checks detached OpenPGP signatures against the keys in the folder `keys`."""

    def __init__(self, web: Web, keys: Path) -> None:
        self._web = web
        self._keys = keys

    def check(self, file: Path, link: str | None, vendor: str, policy: Policy) -> SignatureCheck:
        """Check the signature at `link`, unless the policy is `off`. Raises SourceError if it is
        bad, and if it cannot be checked and the policy is `require`.
        """
        if policy == "off":
            return SignatureCheck(None)
        try:
            return SignatureCheck(self._signed_by(file, link, vendor))
        except _NotCheckable as error:
            if policy == "require":
                raise SourceError(f"signature required, but {error}") from None
            return SignatureCheck(None, (f"signature not checked: {error}",))

    def _signed_by(self, file: Path, link: str | None, vendor: str) -> str:
        keys = sorted(self._keys.glob(f"{vendor}-*.asc"))
        if not keys:
            raise _NotCheckable(f"no key of {vendor} is pinned")
        if link is None:
            raise _NotCheckable("the API names no signature")
        gpgv = shutil.which("gpgv")
        if gpgv is None:
            raise _NotCheckable("this machine has no gpgv (Debian package gpgv)")
        signature = _write_file(file.with_name("signature"), self._content(link))
        keyring = _write_file(
            file.with_name("keyring"), b"".join(_strip_armour(key) for key in keys)
        )
        process = run(
            [gpgv, "--status-fd", "1", "--keyring", keyring, signature, file], timeout_s=_TIMEOUT_S
        )
        fingerprints = [key.stem.rpartition("-")[2] for key in keys]
        if revocation := _REVOKED.search(process.output):
            raise SourceError(f"bad signature: by key {revocation['key']}, which was revoked")
        if expiry := _EXPIRED.search(process.output):
            raise _NotCheckable(f"the signature or its key {expiry['key']} has expired")
        valid = _VALID.search(process.output)
        if process.code == 0 and valid is not None and valid["primary"] in fingerprints:
            return valid["primary"]
        unknown_key = _UNKNOWN.search(process.output)
        if unknown_key is not None:
            raise SourceError(
                f"bad signature: by key {unknown_key['key']}, not {' or '.join(fingerprints)}"
            )
        raise SourceError(f"bad signature: {complaint(process, 'gpgv: ')}")

    def _content(self, link: str) -> bytes:
        try:
            return self._web.content(link, _MOST_SIGNATURE_BYTES)
        except NotThere:
            raise _NotCheckable("it is not where the API says (404)") from None
        except SourceError as trouble:
            self._web.go_on()
            raise _NotCheckable(f"it cannot be fetched: {trouble}") from None


def _write_file(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def _strip_armour(key: Path) -> bytes:
    """The key without its armour (RFC 9580 section 6.2), as gpgv reads no other."""
    try:
        lines = content_of(key).decode("ascii").strip().splitlines()
        body = lines[lines.index("") + 1 : -1]
        return base64.b64decode("".join(line for line in body if not line.startswith("=")))
    except ValueError:  # no text, no armour or no Base64
        raise SourceError(f"the pinned key {key.name} is damaged") from None
