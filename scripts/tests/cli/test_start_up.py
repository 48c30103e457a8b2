# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a command import? For its help and for Tab none of the work; else what it needs.

Modules are counted, not seconds: a thousand lines of Python cost some 0.02 CPU s.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root

CACHE = cache_root()
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

OF_ONE = """
import sys
from jdkmatrix.cli.app import main
main(sys.argv[1:])
print("modules:", *(name for name in sys.modules
                    if name.partition(".")[0] not in sys.stdlib_module_names))
"""
# It ends where the first JVM of a run would be started.
TO_THE_FIRST_JVM = """
import os, subprocess, sys
from jdkmatrix.cli.app import main
start = subprocess.Popen.__init__
def start_none(self, command, *arguments, **settings):
    if any(os.path.basename(word) in ("java", "javac") for word in command):
        print("modules:", *sys.modules, flush=True)
        os._exit(0)
    start(self, command, *arguments, **settings)
subprocess.Popen.__init__ = start_none
main(sys.argv[1:])
"""
# What judges and reports cells, and what asks the network: a run needs it later, or not at all.
NOT_BEFORE_A_JVM = {
    "jdkmatrix.grading.whole_run",
    "jdkmatrix.results.document",
    "jdkmatrix.report.written_reports",
    "jdkmatrix.run.samples.load_programs",
    "jdkmatrix.supply.net.web",
    "jdkmatrix.overlay.maker",
    "httpx",
    "jinja2",
}
# The most modules that are no part of Python, in a second call, and packages that are not
# needed. Raise it for what a command must have, with the reason in the commit.
MOST_MODULES: dict[tuple[str, ...], tuple[int, set[str]]] = {
    ("run", "--dry-run", "--offline"): (
        150,
        {"ruamel", "rich", "httpx", "jinja2", "license_expression", "unidiff"},
    ),
    ("bugs",): (125, {"ruamel", "rich", "httpx", "jinja2"}),
}


def test_no_command_imports_the_work_before_it_is_called() -> None:
    process = subprocess.run(
        [sys.executable, "-c", OF_ALL], capture_output=True, text=True, check=True
    )
    modules = process.stdout.split()
    assert {"jdkmatrix.cli.run", "jdkmatrix.cli.jdks"} <= set(modules)
    assert [name for name in modules if name.split(".")[1] in WORK] == []


def imported_by(arguments: Sequence[str], cache: Path = CACHE, program: str = OF_ONE) -> list[str]:
    process = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "JDKMATRIX_CACHE": str(cache)},
    )
    return process.stdout.rpartition("modules: ")[2].split()


@pytest.mark.parametrize("arguments", MOST_MODULES, ids=" ".join)
def test_a_command_imports_what_it_needs(arguments: Sequence[str], tmp_path: Path) -> None:
    most_modules, spare_packages = MOST_MODULES[tuple(arguments)]
    imported_by(arguments, tmp_path)  # it parses the kit's files, which are kept from then on
    modules = imported_by(arguments, tmp_path)
    assert spare_packages.isdisjoint(name.partition(".")[0] for name in modules)
    assert 50 < len(modules) <= most_modules


@pytest.mark.jdk
def test_what_judges_cells_is_not_loaded_before_the_first_jvm(
    tool_jdk: Path, tmp_path: Path
) -> None:
    options = (
        "--jdk",
        str(tool_jdk),
        "--test",
        "http/HeadReplyGoesToNextRequest.java",
        "--offline",
    )
    modules = imported_by(
        ("run", *options, "--out", str(tmp_path / "run")), program=TO_THE_FIRST_JVM
    )
    assert "jdkmatrix.flow.cell_tasks" in modules
    assert NOT_BEFORE_A_JVM.isdisjoint(modules)
