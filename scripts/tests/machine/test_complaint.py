# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A JVM's output is told by the line that gives the reason."""

import subprocess
from pathlib import Path

import pytest

from jdkmatrix.machine.endings import complaint_in

# As OpenJDK 17 prints them, but for the last three.
OUTPUTS = [
    (
        "Error occurred during initialization of VM\n"
        "Could not reserve enough space for 1073741824KB object heap\n",
        "Could not reserve enough space for 1073741824KB object heap",
    ),
    (
        "Unrecognized VM option 'Nix'\nError: Could not create the Java Virtual Machine.\n"
        "Error: A fatal exception has occurred. Program will exit.\n",
        "Unrecognized VM option 'Nix'",
    ),
    (
        "OpenJDK 64-Bit Server VM warning: Options -Xverify:none and -noverify were deprecated\n"
        "Error: Could not find or load main class Load\n"
        "Caused by: java.lang.ClassNotFoundException: Load\n",
        "Error: Could not find or load main class Load",
    ),
    (
        "Picked up JAVA_TOOL_OPTIONS: -Da=b\n"
        "#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n"
        "#  SIGSEGV (0xb) at pc=0x00007f, pid=1, tid=2\n",
        "SIGSEGV (0xb) at pc=0x00007f, pid=1, tid=2",
    ),
    (
        'Exception in thread "main" java.lang.Error: no\n\tat Load.main(Load.java)\n',
        'Exception in thread "main" java.lang.Error: no',
    ),
    (
        "connection: reset\nTerminating due to java.lang.OutOfMemoryError: Java heap space\n",
        "Terminating due to java.lang.OutOfMemoryError: Java heap space",
    ),
    ("OpenJDK 64-Bit Server VM warning: nothing else\n", "nothing else"),
    ("Error occurred during initialization of VM\n", "Error occurred during initialization of VM"),
]


@pytest.mark.parametrize(("output", "says"), OUTPUTS)
def test_the_line_with_the_reason(tmp_path: Path, output: str, says: str) -> None:
    log = tmp_path / "log"
    log.write_text(output)
    complaint = complaint_in(log)
    assert complaint is not None
    assert complaint.endswith(says)


def test_no_output(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("\n")
    assert complaint_in(log) is None


@pytest.mark.jdk
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["-XX:Nix"], "Unrecognized VM option 'Nix'"),
        (["-Xmx1m"], "Too small maximum heap"),
        (["-XX:+AllowRedefinitionToAddDeleteMethods", "Nix"], "Error: Could not find or load"),
    ],
)
def test_what_a_jvm_says(tool_jdk: Path, tmp_path: Path, options: list[str], says: str) -> None:
    log = tmp_path / "log"
    with log.open("wb") as output:
        command = [str(tool_jdk / "bin" / "java"), *options]
        assert subprocess.call(command, stdout=output, stderr=subprocess.STDOUT) != 0
    complaint = complaint_in(log)
    assert complaint is not None
    assert says in complaint, log.read_text()
