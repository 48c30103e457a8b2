# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Has each rule of RFC 8446 that a row is about a peer that breaks it, and is that seen?"""

import json
import re
import subprocess
from pathlib import Path

import pytest

SOURCES = "jtreg/conformance/src/tls13kit/conformance"
# A build of 17 that takes a server without EncryptedExtensions, and one that does not any more.
OLDER, NEWER = "temurin-17.0.9+9", "debian-17"
# A build with the fixes of JDK-8366244 and JDK-8366454, which no update has.
WITH_FIXES = "debian-28"
MISSING = "client/must-4.3.1-no-encrypted-extensions"
PKCS1 = "client/must-4.4.3-pkcs1-signature"
FIXED = (
    "server/must-5-change-cipher-spec-afterwards",
    "server/must-5.4-empty-application-data",
    "client/must-5.4-empty-application-data",
    "server/must-5.4-empty-alert-record",
    "client/must-5.4-empty-alert-record",
)


@pytest.mark.parametrize(("side", "file"), [("clients", "Server"), ("servers", "Client")])
def test_each_must_has_its_rule(root: Path, side: str, file: str) -> None:
    musts = (root / "test/interop/lib/Musts.java").read_text()
    body = musts.partition(f"Map<String, String> {side}() {{")[2].partition("return musts;")[0]
    rules = (root / SOURCES / f"{file}Rules.java").read_text()
    names = re.findall(r'musts\.put\("([^"]+)"', body)
    assert len(names) > 30
    assert names == list(dict.fromkeys(names))
    assert set(names) == set(re.findall(r'all\.put\("([^"]+)"', rules))


@pytest.mark.jdk
@pytest.mark.network
def test_what_a_build_learned_to_refuse_is_seen(root: Path, tmp_path: Path) -> None:
    builds = ["--build", OLDER, "--build", NEWER, "--build", WITH_FIXES]
    process = subprocess.run(
        ["scripts/matrix", "run", *builds, "--test", ":conformance", "--out", tmp_path / "run"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert process.returncode == 0, process.stderr
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    older, newer, newest = (
        {row["row"].rpartition("/TLSv1.3/")[0]: row for row in cell["rows"]}
        for cell in results["cells"]
    )
    assert len(older) >= 101
    for side in ("client", "server"):
        assert older[f"{side}/must-keeps-all-rules"]["status"] == "passed"
    for row in (MISSING, PKCS1):
        assert older[row]["status"] == "failed"
        assert "accepted, and must be refused" in older[row]["said"]
        assert newer[row]["status"] == "passed"
    for row in FIXED:
        assert [rows[row]["status"] for rows in (newer, newest)] == ["failed", "passed"], row
    # A client's certificate is asked for, and the one that keeps all rules is taken.
    assert newer["server/must-4.4.2-certificate"]["status"] == "passed"
    # Its second connection has the ticket of its first, which is known, and another binder.
    for row in ("client/must-4.1.3-downgrade-to-1.2", "server/must-4.2.11-wrong-binder"):
        assert newer[row]["status"] == older[row]["status"] == "passed"
    assert newer[MISSING]["change"].startswith(f"works, but did not on {OLDER}")
