# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What must hold before a change lands? Each gate in turn; the last one counts the tests."""

import os
import subprocess
import sys
import time
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
FILES = ["jdkmatrix", "tests", "gates.py", "lock-jars", "matrix", "measure-seconds", "test"]
GATES = {
    "format": ["ruff", "format", "--check", *FILES],
    "lint": ["ruff", "check", *FILES],
    "types": ["mypy", "jdkmatrix", "tests"],
}


def main(arguments: list[str]) -> int:
    """Run the gates, or pytest alone with `arguments`; return the first failure's exit code."""
    os.chdir(SCRIPTS)
    for name, command in {} if arguments else GATES.items():
        began = time.monotonic()
        done = subprocess.run([sys.executable, "-m", *command], check=False)
        print(f"{name}: {'ok' if done.returncode == 0 else 'FAILED'}", end=" ")
        print(f"({time.monotonic() - began:.1f} s)", flush=True)
        if done.returncode != 0:
            return done.returncode
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
