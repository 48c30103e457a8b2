# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are a JDK's TLS defaults what that JDK was shipped with, and is a JDK that lies refused?"""

from dataclasses import replace
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.machine.java_program import JavaTool
from jdkmatrix.machine.processes import run_jvm
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import Build, Overlay, SourceError
from jdkmatrix.supply.probe import Probe
from jdkmatrix.supply.runtime_facts import RuntimeFacts
from jdkmatrix.supply.supplier import Supplier

pytestmark = [pytest.mark.jdk, pytest.mark.network]


def supply(jdks: JdksFile, root: Path, entry_id: str) -> Build:
    (build,) = Supplier(jdks, root / "jdks.lock", cache_root()).supply([jdks.entry(entry_id)])
    assert isinstance(build, Build), str(build)
    return build


def ask_facts(build: Build, tool_jdk: Path, root: Path) -> RuntimeFacts:
    return Probe(JavaTool.of_checkout(Checkout(root), tool_jdk)).facts(build)


def test_the_defaults_of_8_11_and_25(jdks: JdksFile, root: Path, tool_jdk: Path) -> None:
    ids = ("debian-8", "temurin-11.0.13+8", "temurin-25.0.2+10")
    builds = [supply(jdks, root, entry_id) for entry_id in ids]
    eight, eleven, newest = (ask_facts(build, tool_jdk, root) for build in builds)
    for facts, build in zip((eight, eleven, newest), builds, strict=True):
        assert facts.client_protocols == ("TLSv1.3", "TLSv1.2")
        assert (facts.version, facts.debug_level) == (build.facts.version, "release")
        assert (facts.jfr, facts.javac) == (build.facts.has_jfr, build.facts.has_javac)
        assert "TLS_AES_128_GCM_SHA256" in facts.client_cipher_suites
        assert facts.named_groups[-1] == "ffdhe8192"
        assert facts.key_shares[0] == facts.named_groups[0]
        process = run_jvm([build.home / "bin" / "java", "-version"], timeout_s=60)
        assert facts.shown_version == process.errors.strip()
    assert "SSLv2Hello" in eight.server_protocols
    assert "SSLv2Hello" not in newest.server_protocols
    assert ("x25519" in eight.named_groups, "x25519" in eleven.named_groups) == (False, True)


def test_a_jdk_that_says_it_is_another_is_refused(
    jdks: JdksFile, root: Path, tool_jdk: Path
) -> None:
    build = supply(jdks, root, "temurin-17.0.3+7")
    lie = replace(build, facts=replace(build.facts, version="17.0.4+8"))
    with pytest.raises(SourceError, match=r"refused: it reports \('17.0.3\+7', "):
        ask_facts(lie, tool_jdk, root)


def test_what_is_laid_over_a_build_is_in_force(jdks: JdksFile, root: Path, tool_jdk: Path) -> None:
    """And an answer without it is not taken for the build's, nor the other way round."""
    build = supply(jdks, root, "temurin-17.0.9+9")
    options = ("-Djdk.tls.client.protocols=TLSv1.2",)
    overlay_build = replace(build, overlay=Overlay("off", "--overlay x", "00", options, ""))
    for jdk, protocols in ((build, ("TLSv1.3", "TLSv1.2")), (overlay_build, ("TLSv1.2",))) * 2:
        facts = ask_facts(jdk, tool_jdk, root)
        assert facts.client_protocols == protocols
        assert facts.usable_protocols == ("TLSv1.3", "TLSv1.2")
        assert facts.management is True
        assert "jdk.jfr" in (facts.listed_modules or ())
