# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a command import for its help and for Tab? None of the work."""

import subprocess
import sys

# What needs none of them answers in half the CPU time.
WORK = {"flow", "report", "results", "grading", "run", "supply", "evidence", "records", "bundle"}
OF_ALL = """
import sys
from importlib import import_module
from jdkmatrix.cli.commands import SUMMARIES, module_of
for command in SUMMARIES:
    import_module(module_of(command))
print(*(name for name in sys.modules if name.startswith("jdkmatrix.")))
"""


def test_no_command_imports_the_work_before_it_is_called() -> None:
    process = subprocess.run(
        [sys.executable, "-c", OF_ALL], capture_output=True, text=True, check=True
    )
    modules = process.stdout.split()
    assert {"jdkmatrix.cli.run", "jdkmatrix.cli.jdks"} <= set(modules)
    assert [name for name in modules if name.split(".")[1] in WORK] == []
