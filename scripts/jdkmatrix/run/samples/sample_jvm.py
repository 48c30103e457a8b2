# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are a load JVM and the service that it asks run, and when is their sample void?

A sample counts only if the JVM ended well, wrote what it measured and was of the right build, and
if its peers lived to the end.
"""

import json
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from jdkmatrix.config.clients import Client, Service
from jdkmatrix.config.scenarios import Scenario
from jdkmatrix.machine.children import ChildEnd, Children, clean_environment
from jdkmatrix.machine.endings import complaint_in
from jdkmatrix.machine.files import content_of
from jdkmatrix.machine.json_models import problem_in
from jdkmatrix.machine.withheld import MOST_STRETCH
from jdkmatrix.plan.blocks import Arm
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.sample_record import Sample, SampleRecord
from jdkmatrix.run.samples.peers import (
    Endpoint,
    KeptServices,
    PeerError,
    Peers,
    ServiceCommand,
    text_of,
)
from jdkmatrix.vocabulary import Layer, Metric

LOAD_CLASS = "Load"
SETTINGS_FILE = "SAMPLE.properties"
SAMPLE_FILE = "sample.json"
_EXIT_VOID = 3
# Requests/s measure a service only if the driver, on the same two cores, is not the limit.
MOST_DRIVER_CORES = 0.5
# What a service without TLS does not have, and one behind HAProxy does not see.
_UNSEEN: Mapping[Layer | None, Collection[str]] = {
    Layer.PLAIN: ("protocol", "resumed", "suite", "group", "key", "alpn"),
    Layer.PROXY: ("protocol", "resumed"),
}


@dataclass(frozen=True)
class ServiceProgram:
    """A service that is measured; it is started for each sample, unless one is kept warm.

    `driver_java` is what its load runs on, `driver_program` what that load starts, if anything.
    With `same_collector` all builds use one, as their default changed with JDK 9 (JEP 248).
    """

    service: Service
    class_path: str
    driver_java: Path
    same_collector: bool
    driver_program: Path | None = None
    program: Path | None = None

    def command(
        self, build: BuildRecord, scenario: Scenario, extra_options: Sequence[str]
    ) -> ServiceCommand:
        """How the service starts on a build."""
        return ServiceCommand(
            java=Path(build.home) / "bin" / "java",
            options=(
                *(("-XX:+UseParallelGC",) if self.same_collector else ()),
                *scenario.service_options,
                *extra_options,
                *_overlay_options(build),
            ),
            class_path=self.class_path,
            main_class=self.service.class_,
            settings={
                **self.service.settings,
                **({"program": str(self.program)} if self.program else {}),
            },
        )


@dataclass(frozen=True)
class LoadCommand:
    """What all samples of a comparison have in common; a `service` is asked by `client`."""

    scenario_name: str
    scenario: Scenario
    client: Client
    class_path: str
    service: ServiceProgram | None = None

    def java_options(self) -> list[str]:
        """The options of the load JVM, but for its class path."""
        properties = {**self.scenario.system_properties, **self.client.system_properties}
        if self.service:
            properties = {**properties, **_offer_properties(self.scenario, self.client)}
        return [
            "-XX:+ExitOnOutOfMemoryError",  # or the other threads would go on and be measured
            *self.scenario.jvm_options,
            *(f"-D{name}={text_of(setting)}" for name, setting in properties.items()),
        ]

    def settings(
        self, endpoints: Mapping[str, Endpoint], out: Path, turns: str | None = None
    ) -> dict[str, object]:
        """The settings in `SAMPLE.properties`, by the names that `Load` has for them."""
        scenario = self.scenario
        layer = self.service.service.layer if self.service else None
        scheme = "http" if layer is Layer.PLAIN else "https"
        load_settings: dict[str, object] = {
            "scenario": self.scenario_name,
            "client": self.client.class_,
            "out": out,
            "pacing": scenario.pacing,
            "rate_per_s": scenario.rate_per_s,
            "warm_up_ms": scenario.warm_up_ms,
            "measure_ms": scenario.measure_ms,
            "protocols": ",".join(scenario.protocols),
            "turns": turns,
            "pauses": bool(scenario.turn_ms) if turns else None,
            "costs_of": "hosts" if self.service else None,
            "driver.program": self.service.driver_program if self.service else None,
        }
        load_settings |= _with_prefix("driver", scenario.driver_settings)
        for name, endpoint in endpoints.items():
            load_settings |= _with_prefix(f"host.{name}", _addresses(endpoint, scheme))
        for name, group in scenario.groups.items():
            load_settings |= _with_prefix(f"group.{name}", group.model_dump())
        expect = scenario.expect.model_dump(exclude={"hosts", *_UNSEEN.get(layer, ())})
        load_settings |= _with_prefix("expect", expect)
        for name, host in scenario.expect.hosts.items():
            load_settings |= _with_prefix(f"expect.{name}", host.model_dump())
        return {key: setting for key, setting in load_settings.items() if setting is not None}


def _with_prefix(prefix: str, settings: Mapping[str, object]) -> dict[str, object]:
    return {f"{prefix}.{name}": setting for name, setting in settings.items()}


def _addresses(endpoint: Endpoint, scheme: str) -> dict[str, object]:
    addresses: dict[str, object] = {
        "url": f"{scheme}://127.0.0.1:{endpoint.port}",
        "peer_control": f"127.0.0.1:{endpoint.peer_control}",
    }
    if endpoint.relay_control is not None:
        addresses["relay_control"] = f"127.0.0.1:{endpoint.relay_control}"
    return addresses


class MidBlockStop(Exception):
    """The run was stopped in mid-block."""


@dataclass(frozen=True)
class Sampling:
    """How samples of a comparison are taken.

    One of several `turn_takers` measures only when it is told to at the address `turns`.
    """

    command: LoadCommand
    peers: Peers
    services: KeptServices
    children: Children
    turns: str | None = None
    turn_takers: int = 1

    def take(
        self, arm: Arm, build: BuildRecord, folder: Path, extra_options: Sequence[str] = ()
    ) -> SampleRecord:
        """Take one in a new `folder`. Raises OSError if its files can't be written, MidBlockStop
        after `children.stop()`.

        A service is taken from `services`, or started and put there. The `extra_options` are for
        the JVM that is measured.
        """
        folder.mkdir(parents=True)
        program, scenario = self.command.service, self.command.scenario
        start_s = time.monotonic()
        if program is None:
            java = Path(build.home) / "bin" / "java"
            options = (*extra_options, *_overlay_options(build))
            read = self._load(java, options, self.peers, folder)
            if isinstance(read, Sample):
                runtime = (read.jvm.runtime_version, read.jvm.vendor)
                read = _wrong_jvm(runtime, build) or read
        else:
            service = program.command(build, scenario, extra_options)
            try:
                peers = Peers(program.driver_java, {}, scenario, folder, service)
                service_peers = self.services.get_or_start(arm.name, lambda: peers)
                wrong = [_wrong_jvm(runtime, build) for runtime in service_peers.runtimes]
                read = self._load(program.driver_java, (), service_peers, folder)
                read = next((complaint for complaint in wrong if complaint), read)
            except PeerError as error:
                read = str(error)
        sample, void = (read, None) if isinstance(read, Sample) else (None, read)
        return SampleRecord(
            arm=arm.name,
            build=arm.build,
            folder=folder.name,
            seconds=round(time.monotonic() - start_s, 3),
            void=void,
            vetoes=sample.vetoes if sample else (),
            count_gaps=sample.count_gaps if sample else (),
            figures=_figures(sample) if sample else {},
            connections=sample.connections if sample else 0,
            closed=sample.closed_connections if sample else 0,
            client_ports=sample.client_ports if sample else None,
            requests=sample.all_requests if sample else 0,
            warm_up_requests=sample.warm_up_requests if sample else None,
        )

    def _load(self, java: Path, options: Sequence[str], peers: Peers, folder: Path) -> Sample | str:
        """Run the load JVM to its end; return the sample, or why that is void."""
        settings = folder / SETTINGS_FILE
        load_settings = self.command.settings(peers.endpoints, folder, self.turns)
        settings.write_text(_properties(load_settings), encoding="utf-8")
        class_path = ("-cp", self.command.class_path)
        line = [str(java), *self.command.java_options(), *options, *class_path, LOAD_CLASS]
        log = folder / "load.log"
        scenario = self.command.scenario
        longer_s = (MOST_STRETCH - 1) * scenario.warm_up_ms / 1000 if self.turns else 0
        timeout_s = (scenario.timeout_s + longer_s) * self.turn_takers
        end, code = self.children.run([*line, str(settings)], log, clean_environment(), timeout_s)
        if end is ChildEnd.INTERRUPTED:
            raise MidBlockStop
        dead = peers.complaint()  # what the client says of a dead peer only follows from that
        if dead is not None:
            return dead
        if end is ChildEnd.TIMEOUT:
            return f"the load JVM was still running after {timeout_s:.0f} s"
        read = _read(folder / SAMPLE_FILE)
        if read is None or code not in (0, _EXIT_VOID):
            complaint = complaint_in(log) or "no message"
            return f"the load JVM failed (exit code {code}): {complaint}"
        if isinstance(read, Sample):
            return _without_figures(read, scenario) or read
        return read


def read_sample(folder: Path) -> Sample | None:
    """The stored sample of a folder; None if the JVM left none, or measured nothing."""
    read = _read(folder / SAMPLE_FILE)
    return read if isinstance(read, Sample) else None


def _read(path: Path) -> Sample | str | None:
    """The sample, or why it is void; None if the JVM left no file."""
    try:
        document = json.loads(content_of(path))
        if document.get("void"):  # then the rest may be missing
            return str(document["void"])
        return Sample.model_validate(document)
    except OSError:
        return None
    except ValidationError as error:
        return f"{path.name}: {problem_in(error)}"
    except (ValueError, AttributeError, RecursionError):
        return f"{path.name} is not a JSON object"


def _wrong_jvm(runtime: tuple[str, str], build: BuildRecord) -> str | None:
    """What is wrong if the measured JVM reports this `runtime`: version and vendor."""
    version, vendor = build.facts["version"], build.facts["vendor"]
    if runtime == (version, vendor):
        return None
    return f"it ran on {runtime[0]} ({runtime[1]}), not on {build.id} ({version}, {vendor})"


def _without_figures(sample: Sample, scenario: Scenario) -> str | None:
    if sample.vetoes:
        return None  # they say why no request ended
    missing = [
        metric for metric in scenario.metrics if not metric.is_count and sample.figure(metric) <= 0
    ]
    return f"no request ended in the window: no {missing[0]}" if missing else None


def _figures(sample: Sample) -> dict[Metric, float]:
    """The figures to compare: no rate of a service's own if its driver may have been the limit."""
    figures = {metric: sample.figure(metric) for metric in Metric if sample.figure(metric) > 0}
    if sample.driver_cores is None:
        figures.pop(Metric.ANSWERED_PER_S, None)
    if sample.driver_cores is not None and sample.driver_cores > MOST_DRIVER_CORES:
        figures.pop(Metric.REQUESTS_PER_S, None)
    return figures


def _offer_properties(scenario: Scenario, driver: Client) -> dict[str, str]:
    """The properties by which JSSE offers only what is pinned.

    A driver's program pins the group itself, which may be one that the tool JDK does not have.
    """
    pins = {
        "jdk.tls.client.cipherSuites": scenario.expect.suite,
        "jdk.tls.namedGroups": None if driver.program else scenario.expect.group,
    }
    return {name: pin for name, pin in pins.items() if pin is not None}


def _overlay_options(build: BuildRecord) -> Sequence[str]:
    return build.overlay.java_options if build.overlay else ()


def _properties(settings: Mapping[str, object]) -> str:
    """The text of a properties file, in ASCII: it reads the same in any encoding."""
    return "".join(f"{key}={_escape(text_of(setting))}\n" for key, setting in settings.items())


def _escape(text: str) -> str:
    units = text.replace("\\", "\\\\").encode("utf-16-be")
    pairs = zip(units[::2], units[1::2], strict=True)
    codes = [high << 8 | low for high, low in pairs]
    return "".join(chr(code) if code < 0x7F else f"\\u{code:04x}" for code in codes)
