# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are the kit's own tests compiled, with the peers and clients that they use?"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.run_lines import Header, read_header
from jdkmatrix.errors import LackingError, MachineError
from jdkmatrix.machine.java_program import JavaProgram, JavaTool, SourcesError, compile_together
from jdkmatrix.paths import Checkout
from jdkmatrix.run.cells.class_archives import ClassArchives
from jdkmatrix.run.cells.othervm import CompiledTest, OtherVm

Jars = Callable[[str], Sequence[Path]]
Program = Callable[[str], Path]
_Paths = tuple[Path, ...]
_TESTNG_JARS = "testng"
_PEER_JARS = "interop"
_ATTACKER_JARS = "conformance"
_WIREMOCK_JARS = "peer"
_AZURE_JARS = "azure"
PEER_PROGRAMS = ("openssl", "gnutls-cli")


def othervm_of(
    checkout: Checkout,
    tests: Sequence[str],
    tool_jdk: Path,
    timeout_factor: float,
    jars: Jars,
    program: Program,
    archives: ClassArchives | None = None,
) -> OtherVm:
    """The runner of these tests of the kit's suite. `jars` gives a class path of `jars.lock`,
    `program` the path of a program of `jdks.yaml`; `archives` are those of the builds.

    Raises UsageError for a test that the kit cannot run, MachineError if nothing can be compiled
    here or a jar that it needs can't be fetched; where the machine lacks what fetches them, the
    test is left out, with that reason.
    """
    compiler = _Compiler(checkout, tool_jdk, jars, program)
    # Each run needs these, too: what asks the builds, and what makes their archives.
    extra_programs = [JavaTool.of_checkout(checkout, tool_jdk).for_any_jdk]
    extra_programs += archives.samples() if archives else ()
    return OtherVm(
        checkout.suite,
        compiler.compile(tests, extra_programs),
        tool_jdk,
        checkout.recording_settings,
        timeout_factor,
        archives,
    )


@dataclass(frozen=True)
class _Compiler:
    """Compiles the kit's tests, or finds their classes in the cache if nothing has changed."""

    checkout: Checkout
    tool_jdk: Path
    jars: Jars
    program: Program

    def compile(
        self, tests: Sequence[str], extra_programs: Sequence[JavaProgram]
    ) -> dict[str, CompiledTest]:
        """Compile tests for the oldest train that runs them, Java 8 for most, and
        `extra_programs` along with them.

        Tests of a kind are compiled at once; if that fails, each by itself, so that one in error
        costs itself alone. Raises UsageError for a test that the kit cannot run.
        """
        headers = {test: read_header(self.checkout.suite / test) for test in tests}

        def kind(test: str) -> tuple[int, bool]:
            return headers[test].since_train, headers[test].is_testng

        kinds = [
            (*key, {test: headers[test] for test in alike})
            for key, alike in groupby(sorted(headers, key=kind), kind)
        ]
        programs = [
            self._program_of(train, (), alike, tuple(alike))
            for train, is_testng, alike in kinds
            if not is_testng
        ]
        compile_together([*programs, *extra_programs])
        compiled_tests: dict[str, CompiledTest] = {}
        for train, is_testng, alike in kinds:
            compiled_tests |= self._compiled_for(train, is_testng, alike)
        return compiled_tests

    def _compiled_for(
        self, train: int, is_testng: bool, headers: Mapping[str, Header]
    ) -> dict[str, CompiledTest]:
        tests = tuple(headers)
        try:
            jars = tuple(self.jars(_TESTNG_JARS)) if is_testng else ()
        except LackingError as lack:
            return {test: CompiledTest(headers[test], None, lacks=str(lack)) for test in tests}
        properties: dict[str, str] = {}
        clients: tuple[Path, ...] = ()
        if is_testng:
            properties, clients = self._of_peers()

        def classes(names: Sequence[str]) -> Path:
            return self._program_of(train, jars, headers, names).compile()

        try:
            all_classes = classes(tests)
        except SourcesError as error:
            if len(tests) == 1:
                return {test: CompiledTest(headers[test], None, str(error)) for test in tests}
        else:
            return {
                test: CompiledTest(
                    header, all_classes, jars=(*jars, *clients), properties=properties
                )
                for test, header in headers.items()
            }
        return {
            test: compiled_test
            for test, header in headers.items()
            for compiled_test in self._compiled_for(train, is_testng, {test: header}).values()
        }

    def _of_peers(self) -> tuple[dict[str, str], tuple[Path, ...]]:
        """The properties that say where a test's peers are: their JDK, and what is not part of it;
        and the classes of the client that is not the JDK's, for Java 8 and later.

        Of a peer that can't be had, a property says why: its rows are an error of the kit, or
        lacking where the machine has nothing to fetch it with.
        """
        checkout = self.checkout
        properties = {"interop.peer.jdk": str(self.tool_jdk)}

        def bring(peers: str, get: Callable[[], Iterable[Path]]) -> _Paths:
            try:
                return tuple(get())
            except MachineError as error:
                status = "lacking" if isinstance(error, LackingError) else "error"
                properties.update(
                    {f"interop.{status}.{peer}": str(error) for peer in peers.split()}
                )
                return ()

        classes = [
            *bring("conscrypt boringssl", lambda: self.jars(_PEER_JARS)),
            *bring(
                "tls-attacker",
                lambda: self._program(
                    "conformance peer", checkout.conformance_sources, _ATTACKER_JARS
                ),
            ),
            *bring(
                "wiremock wiremock-h2",
                lambda: self._program("WireMock peer", checkout.wiremock_sources, _WIREMOCK_JARS),
            ),
        ]
        properties["interop.peer.jars"] = os.pathsep.join(map(str, classes))
        for name in PEER_PROGRAMS:
            for path in bring(name, partial(map, self.program, [name])):
                properties[f"interop.peer.{name}"] = str(path)
        azure = "azure-core-http-netty"
        options = ("--release", "8", "-Xlint:-options")
        clients = bring(
            azure,
            lambda: self._program(f"{azure} client", checkout.azure_sources, _AZURE_JARS, *options),
        )
        return properties, clients

    def _program(self, name: str, sources: Path, profile: str, *options: str) -> tuple[Path, ...]:
        """The classes of a program that tests find by its name, and the jars that it needs."""
        jars = tuple(self.jars(profile))
        cache = cache_root() / "tests"
        program = JavaProgram(name, sources, self.tool_jdk, cache, jars, options=options)
        return (program.compile(), *jars)

    def _program_of(
        self,
        train: int,
        jars: Sequence[Path],
        headers: Mapping[str, Header],
        names: Sequence[str],
    ) -> JavaProgram:
        checkout, suite = self.checkout, self.checkout.suite
        folders = {str(Path(test).parent) for test in headers}
        libraries = {library for header in headers.values() for library in header.libraries}
        library_files = {
            file
            for name in names
            for library in headers[name].libraries
            for build in headers[name].builds
            for file in (suite / library).glob(f"{build}.java")  # `*`: all, as for jtreg
        }
        mains = (checkout.othervm_main, *([checkout.testng_main] if jars else []))
        return JavaProgram(
            "tests",
            checkout.othervm_sources,
            self.tool_jdk,
            cache_root() / "tests",
            jars,
            # As for Java 8: to link each place that joins strings takes a JVM half a CPU second.
            options=("--release", str(train), "-Xlint:-options", "-XDstringConcat=inline"),
            main_files=[*mains, *(suite / name for name in names), *library_files],
            libraries=[suite / folder for folder in sorted(folders | libraries)],
        )
