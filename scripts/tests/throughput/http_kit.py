# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do tests of clients and peers compile them, start a peer and read what it has counted?"""

import json
import os
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.machine.java_program import JavaProgram
from tests.throughput.load_kit import BRIEF, await_end

TIMEOUT_S = 180  # against a hang: one such JVM took a minute among thirty others


@dataclass(frozen=True)
class Peer:
    """A peer that runs: its address and the port of its counters."""

    url: str
    control: int

    def counters(self) -> dict[str, int]:
        """What it has counted since its start."""
        text = b""
        with socket.create_connection(("127.0.0.1", self.control), TIMEOUT_S) as connection:
            while part := connection.recv(4096):
                text += part
        pairs = (line.partition("=") for line in text.decode().splitlines())
        return {name: int(count) for name, _, count in pairs}


def class_path(*parts: Path) -> str:
    return os.pathsep.join(map(str, parts))


def compile_classes(
    java_home: Path,
    release: int,
    sources: Sequence[Path],
    folders: Sequence[Path],
    jars: Sequence[Path],
) -> Path:
    """The classes of `sources`, and of what they need in their folder and in those of `folders`.

    Compiled without a warning; while nothing of it changes, once.
    """
    program = JavaProgram(
        f"{sources[0].stem} of the tests",
        sources[0].parent,
        java_home,
        cache_root() / "tests",
        jars,
        options=("--release", str(release), "-Xlint:all,-options,-classfile", "-Werror"),
        main_files=sources,
        libraries=folders,
    )
    return program.compile()


@contextmanager
def running_peer(java_home: Path, cp: str, *arguments: str) -> Iterator[Peer]:
    """A peer's process; it must end by itself once its input does."""
    command = [str(java_home / "bin" / "java"), *BRIEF, "-cp", cp, *arguments]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdin and process.stdout
            ready = json.loads(process.stdout.readline())
            assert ready["ready"] is True
            assert ready["pid"] == process.pid
            yield Peer(f"https://127.0.0.1:{ready['port']}", ready["control"])
            process.stdin.close()
            assert process.wait(TIMEOUT_S) == 0
        finally:
            process.kill()


@dataclass
class Clients:
    """Those of a class path; all that a build asks with are in one JVM, as its start costs most."""

    class_path: str
    _jvms: dict[tuple[str, ...], subprocess.Popen[str]] = field(default_factory=dict)

    def ask(
        self, java_home: Path, *words: str, options: Sequence[str] = ()
    ) -> dict[str, list[str]]:
        """What AskInEveryWay prints: the answers by way."""
        process = self._jvm(str(java_home / "bin" / "java"), *BRIEF, *options)
        assert process.stdin and process.stdout
        process.stdin.write(f"{' '.join(words)}\n")
        process.stdin.flush()
        answers: dict[str, list[str]] = {}
        while line := process.stdout.readline().removesuffix("\n"):
            way, _, answer = line.partition("=")
            answers.setdefault(way, []).append(answer)
        assert process.poll() is None
        return answers

    def _jvm(self, *java: str) -> subprocess.Popen[str]:
        if java not in self._jvms:
            self._jvms[java] = subprocess.Popen(
                [*java, "-cp", self.class_path, "AskInEveryWay"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        return self._jvms[java]

    def close(self) -> None:
        for process in self._jvms.values():
            await_end(process)
