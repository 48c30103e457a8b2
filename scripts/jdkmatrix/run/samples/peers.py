# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do the servers and relays of a comparison start, answer, and leave nothing behind?

Each is a JVM on the tool JDK, or on its build if it is a service that is measured. It says in one
line of JSON that it is ready, reports its counters on a control port, and ends when its standard
input does, so that a killed kit leaves no orphan.
"""

import json
import re
import select
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jdkmatrix.config.clients import Scalar
from jdkmatrix.config.scenarios import Host, PeerKind, Scenario
from jdkmatrix.machine.endings import complaint_in
from jdkmatrix.machine.processes import end, start_java

_READY_TIMEOUT_S = 60.0
_END_TIMEOUT_S = 5.0
PEER_CLASSES = {PeerKind.BARE: "BarePeer", PeerKind.WIREMOCK: "WireMockPeer"}
RELAY_CLASS = "RelayProcess"
# A JVM that records itself says so: before 17 on its output, whatever its options; then as a log.
_OF_THE_VM = re.compile(
    rb"\A(?:(?:\[|Started recording |Recording \d+ |Use jcmd )[^\n]*\n|\n)*", re.ASCII
)
_JAVA_OPTIONS = (
    "-XX:+ExitOnOutOfMemoryError",  # or it would live on without the thread that answers
    "-XX:+DisplayVMOutputToStderr",  # the output is for the line that says it is ready
)


class PeerError(Exception):
    """A peer or relay that did not start, or is gone; the text says which, how and why."""


@dataclass(frozen=True)
class ServiceCommand:
    """How a service starts on the build under test; it gets `settings` besides its host's."""

    java: Path
    options: Sequence[str]
    class_path: str
    main_class: str
    settings: Mapping[str, Scalar]


@dataclass(frozen=True)
class Endpoint:
    """Where a load JVM finds one host: the port it asks, and the control ports."""

    port: int
    peer_control: int
    relay_control: int | None


class PeerProcess:
    """One running peer or relay; `name` is what errors call it: `peer of fast`.

    `runtime` is the version and vendor of the JDK that it says it runs on.
    """

    def __init__(self, name: str, command: Sequence[str], log: Path) -> None:
        self.name = name
        self._log = log
        self.process = start_java(command, log)
        try:
            self.port, self.control = self._ready()
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The process id; there is one, as the process has said that it is ready."""
        pid = self.process.pid
        assert pid is not None
        return pid

    def complaint(self) -> str | None:
        """Why the process is gone, None while it runs."""
        code = self.process.poll()
        return None if code is None else f"the {self.name} died ({self._how_it_ended(code)})"

    def close(self) -> None:
        """End the process: by the end of its input, then by a kill."""
        end([self.process], _END_TIMEOUT_S)

    def _ready(self) -> tuple[int, int]:
        line = self._first_line()
        try:
            message = json.loads(line)
            if message["ready"] is True:
                self.runtime = (str(message["java"]), str(message["vendor"]))
                return int(message["port"]), int(message["control"])
        except (ValueError, KeyError, TypeError):
            pass
        output = f"it printed: {line[:200]!r}"
        raise PeerError(f"the {self.name} did not report that it is ready; {output}")

    def _first_line(self) -> str:
        stdout = self.process.supervisor.stdout
        assert stdout
        output = stdout.fileno()
        deadline_s = time.monotonic() + _READY_TIMEOUT_S
        read = b""
        while b"\n" not in read:
            left_s = deadline_s - time.monotonic()
            if left_s <= 0 or not select.select([output], [], [], left_s)[0]:
                raise PeerError(f"the {self.name} did not answer within {_READY_TIMEOUT_S:.0f} s")
            part = stdout.read1(4096)  # type: ignore[attr-defined]
            if not part:
                self.close()
                self.process.check_started()
                end_text = self._how_it_ended(self.process.code)
                raise PeerError(f"the {self.name} did not start ({end_text})")
            read = _OF_THE_VM.sub(b"", read + part)
        return read.partition(b"\n")[0].decode(errors="replace")

    def _how_it_ended(self, code: int) -> str:
        complaint = complaint_in(self._log)
        return f"exit code {code}: {complaint}" if complaint else f"exit code {code}"


@dataclass(frozen=True)
class Peers:
    """The peers and relays of one scenario, started on entering. Raises PeerError.

    `java` is the tool JDK's, `class_paths` the class path of each program by its class. With a
    `service` only the hosts that it answers for are started, without one all others.
    """

    java: Path
    class_paths: Mapping[str, str]
    scenario: Scenario
    logs: Path
    service: ServiceCommand | None = None
    _running: list[PeerProcess] = field(default_factory=list, init=False)
    _endpoints: dict[str, Endpoint] = field(default_factory=dict, init=False)

    def __enter__(self) -> "Peers":
        try:
            self._start()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    @property
    def endpoints(self) -> Mapping[str, Endpoint]:
        """Where each host is, by its name."""
        return self._endpoints

    @property
    def runtimes(self) -> set[tuple[str, str]]:
        """The versions and vendors of the JDKs that the processes say they run on."""
        return {process.runtime for process in self._running}

    @property
    def pids(self) -> set[int]:
        """The ids of the processes."""
        return {process.pid for process in self._running}

    def complaint(self) -> str | None:
        """Which process is gone and why; None while all run."""
        complaints = [complaint for peer in self._running if (complaint := peer.complaint())]
        return complaints[0] if complaints else None

    def restart(self) -> None:
        """End what is left, and start anew. Raises PeerError."""
        self._close()
        self._start()

    def _start(self) -> None:
        self.logs.mkdir(parents=True, exist_ok=True)
        for name, host in self.scenario.hosts.items():
            if (host.peer is PeerKind.SERVICE) == (self.service is not None):
                self._endpoints[name] = self._start_host(name, host)

    def _start_host(self, name: str, host: Host) -> Endpoint:
        peer = self._start_peer(name, host)
        if not host.has_relay:
            return Endpoint(peer.port, peer.control, None)
        relay = self._launch(
            f"relay of {name}",
            RELAY_CLASS,
            [
                f"target=127.0.0.1:{peer.port}",
                f"rtt_ms={host.rtt_ms}",
                f"late_fin_ms={host.late_fin_ms}",
                f"bandwidth_bytes_per_s={host.bandwidth_bytes_per_s}",
            ],
        )
        return Endpoint(relay.port, peer.control, relay.control)

    def _start_peer(self, name: str, host: Host) -> PeerProcess:
        service = self.service
        if service is None:
            return self._launch(
                f"peer of {name}", PEER_CLASSES[host.peer], _arguments(host.settings)
            )
        program = [*service.options, "-cp", service.class_path, service.main_class]
        arguments = _arguments({**service.settings, **host.settings})
        command = [str(service.java), *_JAVA_OPTIONS, *program, *arguments]
        return self._run(f"service {name}", command)

    def _launch(self, name: str, main_class: str, arguments: list[str]) -> PeerProcess:
        class_path = ("-cp", self.class_paths[main_class])
        command = [str(self.java), *_JAVA_OPTIONS, *class_path, main_class, *arguments]
        return self._run(name, command)

    def _run(self, name: str, command: list[str]) -> PeerProcess:
        log = self.logs / f"{name.replace(' ', '-')}.log"
        try:
            process = PeerProcess(name, command, log)
        except OSError as error:
            raise PeerError(f"the {name} did not start: {error.strerror}") from None
        self._running.append(process)
        return process

    def _close(self) -> None:
        end([peer.process for peer in reversed(self._running)], _END_TIMEOUT_S)
        self._running.clear()
        self._endpoints.clear()


def _arguments(settings: Mapping[str, Scalar]) -> list[str]:
    return [f"{key}={text_of(setting)}" for key, setting in settings.items()]


def text_of(setting: object) -> str:
    """A setting as the Java programs read it."""
    return str(setting).lower() if isinstance(setting, bool) else str(setting)


class KeptServices:
    """One service per arm, kept until `end`; a context manager."""

    def __init__(self) -> None:
        self._running: dict[str, Peers] = {}

    def __enter__(self) -> "KeptServices":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def are_warm(self, arms: Collection[str]) -> bool:
        """Whether each of these arms has a running service."""
        return all(arm in self._running and not self._running[arm].complaint() for arm in arms)

    def get_or_start(self, arm: str, start: Callable[[], Peers]) -> Peers:
        """The arm's service; `start` makes one, which is then entered. Raises PeerError."""
        if not self.are_warm([arm]):
            self._end(arm)
            self._running[arm] = start().__enter__()
        return self._running[arm]

    def end(self) -> None:
        """End all of them."""
        for arm in tuple(self._running):
            self._end(arm)

    def _end(self, arm: str) -> None:
        service = self._running.pop(arm, None)
        if service is not None:
            service.__exit__()
