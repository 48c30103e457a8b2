# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does `matrix facts` find what was changed in a JDK, nothing else, and say what is wrong?"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.cli.app import main
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.machine.java_program import TOOL_SHORT_LIVED
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.probe import ROOTS_OF_DEBIAN
from jdkmatrix.supply.supplier import Supplier

BUILD = "temurin-17.0.9+9"
NEWER = "debian-17"


@pytest.fixture
def copy(jdks: JdksFile, root: Path, tmp_path: Path) -> Path:
    """Of the build, by hard links: what is to be another is written anew."""
    (build,) = Supplier(jdks, root / "jdks.lock", cache_root()).supply([jdks.entry(BUILD)])
    assert isinstance(build, Build), str(build)
    return Path(shutil.copytree(build.home, tmp_path / "jdk", copy_function=os.link))


def rewrite(file: Path) -> Path:
    """The same content in a file of its own."""
    content = file.read_bytes()
    file.unlink()
    file.write_bytes(content)
    return file


@pytest.mark.jdk
@pytest.mark.network
def test_three_planted_changes_are_found_and_nothing_else(
    copy: Path, tool_jdk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    security = rewrite(copy / "conf/security/java.security")
    text = security.read_text()
    key = "jdk.tls.disabledAlgorithms="
    assert text.count(f"\n{key}") == text.count("\nssl.KeyManagerFactory.algorithm=") == 1
    text = text.replace(f"\n{key}", f"\n{key}TLS_CHACHA20_POLY1305_SHA256, ")
    text = text.replace(
        "\nssl.KeyManagerFactory.algorithm=SunX509", "\nssl.KeyManagerFactory.algorithm=PKIX"
    )
    security.write_text(text)
    cacerts = rewrite(copy / "lib/security/cacerts")
    program = str(tool_jdk / "bin" / "keytool")
    keytool = [program, *TOOL_SHORT_LIVED, "-keystore", str(cacerts), "-storepass", "changeit"]
    listing = subprocess.run([*keytool, "-list"], capture_output=True, text=True, check=True).stdout
    alias = re.findall(r"^(.*), \w{3} \d+, \d+, trustedCertEntry", listing, re.MULTILINE)[0]
    subprocess.run([*keytool, "-delete", "-alias", alias], check=True)

    assert main(["facts", "--jdk", str(copy), "--diff", BUILD, "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["explained"], document["not_compared"]) == ([], {})
    # Both are of one version: their folders tell them apart.
    assert document["baseline"] == f"{BUILD} ({copy})"
    assert document["build"].startswith(f"{BUILD} (") and document["build"] != document["baseline"]
    changes = {(change["aspect"], change["item"]) for change in document["unexplained"]}
    assert ("jdk.tls.disabledAlgorithms", "TLS_CHACHA20_POLY1305_SHA256") in changes
    assert ("security-property", "ssl.KeyManagerFactory.algorithm") in changes
    assert [change["aspect"] for change in document["unexplained"]].count("root") == 1
    # What the algorithm is disabled for shows, too: in suites.
    assert {aspect for aspect, _ in changes} == {
        "jdk.tls.disabledAlgorithms",
        "security-property",
        "default-type",
        "root",
        "client-cipher-suite",
        "server-cipher-suite",
        "supported-cipher-suite",
    }


@pytest.mark.jdk
@pytest.mark.network
def test_roots_that_cannot_be_read_are_said_and_the_rest_is_told(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rewrite(copy / "lib/security/cacerts").write_bytes(b"cut")
    assert main(["facts", "--jdk", str(copy)]) == 0
    output = capsys.readouterr().out
    assert "\nclient-protocol: TLSv1.3, TLSv1.2\n" in output
    assert "\nroot: not known: lib/security/cacerts cannot be read: " in output


@pytest.mark.jdk
@pytest.mark.network
def test_an_update_is_explained_by_its_bugs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["facts", "--build", BUILD, "--diff", BUILD]) == 0
    assert ": no default changed" in capsys.readouterr().out
    assert main(["facts", "--build", NEWER, "--diff", BUILD]) == 0
    output = capsys.readouterr().out
    assert output.startswith(f"{BUILD} -> debian-17.")  # the older one first, however it was asked
    assert "JDK-8245545: Disable TLS_RSA cipher suites\n" in output
    assert "  - client-cipher-suite TLS_RSA_WITH_AES_256_GCM_SHA384\n" in output
    assert "\nunexplained: " not in output
    top, _, bottom = output.partition("\nunexplained, and not what connections agree on: ")
    assert "  + service SUN KeyFactory ML-DSA\n" in top
    assert "  + known-property com.sun.security.crl.maxSize\n" in top
    assert "  + known-property sun.security.util.Debug\n" in bottom
    has_roots = ROOTS_OF_DEBIAN.is_file()
    assert ("\nbuilds: Debian's builds have the roots of the package " in output) is has_roots
    assert ("not compared: root: Debian's builds have none; " in output) is not has_roots
    assert main(["facts", "--build", BUILD]) == 0
    output = capsys.readouterr().out
    assert "\nnamed-group: x25519, secp256r1" in output
    assert "\nsession: client timeout, s = 86400\n" in output


@pytest.mark.jdk
@pytest.mark.network
@pytest.mark.parametrize("build", ["debian-8", BUILD])
def test_properties_have_the_defaults_that_the_guides_name(
    build: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Guide to RMI's properties, and the module pages of java.naming and jdk.httpserver."""
    assert main(["facts", "--build", build, "--json"]) == 0
    aspects = json.loads(capsys.readouterr().out)["aspects"]
    properties = aspects["known-property"]
    defaults = {
        "java.rmi.dgc.leaseValue": "600000",
        "java.rmi.server.useCodebaseOnly": "true",
        "sun.rmi.transport.tcp.responseTimeout": "0",
        "sun.net.httpserver.maxReqHeaders": "200",
        "java.rmi.server.hostname": "",
    }
    assert {name: properties[name] for name in defaults} == defaults
    assert not [name for name in properties if "jndi.ldap.Ldap" in name]  # a class is none
    assert aspects["net-property"]["jdk.http.auth.tunneling.disabledSchemes"] == "Basic"


@pytest.mark.jdk
@pytest.mark.network
def test_of_a_composed_configuration_it_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Half of what JDK-8279164 changed is in java.security, which the kit composed."""
    assert main(["facts", "--build", "debian-8u372-ga", "--diff", "debian-8u452-ga"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(" changed, none of them for no known reason")
    assert "  + jdk.tls.disabledAlgorithms ECDH" in lines
    note = "configuration composed from openjdk-8-jre-headless of sid, as before"
    assert lines[-2:] == [
        f"debian-8u372-ga: {note} JDK-8279164, JDK-8337664",
        f"debian-8u452-ga: {note} JDK-8369282",
    ]


def test_a_build_that_cannot_be_had_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path))
    assert main(["facts", "--build", NEWER, "--offline"]) == 2
    output = f"matrix: {NEWER} unavailable: debian: not in the cache, and offline\n"
    assert capsys.readouterr().err == output


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("facts", "facts: accepted: one of --jdk PATH and --build ID"),
        (f"facts --build {BUILD} --jdk x", "facts: accepted: one of --jdk PATH and --build ID"),
        ("facts --build nix", "--build nix: no such build; accepted: "),
        (f"facts --build {BUILD} --diff nix", "--diff nix: no such build; accepted: "),
        ("facts --jdk {tmp}", "--jdk {tmp}: "),
    ],
)
def test_bad_arguments(
    arguments: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments.format(tmp=tmp_path).split()) == 4
    (line,) = capsys.readouterr().err.splitlines()
    assert complaint.format(tmp=tmp_path) in line
