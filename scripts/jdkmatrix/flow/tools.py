# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a run need from outside: JDKs, programs, answers? Tests pass in substitutes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.evidence.digest import Digester, digester_of
from jdkmatrix.machine.java_program import JavaTool
from jdkmatrix.machine.run_lock import PLACE
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.selection import Selection
from jdkmatrix.records.request import Request, java_option_words
from jdkmatrix.run.cells.class_archives import ClassArchives
from jdkmatrix.run.cells.compiled_programs import CompiledProgram, program_of
from jdkmatrix.run.cells.compiled_tests import othervm_of
from jdkmatrix.run.cells.jtreg import Jtreg
from jdkmatrix.run.cells.programs import (
    MOST_COPIED_BYTES,
    MOST_COPIED_FILES,
    Programs,
    files_beside,
)
from jdkmatrix.run.cells.runner import Runner
from jdkmatrix.supply.build import Build, SourceError
from jdkmatrix.supply.jdk_facts import try_start
from jdkmatrix.supply.net.progress import Progress
from jdkmatrix.supply.probe import Probe
from jdkmatrix.supply.runtime_facts import Defaults, RuntimeFacts
from jdkmatrix.supply.supplier import Supplier

if TYPE_CHECKING:
    from jdkmatrix.run.samples.load_programs import LoadPrograms


class Tools:
    """The real tools, of one checkout and this machine's cache."""

    def __init__(self, checkout: Checkout) -> None:
        self.checkout = checkout
        self.lock_place = PLACE
        self._programs: Programs | None = None

    def supplier(
        self, jdks: JdksFile, progress: Progress, *, offline: bool, paranoid: bool
    ) -> Supplier:
        """The supplier of builds."""
        lock = self.checkout.lock
        return Supplier(jdks, lock, cache_root(), offline, progress, paranoid)

    def runner(
        self,
        selection: Selection,
        request: Request,
        supplier: Supplier,
        tool_jdk: Build,
        notice: Callable[[str], None],
    ) -> tuple[Runner, str | None]:
        """What runs the tests, and jtreg's version if it is jtreg. What is done without is told to
        `notice`.

        Raises UsageError for a test that the kit cannot run, MachineError if jtreg can't be had.
        """
        if request.program:
            return self.programs(selection, request, tool_jdk), None
        if request.suite:
            factor = request.timeout_factor
            jtreg = Jtreg(supplier.jtreg(), tool_jdk.home, selection.suite, factor)
            jtreg.check_suite()
            return jtreg, jtreg.version()
        tests = [test.path for test in selection.tests]
        jars = supplier.jars(self.checkout).class_path
        factor = request.timeout_factor
        home, program = tool_jdk.home, supplier.program
        archives = None
        if request.archive:
            archives = ClassArchives.of_checkout(self.checkout, home, notice, len(tests))
        return othervm_of(self.checkout, tests, home, factor, jars, program, archives), None

    def programs(self, selection: Selection, request: Request, tool_jdk: Build) -> Programs:
        """The runner of plain programs, which are compiled now. Raises UsageError for one that
        cannot be.
        """
        program = request.program
        assert program
        if self._programs is None:
            folder = Path(program.path or selection.suite)
            folder = folder if folder.is_dir() else selection.suite
            files = () if program.in_place else files_beside(folder)
            if files is None and program.command:
                raise UsageError(
                    f"{folder}: too large to be copied for each run (more than "
                    f"{MOST_COPIED_FILES:,} files or {MOST_COPIED_BYTES >> 20} MiB); accepted: a "
                    "smaller folder, or --in-place, one build at a time in the folder itself"
                )
            programs: dict[str, CompiledProgram | str] = {}
            if program.path:
                class_path = tuple(map(Path, program.class_path))
                programs[selection.tests[0].path] = program_of(
                    Path(program.path), tool_jdk.home, tool_jdk.train, class_path
                )
            elif not program.command:
                programs |= self._suite_programs(selection, tool_jdk)
            self._programs = Programs(
                program,
                programs,
                folder,
                {test.path: files or () for test in selection.tests},
                tool_jdk.home,
                self.checkout.recording_settings,
                program.timeout_s * request.timeout_factor,
            )
        return self._programs

    def _suite_programs(
        self, selection: Selection, tool_jdk: Build
    ) -> Mapping[str, CompiledProgram | str]:
        """Those of a folder; of one that does not compile, why: it costs itself alone."""
        programs: dict[str, CompiledProgram | str] = {}
        for test in selection.tests:
            try:
                programs[test.path] = program_of(
                    selection.suite / test.path, tool_jdk.home, tool_jdk.train, ()
                )
            except UsageError as error:
                programs[test.path] = str(error)
        return programs

    def check_options(self, jdk: Build, java_options: Sequence[str]) -> None:
        """Raises UsageError if a JVM of the JDK starts, but not with these options."""
        with suppress(SourceError):
            try_start(jdk.home)
            try:
                try_start(jdk.home, *java_options)
            except SourceError as error:
                words = " ".join(java_option_words(java_options))
                raise UsageError(
                    f"{words}: the JVM of {jdk.id} {error}; accepted: options of java that each "
                    "build has, without a class or jar"
                ) from None

    def ask(
        self, jdk: Build, tool_jdk: Build, notice: Callable[[str], None], *, defaults: bool
    ) -> dict[str, RuntimeFacts | Defaults | str]:
        """What a build says of itself, by the name of the field of its record; with `defaults` also
        what it does by default. If it does not say, `notice` is told why.

        Where no JVM of it starts, that alone: what it said may be an earlier answer.
        """
        try:
            try_start(jdk.home)
        except SourceError as error:
            return {"refusal": f"Its JVM {error}"}
        answers: dict[str, RuntimeFacts | Defaults | str] = {}
        try:
            probe = Probe(JavaTool.of_checkout(self.checkout, tool_jdk.home))
            answers["runtime"] = probe.facts(jdk)
            if defaults:
                answers["defaults"] = probe.defaults(jdk)
        except (MachineError, SourceError, OSError) as error:
            notice(f"{jdk.id}: could not be queried: {error}")
        return answers

    def digester(self, tool_jdk: Build) -> Digester:
        """The reader of recordings."""
        return digester_of(self.checkout, tool_jdk.home)

    def load_programs(self, supplier: Supplier, tool_jdk: Build) -> LoadPrograms:
        """The Java programs of a comparison, compiled on demand."""
        from jdkmatrix.run.samples.load_programs import LoadPrograms  # few runs need it

        jars = supplier.jars(self.checkout).class_path
        cache = cache_root() / "load"
        return LoadPrograms(self.checkout, tool_jdk.home, cache, jars, supplier.program)
