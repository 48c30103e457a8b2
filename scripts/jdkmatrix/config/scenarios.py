# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which workloads are there, with which parameters, and which clients or services can run them?

The model of `test/throughput/scenarios.yaml`. A number may be `{value: 200, reason: "..."}`.
"""

from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, model_validator

from jdkmatrix.config.clients import Client, Number, Positive, Scalar, Service, Share
from jdkmatrix.config.yaml_model import StrictModel, load, wrong_at
from jdkmatrix.errors import UsageError, one_line, suggest
from jdkmatrix.machine.files import is_plain
from jdkmatrix.machine.json_models import problem_in
from jdkmatrix.vocabulary import COUNTS, Metric


class PeerKind(StrEnum):
    """Which server answers: `bare` is a small JSSE server for rates that WireMock can't reach.

    `service` is the one that is measured, on the build under test.
    """

    BARE = "bare"
    WIREMOCK = "wiremock"
    SERVICE = "service"


class Host(StrictModel):
    """A server and the relay before it; there is none without delay, limit or `relay`.

    `rtt_ms` is the whole delay of a round trip, `late_fin_ms` how long the peer's FIN is withheld;
    a bandwidth of 0 is unlimited. `settings` go to the peer's program as key=value.
    """

    peer: PeerKind = PeerKind.WIREMOCK
    rtt_ms: Number = 0
    late_fin_ms: Number = 0
    bandwidth_bytes_per_s: Number = 0
    relay: bool = False
    settings: dict[str, Scalar] = Field(default_factory=dict)

    @property
    def has_relay(self) -> bool:
        """Does a relay stand between the client and this host?"""
        return bool(self.relay or self.rtt_ms or self.late_fin_ms or self.bandwidth_bytes_per_s)


class Group(StrictModel):
    """Threads that send requests to one host in a loop. A read time-out of 0 means none.

    With `echo` the response has the body of the request.
    """

    host: str
    threads: Positive
    think_ms: Number = 0
    read_timeout_ms: Number = 0
    request_body_bytes: Number = 0
    response_body_bytes: Number = 0
    close_after: bool = False
    echo: bool = False
    measured: bool = True


class HostExpectations(StrictModel):
    """What the counters of one host must show, or the sample is vetoed; None is not checked.

    `min_client_fins` is how many connections, at least, its relay must see the client close.
    """

    resumed: Literal["all", "none", "any"] | None = None
    min_new_connections_per_1000_requests: Number | None = None
    max_new_connections_per_1000_requests: Number | None = None
    min_client_fins: Number | None = None


class Expectations(HostExpectations):
    """What a sample must show; `hosts` has what differs for single hosts.

    The driver of a service offers only this `suite` and `group`. It sees those, the `key` type of
    the certificate and, with HTTP/2, the `alpn` protocol.
    """

    protocol: str | None = None
    suite: str | None = None
    group: str | None = None
    key: str | None = None
    alpn: str | None = None
    hosts: dict[str, HostExpectations] = Field(default_factory=dict)


class Control(StrictModel):
    """The scenario with some parameters changed, by path: `groups.fast.threads: 1`."""

    set: dict[str, Any] = Field(min_length=1)
    reason: str = Field(min_length=1)


class Law(StrictModel):
    """Constants of the predicted rate: round trips a request waits for, per build and host."""

    host: str
    group: str
    affected_round_trips: Positive
    fixed_round_trips: Positive


class Scenario(StrictModel):
    """A named workload. `shows` are the bugs that explain a slow-down of an affected build.

    Either `clients` or `services` are measured. The client `driver`, with `driver_settings` and on
    the tool JDK, sends requests to services. Builds older than `since_train` lack what is used.
    `headline` is graded besides CPU time per request. `timeout_ms` bounds a whole sample. It is
    measured once the machine has given `warm_up_ms` and it has made `warm_up_requests`. With
    `turn_ms` the arms of a block measure in turns of that length: for a load whose threads can
    pause between any two requests. With `warm_up_again_ms`, scenarios that differ only in their
    bodies use the same service JVMs in each round of blocks; all but the first warm up that long.
    `jvm_options` are for the load JVM, `service_options` for a service's. `published` has what
    others measured on other machines: requests/s by service, or `jsse-by-boringssl`.
    """

    title: str
    shows: tuple[str, ...] = ()
    clients: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    since_train: Number = 8
    driver: str | None = None
    driver_settings: dict[str, Scalar] = Field(default_factory=dict)
    pacing: Literal["closed", "open"] = "closed"
    rate_per_s: Positive | None = None
    warm_up_ms: Number
    warm_up_requests: Positive | None = None
    warm_up_again_ms: Positive | None = None
    measure_ms: Positive
    turn_ms: Positive | None = None
    timeout_ms: Positive | None = None
    protocols: tuple[str, ...] = ("TLSv1.3",)
    headline: Metric = Metric.REQUESTS_PER_S
    system_properties: dict[str, Scalar] = Field(default_factory=dict)
    jvm_options: tuple[str, ...] = ()
    service_options: tuple[str, ...] = ()
    hosts: dict[str, Host] = Field(min_length=1)
    groups: dict[str, Group] = Field(min_length=1)
    expect: Expectations = Expectations()
    controls: dict[str, Control] = Field(default_factory=dict)
    sweep: dict[str, tuple[Scalar, ...]] = Field(default_factory=dict)
    law: Law | None = None
    published: dict[str, float] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _names_fit(self) -> "Scenario":
        for name, group in self.groups.items():
            _check_name("host", group.host, self.hosts, ("groups", name, "host"))
        for host in self.expect.hosts:
            _check_name("host", host, self.hosts, ("expect", "hosts", host))
        if not any(group.measured for group in self.groups.values()):
            raise wrong_at(("groups",), "no group is measured; accepted: at least one")
        if self.law:
            _check_name("host", self.law.host, self.hosts, ("law", "host"))
            _check_name("group", self.law.group, self.groups, ("law", "group"))
        return self

    @model_validator(mode="after")
    def _pacing_fits(self) -> "Scenario":
        if (self.pacing == "open") != (self.rate_per_s is not None):
            raise wrong_at(("pacing",), "an open loop needs rate-per-s, a closed one has none")
        if self.turn_ms and (
            self.pacing == "open" or any(group.think_ms for group in self.groups.values())
        ):
            raise wrong_at(("turn-ms",), "turns need a closed loop of groups that do not think")
        if self.warm_up_again_ms and not (self.services and self.turn_ms):
            raise wrong_at(("warm-up-again-ms",), "accepted: with services that measure in turns")
        return self

    @model_validator(mode="after")
    def _subjects_fit(self) -> "Scenario":
        if bool(self.clients) == bool(self.services):
            raise wrong_at(("clients",), "accepted: either clients or services, at least one")
        if bool(self.services) != (self.driver is not None):
            raise wrong_at(
                ("driver",), "accepted: the client that asks the services, and only then"
            )
        for place, definition in self.hosts.items():
            if (definition.peer is PeerKind.SERVICE) != bool(self.services):
                wrong = "accepted: the peer service, and only in a scenario of services"
                raise wrong_at(("hosts", place, "peer"), wrong)
            if self.services and definition.has_relay:
                raise wrong_at(("hosts", place), "accepted: a service without a relay before it")
        return self

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """What is graded, the headline first. Counts only of a load that can pause: the other loads
        have threads that are not measured, or closes that are still under way.
        """
        if self.headline is Metric.BYTES_PER_CONNECTION:
            return (self.headline,)  # idle connections have no requests to measure the cost of
        rates = (Metric.ANSWERED_PER_S,) if self.services else ()
        counts = COUNTS if self.turn_ms else ()
        return tuple(dict.fromkeys((self.headline, Metric.CPU_US_PER_REQUEST, *rates, *counts)))

    @property
    def echo_bytes(self) -> int | None:
        """The size of the largest body that a group has echoed; None if no group has any."""
        sizes = [group.request_body_bytes for group in self.groups.values() if group.echo]
        return max(sizes, default=None)

    @property
    def peers(self) -> tuple[PeerKind, ...]:
        """The kinds of peers that answer, except services, which are measured themselves."""
        kinds = {host.peer for host in self.hosts.values()} - {PeerKind.SERVICE}
        return tuple(sorted(kinds))

    @property
    def subjects(self) -> tuple[str, ...]:
        """The names of what can be measured: its clients or its services."""
        return self.clients or self.services

    @property
    def timeout_s(self) -> float:
        """When a sample that still runs is ended: by default after twice its time plus 30 s."""
        whole_ms = self.timeout_ms or 2 * (self.warm_up_ms + self.measure_ms) + 30_000
        return whole_ms / 1000


class ScenarioValidation(StrictModel):
    """What `validate` runs a scenario with, and which loss the verdict "good" excludes.

    With `most_loss`, that is this loss of the headline, and none of CPU time. If a client or
    service is slower, `controls` are run too: they show whose fault it is.
    """

    clients: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()
    most_loss: Share | None = None


class ScenariosFile(StrictModel):
    """The whole of `test/throughput/scenarios.yaml`.

    `validation` is what `validate` runs, in that order: scenarios, or controls of them.
    """

    schema_: Literal[1] = Field(alias="schema")
    clients: dict[str, Client] = Field(min_length=1)
    services: dict[str, Service] = Field(default_factory=dict)
    scenarios: dict[str, Scenario] = Field(min_length=1)
    validation: dict[str, ScenarioValidation] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _variants_are_scenarios(self) -> "ScenariosFile":
        for name in self.services:
            if name in self.clients:
                raise wrong_at(("services", name), "a client has that name; accepted: another")
        for name, validation in self.validation.items():
            _check_name("scenario", name, self.variants, ("validation",))
            self._check_subjects(validation.clients, validation.services, ("validation", name))
            definition = self.scenarios[name.partition("/")[0]]
            if not (validation.services if definition.services else validation.clients):
                kinds = "services" if definition.services else "clients"
                raise wrong_at(("validation", name), f"accepted: {kinds}, at least one")
            for n, control in enumerate(validation.controls):
                subjects = self.services if validation.services else self.clients
                _check_name(
                    "service or client", control, subjects, ("validation", name, "controls", n)
                )
        for name, scenario in self.scenarios.items():
            self._check_subjects(scenario.clients, scenario.services, ("scenarios", name))
            if scenario.driver is not None:
                _check_name("client", scenario.driver, self.clients, ("scenarios", name, "driver"))
            for control, change in scenario.controls.items():
                place = ("scenarios", name, "controls", control, "set")
                _check_change(scenario, change.set, place)
            for path, settings in scenario.sweep.items():
                for setting in settings:
                    _check_change(scenario, {path: setting}, ("scenarios", name, "sweep"))
        return self

    @property
    def programs(self) -> frozenset[str]:
        """The programs that clients and services start beside their JVMs."""
        subjects = (*self.clients.values(), *self.services.values())
        return frozenset(subject.program for subject in subjects if subject.program)

    def _check_subjects(
        self, clients: tuple[str, ...], services: tuple[str, ...], place: tuple[str, ...]
    ) -> None:
        for n, client in enumerate(clients):
            _check_name("client", client, self.clients, (*place, "clients", n))
            if self.clients[client].drives:
                raise wrong_at((*place, "clients", n), f"{client} can only drive services")
        for n, service in enumerate(services):
            _check_name("service", service, self.services, (*place, "services", n))

    def subject(self, name: str) -> Client | Service:
        """The client or service of that name."""
        return self.services.get(name) or self.clients[name]

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of all scenarios, and of their controls: `reuse`, `reuse/tls12`."""
        return tuple(
            name
            for scenario, definition in self.scenarios.items()
            for name in (scenario, *(f"{scenario}/{control}" for control in definition.controls))
        )


def with_changes(scenario: Scenario, changes: dict[str, Any]) -> Scenario:
    """The scenario with parameters replaced, by path. Raises ValueError for what does not fit."""
    document = scenario.model_dump(by_alias=True, mode="json")
    for path, setting in changes.items():
        place, key = _place(document, path)
        place[key] = setting
    return Scenario.model_validate(document)


def load_scenarios(path: Path) -> ScenariosFile:
    """Read and check the scenarios and that each class exists beside them. Raises UsageError."""
    file = load(path, ScenariosFile)
    for name, subject in {**file.clients, **file.services}.items():
        places = [path.parent / folder / f"{subject.class_}.java" for folder in subject.sources]
        if not any(map(is_plain, places)):
            folders = " or ".join(subject.sources)
            text = f"{path}: {name}: no {subject.class_}.java in {folders}, beside it"
            raise UsageError(one_line(text))
    return file


def _place(document: Any, path: str) -> tuple[dict[str, Any], str]:
    """The mapping that holds the parameter, and its key there; a key may hold dots itself."""
    if path in document:
        return document, path
    head, _, rest = path.partition(".")
    if rest and isinstance(document.get(head), dict):
        inner = document[head]
        return (inner, rest) if head.endswith("properties") else _place(inner, rest)
    raise ValueError(f"no parameter '{path}'; accepted here: {', '.join(document)}")


def _check_change(scenario: Scenario, changes: dict[str, Any], place: tuple[str, ...]) -> None:
    try:
        with_changes(scenario, changes)
    except ValidationError as error:
        raise wrong_at(place, problem_in(error)) from None
    except ValueError as error:
        raise wrong_at(place, str(error)) from None


def _check_name(kind: str, name: str, names: Any, place: tuple[str | int, ...]) -> None:
    if name not in names:
        raise wrong_at(place, f"no {kind} '{name}'; {suggest(name, names)}")
