# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Whom does a JDK without certificates of its own trust?

A Debian JDK's `cacerts` is a link to a file of the machine, and is removed when the JDK is unpacked
elsewhere (`relocate.py`). It then trusts what the machine trusts.
"""

import ssl
from pathlib import Path

from jdkmatrix.errors import MachineError
from jdkmatrix.machine.java_tool import JavaTool
from jdkmatrix.supply.sources.source import SourceError

_TIMEOUT_S = 60
BUNDLE_OF_DEBIAN = Path("/etc/ssl/certs/ca-certificates.crt")  # package ca-certificates


def trust_options(tool: JavaTool, folder: Path) -> tuple[str, ...]:
    """System properties for the JDK that `tool` runs on; none if it has a trust store.

    The store is written into `folder`. Raises SourceError.
    """
    security = tool.java_home / "lib" / "security"
    if any((security / name).is_file() for name in ("cacerts", "jssecacerts")):
        return ()
    store = folder / "trust.jks"
    bundle, subject = machine_bundle(), "the machine's certificates"
    try:
        tool.run("trust-store", [str(store)], subject, _TIMEOUT_S, stdin=bundle)
    except MachineError as error:
        raise SourceError(str(error)) from None
    return (f"-Djavax.net.ssl.trustStore={store}", "-Djavax.net.ssl.trustStoreType=JKS")


def machine_bundle() -> Path:
    """The PEM file of the machine's certificates. Raises SourceError."""
    cafile = ssl.get_default_verify_paths().cafile  # heeds SSL_CERT_FILE
    for path in (Path(cafile) if cafile else None, BUNDLE_OF_DEBIAN):
        if path is not None and path.is_file():
            return path
    raise SourceError(f"no certificates on this machine: {BUNDLE_OF_DEBIAN} (ca-certificates)")
