# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What must hold before a change lands? Each gate in turn; the last line counts the tests.

`--quick` leaves out what needs a JDK.
"""

import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
FILES = ["jdkmatrix", "tests", "gates.py", "lock-jars", "matrix", "measure-seconds", "test"]
GATES = {
    "format": ["ruff", "format", "--check", *FILES],
    "lint": ["ruff", "check", *FILES],
    "types": ["mypy", "jdkmatrix", "tests"],
}
# Most tests wait more than they compute, and verdicts hold on a busy machine.
TESTS = {
    "tests without a JDK": ["-m", "not jdk", "--numprocesses=auto", "--dist=loadfile"],
    "tests on real JDKs": ["-m", "jdk and not quiet", "--numprocesses=3", "--dist=loadfile"],
    "tests that measure": ["-m", "jdk and quiet"],
}
_QUICK = "--quick"
_COUNTED = ("tests", "failures", "errors", "skipped")


def main(arguments: list[str]) -> int:
    """Run the gates, or pytest alone with `arguments`; return the first failure's exit code."""
    os.chdir(SCRIPTS)
    quick = arguments == [_QUICK]
    if arguments and not quick:
        return _pytest(arguments)
    for name, command in GATES.items():
        began = time.monotonic()
        done = subprocess.run([sys.executable, "-m", *command], check=False)
        print(f"{name}: {'ok' if done.returncode == 0 else 'FAILED'}", end=" ")
        print(f"({time.monotonic() - began:.1f} s)", flush=True)
        if done.returncode != 0:
            return done.returncode
    return _all_tests(list(TESTS)[:1] if quick else list(TESTS))


def _all_tests(parts: list[str]) -> int:
    """Run these parts, each even if one before it fails."""
    began = time.monotonic()
    codes: list[int] = []
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name in parts:
            print(f"{name}:", flush=True)
            told = Path(folder, f"{len(codes)}.xml")
            codes.append(_pytest([*TESTS[name], f"--junitxml={told}"]))
            counts += _counts(told)
    bad = counts["failures"] + counts["errors"]
    passed = counts["tests"] - bad - counts["skipped"]
    seconds = time.monotonic() - began
    print(f"{passed} passed, {bad} failed, {counts['skipped']} skipped in {seconds:.0f} s")
    return next((code for code in codes if code), 0)


def _counts(junit: Path) -> Counter[str]:
    if not junit.exists():  # pytest itself broke, and has said so
        return Counter(errors=1, tests=1)
    suites = list(ET.parse(junit).getroot().iter("testsuite"))
    return Counter({key: sum(int(suite.get(key, 0)) for suite in suites) for key in _COUNTED})


def _pytest(arguments: list[str]) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
