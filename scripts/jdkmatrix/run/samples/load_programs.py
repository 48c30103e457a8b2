# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do the Java programs of a throughput run become class paths?

Load and services are Java 8 classes, as they run on every build; peers and relays run on the tool
JDK.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.config.clients import Client, Service
from jdkmatrix.config.scenarios import PeerKind
from jdkmatrix.machine.java_program import JavaProgram
from jdkmatrix.paths import Checkout
from jdkmatrix.run.samples.peers import PEER_CLASSES, RELAY_CLASS
from jdkmatrix.run.samples.sample_jvm import LOAD_CLASS

_LOAD_FOLDER = "load"
_PEER_FOLDER = "peer"
_OLDEST_TRAIN = 8
_TOOL_TRAIN = 11  # what WireMock needs
# The one class of the load that needs a jar; the load finds it by name.
_HISTOGRAM = ("hdr", "HdrLatencies", "histogram")
_WIREMOCK_JARS = "peer"
# What a service shares with peers, and with a load, by which it reports its costs.
_SERVICE_LIBRARIES = ("peer", "load")

Jars = Callable[[str], Sequence[Path]]


@dataclass(frozen=True)
class LoadPrograms:
    """Compiles what a run needs with the tool JDK; `jars` gives a class path of `jars.lock`,
    `program` the path of a program of `jdks.yaml`.
    """

    checkout: Checkout
    java_home: Path
    cache: Path
    jars: Jars
    program: Callable[[str], Path]

    @property
    def java(self) -> Path:
        """The launcher that peers and relays run on."""
        return self.java_home / "bin" / "java"

    def class_path(self, client: Client) -> str:
        """The class path of a load JVM for that client. Raises MachineError."""
        lib = (self.checkout.test_library,)
        own_classes = (client.class_,) if _LOAD_FOLDER in client.sources else ()
        load = self._program(
            LOAD_CLASS, _LOAD_FOLDER, libraries=lib, extra_classes=own_classes
        ).compile()
        folder, main_class, jars_name = _HISTOGRAM
        histogram = tuple(self.jars(jars_name))
        latencies = self._program(main_class, folder, class_path=(load, *histogram)).compile()
        parts = [load, latencies, *histogram]
        jars = tuple(self.jars(client.jars)) if client.jars else ()
        for folder in client.sources:
            if folder != _LOAD_FOLDER:
                release = max(client.since_train, _OLDEST_TRAIN)
                program = self._program(client.class_, folder, release, (load, *jars))
                parts.append(program.compile())
        return os.pathsep.join(map(str, [*parts, *jars]))

    def peer_class_paths(self, kinds: Iterable[PeerKind]) -> dict[str, str]:
        """The class path of the relay and of each kind of peer, by class. Raises MachineError."""
        paths = {}
        lib = (self.checkout.test_library,)
        for name in (RELAY_CLASS, *(PEER_CLASSES[kind] for kind in kinds)):
            is_wiremock = name == PEER_CLASSES[PeerKind.WIREMOCK]
            jars = tuple(self.jars(_WIREMOCK_JARS)) if is_wiremock else ()
            release = _TOOL_TRAIN if is_wiremock else _OLDEST_TRAIN
            program = self._program(name, _PEER_FOLDER, release, jars, lib)
            paths[name] = os.pathsep.join(map(str, [program.compile(), *jars]))
        return paths

    def service_class_path(self, service: Service) -> str:
        """The class path of a service. Raises MachineError."""
        folder, *other_folders = service.sources
        libraries = [
            self.checkout.throughput / name for name in (*other_folders, *_SERVICE_LIBRARIES)
        ]
        jars = tuple(self.jars(service.jars)) if service.jars else ()
        release = max(service.since_train, _OLDEST_TRAIN)
        program = self._program(
            service.class_, folder, release, jars, (*libraries, self.checkout.test_library)
        )
        return os.pathsep.join(map(str, [program.compile(), *jars]))

    def _program(
        self,
        main_class: str,
        folder: str,
        release: int = _OLDEST_TRAIN,
        class_path: Sequence[Path] = (),
        libraries: Sequence[Path] = (),
        extra_classes: Sequence[str] = (),
    ) -> JavaProgram:
        sources = self.checkout.throughput / folder
        return JavaProgram(
            main_class,
            sources,
            self.java_home,
            self.cache,
            class_path,
            options=("--release", str(release), "-Xlint:-options"),
            main_files=tuple(sources / f"{name}.java" for name in (main_class, *extra_classes)),
            libraries=libraries,
        )
