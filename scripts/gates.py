# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What must hold before a change lands? First the gates, then the tests; the last line counts them.

If the variable CI is set, a test that is skipped for an unexpected reason is a failure.

`--quick` leaves out what needs a JDK or the network, and each test of a second of CPU time and
more. `--long` runs only the fuzz tests, with 100,000 inputs and more, and then `scripts/bare-root`.
A signal ends it and every process that it started.
"""

import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from jdkmatrix.bootstrap import MACHINE_FAILED, cache_root
from jdkmatrix.cli.signals import end_as_by_ctrl_c
from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.machine.supervised import SupervisedProcess
from jdkmatrix.surroundings import settle_faults
from tests import skips

SCRIPTS = Path(__file__).resolve().parent
FILES = [
    "jdkmatrix",
    "tests",
    "bare-root",
    "bare_root.py",
    "gates.py",
    "lock-jars",
    "matrix",
    "measure-seconds",
    "names.py",
    "new-bug",
    "test",
]
TESTS = sorted(map(str, SCRIPTS.glob("tests/**/test_*.py")))
PYTEST = [sys.executable, "-m", "pytest"]
GATES = {
    "format": ["ruff", "format", "--check", *FILES],
    "lint": ["ruff", "check", *FILES],
    "names": ["python", "names.py"],
    "layers": ["lint-imports", "--no-logo"],
    "types": ["mypy", "jdkmatrix", "tests"],
}
# For a fresh clone: otherwise each worker compiles every test, at the same time as all others.
COLLECTIONS = {
    f"collection {n + 1} of 2": ["pytest", "--collect-only", "-q", *TESTS[n::2]] for n in (0, 1)
}
# Shared, so that a fresh clone is checked in seconds with what another clone has learned.
MYPY_CACHE = cache_root() / "types"
_SHARED = ["--dist=loadfile", "--no-loadscope-reorder"]
# Many tests wait more than they compute, and verdicts hold on a busy machine.
_WORKERS = 2 * usable_cores()
_QUICK = "--quick"
QUICK = {
    "quick tests without a JDK": [
        "-m",
        "not jdk and not network and not slow",
        "--numprocesses=auto",
        *_SHARED,
    ]
}
_LONG = "--long"
LONG = {
    "tests that fuzz": ["-m", "fuzz", _LONG, "--numprocesses=auto", "--dist=worksteal"],
    "environments": [_LONG, str(SCRIPTS / "tests" / "test_real_environments.py")],
    # By itself: each runs all other tests.
    "bare Debian roots": [_LONG, str(SCRIPTS / "tests" / "test_real_bare_roots.py")],
}
# The property of a test that holds its number of inputs.
INPUTS = "inputs"
_COUNTED = ("tests", "failures", "errors", "skipped")
# An interrupted pytest reports what failed so far once its workers are gone, or after 10 s.
_LAST_WORDS_S = 60.0


def main(arguments: list[str]) -> int:
    """Run the gates, or pytest alone with `arguments`; return the first failure's exit code."""
    os.chdir(SCRIPTS)
    parts = {(): _tests(), (_QUICK,): QUICK, (_LONG,): LONG}.get(tuple(arguments))
    if parts is None:
        os.execv(sys.executable, [*PYTEST, *arguments])  # --pdb needs the terminal
    gates = GATES if are_compiled(TESTS) else GATES | COLLECTIONS
    return run_gates(gates) or run_parts(parts)


def are_compiled(tests: Iterable[str]) -> bool:
    """Whether pytest has compiled each of these files, of whichever day."""
    compiled_places = (Path(test).parent / "__pycache__" / Path(test).stem for test in tests)
    return all(any(place.parent.glob(f"{place.name}.*-pytest-*.pyc")) for place in compiled_places)


def run_gates(gates: Mapping[str, Sequence[str]]) -> int:
    """Run these commands of the environment in parallel; return the first failure's exit code."""
    with ThreadPoolExecutor() as pool:
        for name, (code, output, seconds) in zip(
            gates, pool.map(_gate, gates.values()), strict=True
        ):
            print(f"{name}: {'ok' if code == 0 else 'FAILED'} ({seconds:.1f} s)", flush=True)
            if code != 0:
                print(output)
                return code
    return 0


def _gate(gate: Sequence[str]) -> tuple[int, str, float]:
    """A gate's exit code, its output, and how many seconds it took."""
    start_s = time.monotonic()
    tool, *arguments = gate
    command = [str(Path(sys.executable).with_name(tool)), *arguments]
    with mypy_cache(MYPY_CACHE) if tool == "mypy" else nullcontext(os.environ) as environment:
        process = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False
        )
    return process.returncode, process.stdout + process.stderr, time.monotonic() - start_s


@contextmanager
def mypy_cache(cache: Path) -> Iterator[Mapping[str, str]]:
    """The environment in which mypy uses a cache that no other process writes meanwhile.

    Two clones that write one cache at once mix what they know of a module: mypy then misses
    names that are there, until that module changes. Who finds it in use does without.
    """
    cache.mkdir(parents=True, exist_ok=True)
    with Path(cache, ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            folder = os.devnull
        else:
            folder = str(cache)
        yield {"MYPY_CACHE_DIR": folder, **os.environ}


def _tests() -> dict[str, list[str]]:
    """All tests. Files that measure are named: collecting the others takes as long as a test."""
    measuring = [file for file in TESTS if "mark.quiet" in Path(file).read_text()]
    return {
        "tests": ["-m", "not quiet", f"--numprocesses={_WORKERS}", *_SHARED],
        "tests that measure": ["-m", "quiet", *measuring],
    }


def run_parts(parts: Mapping[str, Sequence[str]]) -> int:
    """Run all these parts of the tests, even after a failure, and print the counts.

    Return the exit code of the first part that fails; 1 for an unexpected skip.
    """
    start_s = time.monotonic()
    codes: list[int] = []
    counts: Counter[str] = Counter()
    all_skips: list[skips.Skip] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in parts.items():
            print(f"{name}:", flush=True)
            report = Path(folder, f"{len(codes)}.xml")
            codes.append(run_pytest([*arguments, f"--junitxml={report}"]))
            counts += _counts(report)
            all_skips += skips.skips(report) if report.exists() else ()
    lines, unexpected_count = skips.lines(all_skips, os.environ)
    for line in lines:
        print(line)
    codes.append(int(unexpected_count > 0))
    bad = counts["failures"] + counts["errors"]
    passed_count = counts["tests"] - bad - counts["skipped"]
    seconds = time.monotonic() - start_s
    print(
        f"{passed_count} passed, {bad} failed, {counts['skipped']} skipped in {seconds:.0f} s,",
        end=" ",
    )
    print(f"{counts[INPUTS]:,} inputs made by fuzzing")
    return next((code for code in codes if code), 0)


def _counts(junit: Path) -> Counter[str]:
    if not junit.exists():  # pytest itself broke, and has said so
        return Counter(errors=1, tests=1)
    suites = list(ET.parse(junit).getroot().iter("testsuite"))
    counts = Counter({key: sum(int(suite.get(key, 0)) for suite in suites) for key in _COUNTED})
    inputs = (p for suite in suites for p in suite.iter("property") if p.get("name") == INPUTS)
    return counts + Counter({INPUTS: sum(int(p.get("value", 0)) for p in inputs)})


def run_pytest(arguments: list[str]) -> int:
    """Run pytest; return its exit code. Nothing it started outlives it, or this process."""
    child = SupervisedProcess(
        [*PYTEST, *arguments], stdin=None, stdout=None, stderr=None, env=os.environ
    )
    try:
        child.supervisor.wait()
    except KeyboardInterrupt:
        if pid := child.pid:
            with suppress(OSError, subprocess.TimeoutExpired):
                os.kill(pid, signal.SIGINT)
                child.supervisor.wait(_LAST_WORDS_S)
        raise
    finally:
        code = child.close()
    return code


if __name__ == "__main__":
    settle_faults()
    end_as_by_ctrl_c()
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(MACHINE_FAILED)
