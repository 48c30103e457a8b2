# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Whom a JDK without certificates is to trust, or why that cannot be told, in its own words."""

from pathlib import Path

import pytest

from jdkmatrix.machine.java_program import JavaTool
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.jars.maven import trust_options

# As a JVM does that heeds the user's options.
JAVA = """#!/bin/sh
test -z "$JAVA_TOOL_OPTIONS" || echo "Picked up JAVA_TOOL_OPTIONS: $JAVA_TOOL_OPTIONS" >&2
"""
FAILS = 'echo Exception in thread \\"main\\" java.io.IOException: no room >&2; exit 1\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A JDK without certificates; the machine has some."""
    (tmp_path / "machine.pem").touch()
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "machine.pem"))
    programs = tmp_path / "jdk" / "bin"
    programs.mkdir(parents=True)
    stores = f'{JAVA}for store; do :; done\ncp /dev/stdin "$store"\n'
    for name, script in (("java", stores), ("javac", "#!/bin/sh\n")):
        (programs / name).write_text(script)
        (programs / name).chmod(0o755)
    return tmp_path / "jdk"


def tool_of(home: Path) -> JavaTool:
    return JavaTool(Checkout.current().java_tool, home, home / "cache")


def refusal(home: Path) -> str:
    with pytest.raises(SourceError) as error:
        trust_options(tool_of(home), home)
    return str(error.value)


def test_it_is_told_the_machines_certificates(home: Path, tmp_path: Path) -> None:
    (tmp_path / "machine.pem").write_text("some")
    assert trust_options(tool_of(home), tmp_path) == (
        f"-Djavax.net.ssl.trustStore={tmp_path}/trust.jks",
        "-Djavax.net.ssl.trustStoreType=JKS",
    )
    assert (tmp_path / "trust.jks").read_text() == "some"


@pytest.mark.parametrize("name", ["cacerts", "jssecacerts"])
def test_one_with_certificates_is_told_nothing(home: Path, name: str) -> None:
    (home / "lib" / "security").mkdir(parents=True)
    (home / "lib" / "security" / name).touch()
    assert trust_options(tool_of(home), home) == ()


@pytest.mark.parametrize("options", ["", "-Dproxy=x"])
def test_why_it_failed_is_what_java_says_first(
    home: Path, monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", options)
    (home / "bin" / "java").write_text(JAVA + FAILS)
    says = 'Exception in thread "main" java.io.IOException: no room'
    assert refusal(home) == f"the machine's certificates: exit code 1: {says}"


def test_what_is_not_there_is_named(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = home / "bin" / "java"
    java.unlink()
    assert refusal(home) == f"the machine's certificates: the tool JDK has no {java}"
    (tmp_path / "machine.pem").unlink()
    bundle = tmp_path / "none.crt"
    monkeypatch.setattr("jdkmatrix.supply.jars.maven.BUNDLE_OF_DEBIAN", bundle)
    assert refusal(home) == f"no certificates on this machine: {bundle} (ca-certificates)"
