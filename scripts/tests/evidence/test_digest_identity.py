# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which JDK made a recording, whoever built it? By the texts of their JVMs."""

import subprocess
from pathlib import Path

import pytest

from jdkmatrix.machine.java_program import JavaTool

pytestmark = pytest.mark.jdk

VERSIONS = {
    "OpenJDK 64-Bit Server VM (17.0.9+9) for linux-amd64 JRE (17.0.9+9), built on Oct": "17.0.9+9",
    "OpenJDK 64-Bit Server VM (25.504-b01) for linux-amd64 JRE (1.8.0_504-8u504-ga-1-b01)": (
        "1.8.0_504-8u504-ga-1-b01"
    ),
    # Azul's tell their own version first.
    "OpenJDK 64-Bit Server VM (11.0.7+10-LTS) for linux-amd64"
    " JRE (Zulu11.39+15-CA) (11.0.7+10-LTS), built on Apr": "11.0.7+10-LTS",
    "OpenJDK 64-Bit Server VM (25.252-b14) for linux-amd64"
    " JRE (Zulu 8.46.0.52-SA-linux64) (1.8.0_252-b14), built on Apr": "1.8.0_252-b14",
    "another VM": "another VM",
}
PROGRAM = """
package tls13kit.digest;

class Ask {
    public static void main(String[] texts) {
        for (String text : texts) {
            System.out.println(JvmIdentity.runtimeVersion(text));
        }
    }
}
"""


def test_the_runtime_s_version_is_told_for_every_vendor(
    java_tool: JavaTool, tool_jdk: Path, tmp_path: Path
) -> None:
    (tmp_path / "Ask.java").write_text(PROGRAM)
    class_path = ["-cp", ":".join(map(str, (*java_tool.compile(), tmp_path)))]
    javac = [str(tool_jdk / "bin" / "javac"), *class_path, "-d", str(tmp_path)]
    subprocess.run([*javac, str(tmp_path / "Ask.java")], check=True, timeout=60)
    ask = [str(tool_jdk / "bin" / "java"), *class_path, "tls13kit.digest.Ask", *VERSIONS]
    process = subprocess.run(ask, check=True, timeout=60, capture_output=True, text=True)
    assert process.stdout.splitlines() == list(VERSIONS.values())
