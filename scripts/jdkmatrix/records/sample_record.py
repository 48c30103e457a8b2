# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a throughput run store? Samples as the load JVM wrote them, and blocks of them.

A run folder holds, per comparison, `throughput/<scenario>/<client>/<baseline>/block-NN.json` (a
BlockRecord) and beside it a folder for each of its samples with the load JVM's own files.
"""

from collections import Counter
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from jdkmatrix.records.model import InsidePath, Record, Seconds
from jdkmatrix.vocabulary import Metric

# Of quiet cores; a turn of a service that is one more would cost 8 % of its sample.
_USUAL_SHARE_OF_OTHERS = 0.05


class SamplePart(BaseModel):
    """A part of `sample.json`, which may have more fields than are needed here."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="ignore")


class SampleJvm(SamplePart):
    """The JVM that a sample says it ran in."""

    runtime_version: str
    vendor: str


class Latency(SamplePart):
    """Microseconds from the start of a request (open loop: the intended one) to its end."""

    p99: float


class GroupSample(SamplePart):
    """What one group of threads did in the window."""

    measured: bool
    requests: int
    requests_per_s: float
    errors: dict[str, int] = Field(default_factory=dict)
    longest_us: float = 0
    latency_us: Latency | None = None


class HostSample(SamplePart):
    """The counters of a host's peer and relay over the window."""

    peer: dict[str, int | float]
    relay: dict[str, int | float] | None = None


class Wire(SamplePart):
    """What passed between a client and its host for one request, or the `failure` to count it."""

    records_per_request: float = 0
    bytes_per_request: float = 0
    round_trips_per_request: float = 0
    exchanges: int = 0
    failure: str | None = None

    @property
    def is_asked(self) -> bool:
        """Whether the load was one whose requests can be counted."""
        return self.exchanges > 0 or self.failure is not None


class Collections(SamplePart):
    """Garbage collections in the window."""

    count: int
    ms: int


class Sample(SamplePart):
    """`sample.json` of one load JVM that measured.

    Costs are those of the subject: this JVM, or the services that it asks. In the second case
    `driver_cores` is how many cores it used itself, with the processes that it started.
    """

    pacing: str
    jvm: SampleJvm
    groups: tuple[GroupSample, ...] = ()
    cpu_us_per_request: float = 0
    allocated_bytes_per_request: float | None = None
    wire: Wire | None = None
    gc: Collections | None = None
    driver_cores: float | None = None
    warm_up_requests: int | None = None
    hosts: tuple[HostSample, ...] = ()
    protocol: str | None = None
    cipher: str | None = None
    vetoes: tuple[str, ...] = ()

    @property
    def connections(self) -> int:
        """How many connections the hosts saw in the window."""
        return self.read_counter("connections")

    @property
    def closed_connections(self) -> int:
        """How many connections the client closed in the window, as relays saw it."""
        relays = [host.relay for host in self.hosts if host.relay]
        return int(sum(relay.get("client_fins", 0) for relay in relays))

    @property
    def client_ports(self) -> int:
        """How many client ports connections took: through a relay two, one of them the relay's."""
        return sum(
            int(host.peer.get("connections", 0)) * (1 if host.relay is None else 2)
            for host in self.hosts
        )

    def read_counter(self, name: str) -> int:
        """A counter of the peers of all hosts over the window, such as `handshakes.full`."""
        return int(sum(host.peer.get(name, 0) for host in self.hosts))

    @property
    def errors(self) -> dict[str, int]:
        """Failed requests by kind, of all groups."""
        return dict(sum((Counter(group.errors) for group in self.groups), Counter[str]()))

    @property
    def count_gaps(self) -> tuple[str, ...]:
        """What a load that pauses should have counted, and has not."""
        if self.wire is None or not self.wire.is_asked:
            return ()
        texts = []
        if self.wire.failure is not None:
            texts.append(f"no TLS record was counted: {self.wire.failure}")
        if self.figure(Metric.ALLOCATED_BYTES_PER_REQUEST) <= 0:
            texts.append("the JVM does not count at once what it allocates")
        return tuple(texts)

    @property
    def all_requests(self) -> int:
        """How many requests ended in the window, of measured groups and others."""
        return sum(group.requests for group in self.groups)

    def figure(self, metric: Metric) -> float:
        """The value of a metric over the measured groups; 0 where there were no requests."""
        groups = [group for group in self.groups if group.measured]
        match metric:
            case Metric.REQUESTS_PER_S | Metric.ANSWERED_PER_S:
                return sum(group.requests_per_s for group in groups)
            case Metric.CPU_US_PER_REQUEST:
                return self.cpu_us_per_request
            case Metric.WORST_LATENCY_US:
                return max((group.longest_us for group in groups), default=0)
            case Metric.BYTES_PER_CONNECTION:
                return self.read_counter("cost.occupied_bytes") / (self.connections or 1)
            case Metric.ALLOCATED_BYTES_PER_REQUEST:
                return self.allocated_bytes_per_request or 0
            case Metric.RECORDS_PER_REQUEST:
                return self.wire.records_per_request if self.wire else 0
            case Metric.WIRE_BYTES_PER_REQUEST:
                return self.wire.bytes_per_request if self.wire else 0
            case Metric.ROUND_TRIPS_PER_REQUEST:
                return self.wire.round_trips_per_request if self.wire else 0
        return max((group.latency_us.p99 for group in groups if group.latency_us), default=0)


class MachineState(Record):
    """The machine's state during a block. Shares are of all cores' time since the block began."""

    cores: int
    governor: str | None
    load_1min: float
    steal_share: float
    busy_share: float
    seconds: float


class WarmUp(Record):
    """How long each sample of a block was to warm up, how long its turns were, and what of that
    the machine gave. Each was to have made `least_requests`.
    """

    planned_s: Seconds
    passed_s: Seconds
    given_s: Seconds
    least_requests: int = 0

    @property
    def was_given(self) -> bool:
        """Whether the machine gave what was planned; the rest is what runs on quiet cores, too."""
        return self.given_s >= (1 - _USUAL_SHARE_OF_OTHERS) * self.planned_s


class SampleRecord(Record):
    """How one sample went. `void` is why it does not count, `vetoes` what forbids its figures;
    `count_gaps` says which counts it lacks, without which its other figures stay.

    `connections` is how many were made in the window, `client_ports` how many ports these took,
    None if that is not known; `closed` is how many the client closed, if there is a relay;
    `requests` are those of all groups, `warm_up_requests` those before the window.
    """

    arm: str
    build: str
    folder: InsidePath
    seconds: Seconds
    void: str | None = None
    vetoes: tuple[str, ...] = ()
    count_gaps: tuple[str, ...] = ()
    figures: dict[Metric, float] = Field(default_factory=dict)
    connections: int = 0
    closed: int = 0
    client_ports: int | None = None
    requests: int = 0
    warm_up: WarmUp | None = None
    warm_up_requests: int | None = None

    @property
    def counts(self) -> bool:
        """May its figures be compared?"""
        return self.void is None and not self.vetoes


class AttemptRecord(Record):
    """One try at a block: its samples in the order in which they ran."""

    samples: tuple[SampleRecord, ...]
    machine: MachineState

    @property
    def counting(self) -> int:
        """How many samples count."""
        return sum(sample.counts for sample in self.samples)

    @property
    def complete(self) -> bool:
        """Does every sample count?"""
        return self.counting == len(self.samples)


class BlockRecord(Record):
    """One block, with every try at it. `resumed`: there was a pause before it."""

    schema_: Literal[1] = Field(alias="schema")
    block: int
    resumed: bool = False
    attempts: tuple[AttemptRecord, ...] = Field(min_length=1)

    @property
    def graded_attempt(self) -> AttemptRecord:
        """The attempt that is graded: the last of those with the most samples that count."""
        return max(reversed(self.attempts), key=lambda attempt: attempt.counting)

    def sample(self, arm: str) -> SampleRecord | None:
        """The arm's sample in the graded attempt, None if it does not count."""
        for sample in self.graded_attempt.samples:
            if sample.arm == arm and sample.counts:
                return sample
        return None
