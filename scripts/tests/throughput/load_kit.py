# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do tests of the load start peers and relays, and take a sample, as a run of the kit does?"""

import json
import os
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.machine.java_program import JavaProgram

TIMEOUT_S = 180
# On a busy machine a JVM's first handshake takes more than a second.
WARM_UP_MS = 2500
MEASURE_MS = 1500

# What is asked here is no figure: a JVM of seconds needs no optimizing compiler.
BRIEF = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
# Properties of a sample, by name.
Settings = Mapping[str, object]
NO_SETTINGS: Settings = {}


@dataclass
class Program:
    """A running peer or relay."""

    process: subprocess.Popen[str]
    port: int
    control: int

    def counters(self) -> dict[str, int]:
        """What it has counted since its start."""
        with socket.create_connection(("127.0.0.1", self.control), TIMEOUT_S) as connection:
            text = connection.makefile().read()
        pairs = (line.partition("=") for line in text.splitlines())
        return {name: int(count) for name, _, count in pairs}


def ready(process: subprocess.Popen[str]) -> Program:
    """The program that says next that it answers."""
    assert process.stdout
    message = json.loads(process.stdout.readline())
    assert message["ready"] is True
    assert message["pid"] == process.pid
    return Program(process, message["port"], message["control"])


def await_end(process: subprocess.Popen[str]) -> None:
    """Which must end by itself once its input does."""
    assert process.stdin and process.stdout
    process.stdin.close()
    try:
        process.wait(TIMEOUT_S)
    finally:
        process.kill()
        process.stdout.close()


# Given a peer's arguments.
PeerOf = Callable[..., Program]


@dataclass
class Java:
    """Starts the programs of the load on one JDK; `close` ends what it has started."""

    home: Path
    class_path: str
    folder: Path
    options: tuple[str, ...] = ()
    _programs: list[Program] = field(default_factory=list)

    def command(self, main_class: str, *arguments: object) -> list[str]:
        java = [
            str(self.home / "bin" / "java"),
            *BRIEF,
            *self.options,
            "-cp",
            self.class_path,
            main_class,
        ]
        return [*java, *map(str, arguments)]

    def run(self, main_class: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Run a program to its end."""
        return subprocess.run(
            self.command(main_class, *arguments),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )

    def start(self, main_class: str, *arguments: str) -> Program:
        """Start a peer or relay, and wait until it answers."""
        program = ready(self.pipe(main_class, *arguments))
        self._programs.append(program)
        return program

    def pipe(self, main_class: str, *arguments: str) -> subprocess.Popen[str]:
        """Start a program that is told and tells line by line."""
        return subprocess.Popen(
            self.command(main_class, *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def peer(self, *arguments: str) -> Program:
        """A bare peer that has answered once and is otherwise cold."""
        return self.start("BarePeer", "warm_up_ms=0", *arguments)

    def relay(self, target: Program, *arguments: str) -> Program:
        return self.start("RelayProcess", f"target=127.0.0.1:{target.port}", *arguments)

    def close(self) -> None:
        """End all; each must end by itself once its input does, and none is left."""
        for program in self._programs:
            await_end(program.process)
        self._programs.clear()

    def sample_command(
        self, peer: Program, settings: Settings, relay: Program | None = None
    ) -> list[str]:
        """The command that takes a sample: one thread asks one host, unless `settings` say else."""
        properties: dict[str, object] = {
            "scenario": "test",
            "client": "HttpsUrlConnectionClient",
            "out": self.folder,
            "pacing": "closed",
            "warm_up_ms": WARM_UP_MS,
            "measure_ms": MEASURE_MS,
            "protocols": "TLSv1.3",
            "host.one.url": f"https://127.0.0.1:{(relay or peer).port}",
            "host.one.peer_control": f"127.0.0.1:{peer.control}",
            "group.load.host": "one",
            "group.load.threads": 1,
            "group.load.read_timeout_ms": 10_000,
            "group.load.think_ms": 20,  # a core need not be used up
            "group.load.response_body_bytes": 100,
            "expect.protocol": "TLSv1.3",
        }
        if relay:
            properties["host.one.relay_control"] = f"127.0.0.1:{relay.control}"
        properties |= settings
        file = self.folder / "SAMPLE.properties"
        file.write_text(
            "".join(
                f"{key}={setting}\n" for key, setting in properties.items() if setting is not None
            )
        )
        return self.command("Load", file)

    def sample(
        self,
        peer: Program,
        settings: Settings = NO_SETTINGS,
        relay: Program | None = None,
        exit_code: int = 0,
    ) -> dict[str, Any]:
        """Take a sample and read its file."""
        (self.folder / "sample.json").unlink(missing_ok=True)
        command = self.sample_command(peer, settings, relay)
        process = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
        assert process.returncode == exit_code, f"{self._void()}{process.stderr}"
        return self.read()

    def _void(self) -> str:
        file = self.folder / "sample.json"
        return f"void: {self.read().get('void')}\n" if file.is_file() else ""

    def read(self) -> dict[str, Any]:
        """The file of the last sample."""
        sample: dict[str, Any] = json.loads((self.folder / "sample.json").read_text())
        return sample


class OneJvm:
    """Samples and programs whose JVM is not the question: a start costs more than what is asked.

    All samples are of one JVM, and so are the programs of one class path.
    """

    def __init__(self, java: Java) -> None:
        self.java = java
        self._jvms: dict[tuple[str, str], subprocess.Popen[str]] = {}

    def start(self, class_path: str, main_class: str, *arguments: str) -> Program:
        """Start a peer or service, and wait until it answers."""
        return ready(self._send("EachProgram", class_path, " ".join((main_class, *arguments))))

    def sample(
        self, service: Program, settings: Settings = NO_SETTINGS, exit_code: int = 0
    ) -> dict[str, Any]:
        """Take a sample and read its file."""
        (self.java.folder / "sample.json").unlink(missing_ok=True)
        properties = self.java.sample_command(service, settings)[-1]
        load = self._send("EachLoad", self.java.class_path, properties)
        assert load.stdout
        assert int(load.stdout.readline()) == exit_code, self.java.read()["void"]
        return self.java.read()

    def _send(self, main_class: str, class_path: str, line: str) -> subprocess.Popen[str]:
        if (main_class, class_path) not in self._jvms:
            # Which has the two classes that start the others.
            paths = dict.fromkeys((class_path, self.java.class_path))
            of_jvm = replace(self.java, class_path=os.pathsep.join(paths))
            self._jvms[main_class, class_path] = of_jvm.pipe(main_class)
        process = self._jvms[main_class, class_path]
        assert process.stdin
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        return process

    def close(self) -> None:
        for process in self._jvms.values():
            await_end(process)


@contextmanager
def serve_text(text: str, once_asked: bool = False) -> Iterator[int]:
    """A port that tells everybody who connects the same; on request, once he has said something."""

    class Telling(StreamRequestHandler):
        def handle(self) -> None:
            if once_asked:
                self.request.recv(1 << 16)
            self.wfile.write(text.encode("ascii"))

    with ThreadingTCPServer(("127.0.0.1", 0), Telling) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def classes(tool_jdk: Path, root: Path, histogram: Sequence[Path]) -> str:
    """The class path of the load, compiled for Java 8 without a warning, once for all workers."""
    throughput = root / "test" / "throughput"
    fixtures = root / "scripts" / "tests" / "fixtures" / "throughput" / "load"
    bare = [throughput / "peer" / f"{name}.java" for name in ("BarePeer", "RelayProcess")]
    program = JavaProgram(
        "load of the tests",
        throughput,
        tool_jdk,
        cache_root() / "tests",
        histogram,
        options=("--release=8", "-Xlint:all,-options", "-Werror"),
        main_files=[
            *bare,
            *sorted((throughput / "load").glob("*.java")),
            *sorted((throughput / "hdr").glob("*.java")),
            throughput / "Reuse.java",
            *sorted(fixtures.glob("*.java")),
        ],
        libraries=(
            root / "test" / "lib",
            *(throughput / name for name in ("load", "peer", "hand")),
            fixtures,
        ),
    )
    return os.pathsep.join(map(str, (program.compile(), *histogram)))
