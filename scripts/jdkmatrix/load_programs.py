# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do the Java programs of a throughput run become class paths?

The load is Java 8 classes, as it runs on every build; peers and relays run on the tool JDK.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from jdkmatrix.config.scenarios import Client, PeerKind
from jdkmatrix.java_program import JavaProgram
from jdkmatrix.paths import Checkout
from jdkmatrix.run.peers import PEER_CLASSES, RELAY_CLASS
from jdkmatrix.run.samples import LOAD_CLASS

_LOAD_FOLDER = "load"
_PEER_FOLDER = "peer"
_OLDEST_TRAIN = 8


class LoadPrograms:
    """Compiles what a run needs with the tool JDK; `jars` are those of `jtreg/pom.xml`."""

    def __init__(
        self, checkout: Checkout, java_home: Path, cache: Path, jars: Sequence[Path] = ()
    ) -> None:
        self._checkout = checkout
        self._java_home = java_home
        self._cache = cache
        self._jars = tuple(jars)

    @property
    def java(self) -> Path:
        """What peers and relays run on."""
        return self._java_home / "bin" / "java"

    def class_path(self, client: Client) -> str:
        """The class path of a load JVM for that client. Raises MachineError."""
        load = self._program(LOAD_CLASS, _LOAD_FOLDER, _OLDEST_TRAIN, ()).compiled()
        parts = [load]
        for folder in client.sources:
            jars = self._jars if client.jars else ()
            release = max(client.since_train, _OLDEST_TRAIN)
            program = self._program(client.class_, folder, release, (load, *jars))
            parts.append(program.compiled())
        return os.pathsep.join(map(str, [*dict.fromkeys(parts), *self._jars]))

    def peer_class_paths(self, kinds: Sequence[PeerKind]) -> dict[str, str]:
        """The class path of the relay and of each kind of peer, by class. Raises MachineError."""
        paths = {}
        for name in (RELAY_CLASS, *(PEER_CLASSES[kind] for kind in kinds)):
            jars = self._jars if name == PEER_CLASSES[PeerKind.WIREMOCK] else ()
            program = self._program(name, _PEER_FOLDER, None, jars)
            paths[name] = os.pathsep.join(map(str, [program.compiled(), *jars]))
        return paths

    def _program(
        self, main_class: str, folder: str, release: int | None, class_path: Sequence[Path]
    ) -> JavaProgram:
        sources = self._checkout.throughput / folder
        level = [] if release is None else ["--release", str(release)]
        return JavaProgram(
            main_class,
            sources,
            self._java_home,
            self._cache,
            class_path,
            options=(*level, "-Xlint:-options"),
            main_files=(sources / f"{main_class}.java",),
            libraries=(self._checkout.test_library,),
        )
