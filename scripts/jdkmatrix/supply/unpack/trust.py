# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Whom does a JDK without certificates of its own trust?

A Debian JDK's `cacerts` is a link to a file of the machine, and is removed when the JDK is unpacked
elsewhere (`relocate.py`). It then trusts what the machine trusts.
"""

import ssl
from pathlib import Path

from jdkmatrix.machine.java_program import SHORT_LIVED
from jdkmatrix.machine.processes import run_jvm
from jdkmatrix.supply.sources.source import SourceError

_TIMEOUT_S = 60.0
BUNDLE_OF_DEBIAN = Path("/etc/ssl/certs/ca-certificates.crt")  # package ca-certificates


def trust_options(java_home: Path, program: Path, folder: Path) -> tuple[str, ...]:
    """System properties for the JDK (17+) at `java_home`; none if it has a trust store.

    `program` is TrustStore.java; the store is written into `folder`. Raises SourceError.
    """
    if any(
        (java_home / "lib" / "security" / name).is_file() for name in ("cacerts", "jssecacerts")
    ):
        return ()
    store = folder / "trust.jks"
    command: list[str | Path] = [java_home / "bin" / "java", *SHORT_LIVED, program, store]
    try:
        process = run_jvm(command, stdin=machine_bundle(), timeout_s=_TIMEOUT_S)
    except OSError as error:
        subject = error.filename or command[0]
        raise SourceError(f"the machine's certificates: {subject}: {error.strerror}") from None
    if process.code != 0:
        lines = process.errors.strip().splitlines() or ["no message"]
        raise SourceError(f"the machine's certificates: {lines[0]}")
    return (f"-Djavax.net.ssl.trustStore={store}", "-Djavax.net.ssl.trustStoreType=JKS")


def machine_bundle() -> Path:
    """The PEM file of the machine's certificates. Raises SourceError."""
    cafile = ssl.get_default_verify_paths().cafile  # heeds SSL_CERT_FILE
    for path in (Path(cafile) if cafile else None, BUNDLE_OF_DEBIAN):
        if path is not None and path.is_file():
            return path
    raise SourceError(f"no certificates on this machine: {BUNDLE_OF_DEBIAN} (ca-certificates)")
