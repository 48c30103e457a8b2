# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What stands in for the Adoptium API and its file host? A WireMock process, over HTTP and HTTPS.

Its answers have the API's shapes (fields and paths as of API v3 in late 2026); what is downloaded
from it are real archives of JDKs.
"""

import hashlib
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import trustme
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    load_pem_private_key,
    pkcs12,
)
from cryptography.x509 import load_pem_x509_certificate

START_TIMEOUT_S = 60.0
_PASSWORD = b"standin"


@dataclass
class Standin:
    """A running WireMock with the bodies of its answers in `files`."""

    http: str
    https: str
    files: Path
    ca: Path
    _client: httpx.Client = field(default_factory=lambda: httpx.Client(trust_env=False))

    def reset(self) -> None:
        """Forget every stub and request."""
        self._admin("POST", "reset")

    def stub(
        self,
        path: str,
        answer: dict[str, Any],
        query: dict[str, str] | None = None,
        **options: Any,
    ) -> None:
        """Answer a GET of `path` so; a later stub goes before an earlier one."""
        request: dict[str, Any] = {"method": "GET", "urlPath": path}
        if query:
            request["queryParameters"] = {k: {"equalTo": v} for k, v in query.items()}
        self._admin("POST", "mappings", {"request": request, "response": answer, **options})

    def in_turn(self, path: str, answers: Sequence[dict[str, Any]]) -> None:
        """Answer the first GET of `path` with the first, and so on; the last one stays."""
        for n, answer in enumerate(answers):
            current = "Started" if n == 0 else str(n)
            follows = str(min(n + 1, len(answers) - 1)) if len(answers) > 1 else current
            state = {"requiredScenarioState": current, "newScenarioState": follows}
            self.stub(path, answer, None, scenarioName=path, **state)

    def requests(self, path: str) -> list[dict[str, Any]]:
        """What was asked of `path`, the oldest first."""
        events = self._admin("GET", "requests")["requests"]
        requests = [
            event["request"] for event in events if event["request"]["url"].split("?")[0] == path
        ]
        return list(reversed(requests))

    def serve(self, name: str, archive: Path) -> dict[str, Any]:
        """Serve a file as `/files/NAME`; return the API's `package` of it."""
        place = self.files / name
        place.write_bytes(archive.read_bytes())
        self.stub(f"/files/{name}", {"status": 200, "bodyFileName": name})
        return {
            "name": name,
            "link": f"{self.http}/files/{name}",
            "size": place.stat().st_size,
            "checksum": hashlib.sha256(place.read_bytes()).hexdigest(),
        }

    def _admin(self, method: str, path: str, body: Any = None) -> Any:
        address = f"{self.http}/__admin/{path}"
        answer = self._client.request(method, address, json=body).raise_for_status()
        return answer.json() if answer.content else None


def start(
    java: Path, class_path: Sequence[Path], folder: Path
) -> tuple[subprocess.Popen[str], Standin]:
    """Start WireMock on ports of its own choice, with a certificate of a CA made now."""
    ca = trustme.CA()
    (folder / "__files").mkdir(parents=True)
    (folder / "mappings").mkdir()
    ca.cert_pem.write_to_path(str(folder / "ca.pem"))
    keystore = folder / "keystore.p12"
    keystore.write_bytes(_keystore(ca))
    command = [
        str(java),
        "-Xmx256m",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        ":".join(map(str, class_path)),
        "wiremock.Run",
    ]
    command += ["--bind-address", "127.0.0.1", "--port", "0", "--https-port", "0"]
    command += ["--https-keystore", str(keystore), "--keystore-type", "PKCS12"]
    command += ["--keystore-password", _PASSWORD.decode(), "--root-dir", str(folder)]
    command += ["--key-manager-password", _PASSWORD.decode(), "--disable-banner"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    ports = _ports(process)
    return process, Standin(
        f"http://127.0.0.1:{ports['port']}",
        f"https://127.0.0.1:{ports['https-port']}",
        folder / "__files",
        folder / "ca.pem",
    )


def _ports(process: subprocess.Popen[str]) -> dict[str, int]:
    """WireMock prints its settings, one a line, when it listens."""
    assert process.stdout
    ports: dict[str, int] = {}
    for line in process.stdout:
        name, _, text = line.partition(":")
        if name.strip() in ("port", "https-port"):
            ports[name.strip()] = int(text)
        if len(ports) == 2:
            return ports
    raise AssertionError(f"WireMock ended with {process.wait(START_TIMEOUT_S)}")


def _keystore(ca: trustme.CA) -> bytes:
    leaf = ca.issue_cert("127.0.0.1", "localhost")
    key = load_pem_private_key(leaf.private_key_pem.bytes(), None)
    certificate = load_pem_x509_certificate(leaf.cert_chain_pems[0].bytes())
    encryption = BestAvailableEncryption(_PASSWORD)
    return pkcs12.serialize_key_and_certificates(b"standin", key, certificate, None, encryption)  # type: ignore[arg-type]


def release(
    name: str, version: str, package: dict[str, Any] | None, **binary: Any
) -> dict[str, Any]:
    """A release as the API has it, with one binary for linux/x64."""
    image = {
        "os": "linux",
        "architecture": "x64",
        "image_type": "jre",
        "jvm_impl": "hotspot",
        "heap_size": "normal",
        "project": "jdk",
        "scm_ref": f"{name}_adopt",
        "updated_at": "2026-01-20T10:00:00Z",
        "download_count": 1,
        "package": package,
        **binary,
    }
    return {
        "id": "RE_x",
        "release_name": name,
        "release_type": "ea" if "ea" in name else "ga",
        "vendor": "eclipse",
        "timestamp": "2026-01-20T10:00:00Z",
        "binaries": [image],
        "version_data": {"openjdk_version": version, "semver": version, "major": 17},
    }


def answer(body: Any, **options: Any) -> dict[str, Any]:
    """A JSON answer."""
    return {
        "status": 200,
        "body": json.dumps(body),
        "headers": {"Content-Type": "application/json"},
        **options,
    }
