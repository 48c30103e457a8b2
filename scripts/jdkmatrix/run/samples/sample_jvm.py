# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is one load JVM run, and when is its sample void?

A sample counts only if the JVM ended well, wrote what it measured, was the build that it should
be, and its peers were alive to the end.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from jdkmatrix.config.clients import Client
from jdkmatrix.config.scenarios import Scenario
from jdkmatrix.machine.children import Children, Ended, clean_environment
from jdkmatrix.machine.complaint import complaint_in
from jdkmatrix.plan.blocks import Arm
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.sample_record import Sample, SampleRecord
from jdkmatrix.run.samples.peers import Endpoint, Peers
from jdkmatrix.vocabulary import Metric

LOAD_CLASS = "Load"
SETTINGS_FILE = "SAMPLE.properties"
SAMPLE_FILE = "sample.json"
_EXIT_VOID = 3


@dataclass(frozen=True)
class LoadCommand:
    """What stays the same over the samples of a comparison."""

    scenario_name: str
    scenario: Scenario
    client_name: str
    client: Client
    class_path: str

    def java_options(self) -> list[str]:
        """The options of the load JVM, but for its class path."""
        properties = {**self.scenario.system_properties, **self.client.system_properties}
        return [
            "-XX:+ExitOnOutOfMemoryError",  # else the other threads would go on, and be measured
            *self.scenario.jvm_options,
            *(f"-D{name}={_text(value)}" for name, value in properties.items()),
        ]

    def settings(
        self, endpoints: Mapping[str, Endpoint], out: Path, turns: str | None = None
    ) -> dict[str, object]:
        """What `SAMPLE.properties` says, in the words of `Load`."""
        scenario = self.scenario
        said: dict[str, object] = {
            "scenario": self.scenario_name,
            "client": self.client.class_,
            "out": out,
            "pacing": scenario.pacing,
            "rate_per_s": scenario.rate_per_s,
            "warm_up_ms": scenario.warm_up_ms,
            "measure_ms": scenario.measure_ms,
            "protocols": ",".join(scenario.protocols),
            "turns": turns,
        }
        for name, place in endpoints.items():
            said[f"host.{name}.url"] = f"https://127.0.0.1:{place.port}"
            said[f"host.{name}.peer_control"] = f"127.0.0.1:{place.peer_control}"
            if place.relay_control is not None:
                said[f"host.{name}.relay_control"] = f"127.0.0.1:{place.relay_control}"
        for name, group in scenario.groups.items():
            said |= {f"group.{name}.{key}": value for key, value in group.model_dump().items()}
        expect = scenario.expect.model_dump(exclude={"hosts"})
        said |= {f"expect.{key}": value for key, value in expect.items()}
        for name, host in scenario.expect.hosts.items():
            said |= {f"expect.{name}.{key}": value for key, value in host.model_dump().items()}
        return {key: value for key, value in said.items() if value is not None}


def run_sample(
    command: LoadCommand,
    arm: Arm,
    build: BuildRecord,
    peers: Peers,
    folder: Path,
    children: Children,
    extra_options: Sequence[str] = (),
    turns: str | None = None,
    turn_takers: int = 1,
) -> tuple[Ended, SampleRecord]:
    """Run one sample in `folder`, which is made. Raises OSError if its files can't be written.

    One of several `turn_takers` measures only in the turns that it is given at `turns`.
    """
    folder.mkdir(parents=True)
    settings = folder / SETTINGS_FILE
    said = command.settings(peers.endpoints, folder, turns)
    settings.write_text(_properties(said), encoding="utf-8")
    line = [
        str(Path(build.home) / "bin" / "java"),
        *command.java_options(),
        *extra_options,
        *(build.overlay.java_options if build.overlay else ()),
        "-cp",
        command.class_path,
        LOAD_CLASS,
        str(settings),
    ]
    log = folder / "load.log"
    began = time.monotonic()
    timeout_s = command.scenario.timeout_s * turn_takers
    ended, code = children.run(line, log, clean_environment(), timeout_s)
    seconds = round(time.monotonic() - began, 3)
    read = _read(folder / SAMPLE_FILE)
    void = peers.complaint()  # what the client says of a dead peer only follows from it
    if void is None and ended is Ended.TIMEOUT:
        void = f"the load JVM had not ended after {timeout_s:.0f} s"
    if void is None and (read is None or code not in (0, _EXIT_VOID)):
        complaint = complaint_in(log) or "no message"
        void = f"the load JVM failed (exit code {code}): {complaint}"
    if void is None:
        void = read if isinstance(read, str) else _fault(read, build, command.scenario)
    sample = read if isinstance(read, Sample) and void is None else None
    return ended, SampleRecord(
        arm=arm.name,
        build=arm.build,
        folder=folder.name,
        seconds=seconds,
        void=void,
        vetoes=sample.vetoes if sample else (),
        figures=_figures(sample) if sample else {},
        connections=sample.connections if sample else 0,
        closed=sample.closed if sample else 0,
        client_ports=sample.client_ports if sample else None,
        requests=sample.all_requests if sample else 0,
    )


def read_sample(folder: Path) -> Sample | None:
    """The stored sample of a folder; None if it left none, or measured nothing."""
    read = _read(folder / SAMPLE_FILE)
    return read if isinstance(read, Sample) else None


def _read(path: Path) -> Sample | str | None:
    """The sample, or why it is void; None if the JVM left no file."""
    try:
        document = json.loads(path.read_bytes())
        if document.get("void"):  # then the rest may be missing
            return str(document["void"])
        return Sample.model_validate(document)
    except OSError:
        return None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return f"{path.name}: {where}: {first['msg']}"
    except (ValueError, AttributeError):
        return f"{path.name} is not a JSON object"


def _fault(sample: Sample | None, build: BuildRecord, scenario: Scenario) -> str | None:
    """What is wrong with a sample that the load JVM thinks good."""
    if sample is None:
        return f"no {SAMPLE_FILE}"
    return _wrong_jvm(sample, build) or _without_figures(sample, scenario)


def _wrong_jvm(sample: Sample, build: BuildRecord) -> str | None:
    wanted = (build.facts["version"], build.facts["vendor"])
    found = (sample.jvm.runtime_version, sample.jvm.vendor)
    if found == wanted:
        return None
    return f"it ran on {found[0]} ({found[1]}), not on {build.id} ({wanted[0]}, {wanted[1]})"


def _without_figures(sample: Sample, scenario: Scenario) -> str | None:
    missing = [metric for metric in scenario.metrics if sample.figure(metric) <= 0]
    return f"no request ended in the window: no {missing[0]}" if missing else None


def _figures(sample: Sample) -> dict[Metric, float]:
    return {metric: sample.figure(metric) for metric in Metric if sample.figure(metric) > 0}


def _properties(settings: Mapping[str, object]) -> str:
    """The text of a properties file, in ASCII: it reads the same in any encoding."""
    return "".join(f"{key}={_escaped(_text(value))}\n" for key, value in settings.items())


def _escaped(text: str) -> str:
    units = text.replace("\\", "\\\\").encode("utf-16-be")
    pairs = zip(units[::2], units[1::2], strict=True)
    codes = [high << 8 | low for high, low in pairs]
    return "".join(chr(code) if code < 0x7F else f"\\u{code:04x}" for code in codes)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
