# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which tools of the kit's own does a run use: its compiled tests, and the digest?"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.run_lines import Header, read_header
from jdkmatrix.errors import MachineError
from jdkmatrix.machine.java_program import JavaProgram
from jdkmatrix.paths import Checkout
from jdkmatrix.run.cells.othervm import CompiledTest, OtherVm


def othervm_of(
    checkout: Checkout, tests: Sequence[str], tool_jdk: Path, timeout_factor: float
) -> OtherVm:
    """What runs these tests of the kit's suite. Raises UsageError for one that is not run here."""
    return OtherVm(
        checkout.suite,
        _compiled_tests(checkout, tests, tool_jdk),
        tool_jdk,
        checkout.recording_settings,
        timeout_factor,
    )


def _compiled_tests(
    checkout: Checkout, tests: Sequence[str], tool_jdk: Path
) -> dict[str, CompiledTest]:
    """Tests of the kit's suite as classes of the oldest train that runs them, Java 8 for most;
    found in the cache if nothing of them has changed.

    All of a train at once; if they don't compile, each by itself, so that one in error costs itself
    alone. Raises UsageError for a test that is not run here.
    """
    headers = {test: read_header(checkout.suite / test) for test in tests}
    compiled: dict[str, CompiledTest] = {}
    for train in sorted({header.since_train for header in headers.values()}):
        own = {test: one for test, one in headers.items() if one.since_train == train}
        compiled |= _compiled_for(checkout, train, own, tool_jdk)
    return compiled


def _compiled_for(
    checkout: Checkout, train: int, headers: Mapping[str, Header], tool_jdk: Path
) -> dict[str, CompiledTest]:
    suite, tests = checkout.suite, tuple(headers)
    folders = {str(Path(test).parent) for test in tests}
    libraries = {library for header in headers.values() for library in header.libraries}

    def built(names: Sequence[str]) -> set[Path]:
        return {
            file
            for name in names
            for library in headers[name].libraries
            for build in headers[name].builds
            if (file := suite / library / f"{build}.java").is_file()
        }

    def compiled(names: Sequence[str]) -> Path:
        return JavaProgram(
            "tests",
            checkout.othervm_sources,
            tool_jdk,
            cache_root() / "tests",
            options=("--release", str(train), "-Xlint:-options"),
            main_files=[checkout.othervm_main, *(suite / name for name in names), *built(names)],
            libraries=[suite / folder for folder in sorted(folders | libraries)],
        ).compiled()

    try:
        classes = compiled(tests)
        return {test: CompiledTest(header, classes) for test, header in headers.items()}
    except MachineError as error:
        if len(tests) == 1:
            return {test: CompiledTest(headers[test], None, str(error)) for test in tests}
    alone = {}
    for test, header in headers.items():
        try:
            alone[test] = CompiledTest(header, compiled([test]))
        except MachineError as error:
            alone[test] = CompiledTest(header, None, str(error))
    return alone
