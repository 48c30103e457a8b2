# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is measured: which scenarios, clients and services, and which builds against which?

A scenario is named `neighbour`, one of its controls `neighbour/tls12`; globs mean several: `n*`
scenarios, `n*/*` controls.
"""

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.scenarios import Scenario, ScenariosFile, load_scenarios, with_changes
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import UsageError, suggest
from jdkmatrix.overlay.overlay_request import OverlayRequest
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.blocks import copies_of
from jdkmatrix.plan.expectation import expect
from jdkmatrix.records.request import Request
from jdkmatrix.supply.build import NamedBuild, overlaid_id
from jdkmatrix.vocabulary import Expectation


@dataclass(frozen=True)
class Workload:
    """A scenario, control or point of a sweep, with one client or service as `client`.

    `sweep` has the values that are varied. `base_scenario` is the scenario itself: its controls
    have the same baseline, to be read beside it. In a validation `most_loss` is that of
    `ScenarioValidation`, and `if_slower` says that this is one of its controls.
    """

    name: str
    scenario: Scenario
    client: str
    sweep: Mapping[str, Any]
    base_scenario: Scenario
    most_loss: float | None = None
    if_slower: bool = False


class BuildGroup(NamedTuple):
    """Builds that are compared with one of them, the baseline; `copies` are names for it."""

    baseline: NamedBuild
    builds: tuple[NamedBuild, ...]
    copies: tuple[str, ...]


@dataclass(frozen=True)
class Workloads:
    """What is measured on a selection's builds. `baseline` is the place of one of them."""

    file: ScenariosFile
    ledger: Ledger
    workloads: tuple[Workload, ...]
    baseline: int | None
    overlay: OverlayRequest | None = None
    copies: int = 0

    @classmethod
    def resolve(
        cls,
        checkout: Checkout,
        ledger: Ledger,
        request: Request,
        baseline: int | None,
        overlay: OverlayRequest | None,
    ) -> "Workloads":
        """Look up what a request measures. Raises UsageError for an invalid request."""
        file, speed_request = load_scenarios(checkout.scenarios), request.speed
        assert speed_request
        if overlay and speed_request.baseline:
            raise UsageError(
                f"--baseline {speed_request.baseline} and {overlay}: accepted: one of them, as "
                "each build with an overlay is compared with the same build without"
            )
        if request.validates:
            workloads = validation_workloads(file)
        else:
            workloads = plan_workloads(
                file, speed_request.scenarios, speed_request.clients, speed_request.sweep
            )
        return cls(file, ledger, workloads, baseline, overlay, speed_request.copies)

    def since_train(self, workload: Workload) -> int:
        """The oldest train that has what the workload asks for and that its client can run on."""
        subject = self.file.subject(workload.client)
        return max(subject.since_train, workload.scenario.since_train)

    def groups(
        self, builds: Mapping[int, NamedBuild], is_affected: Callable[[NamedBuild], bool]
    ) -> list[BuildGroup]:
        """The groups of builds that are compared with each other.

        With a given baseline there is one group, otherwise one per train; a build may be alone. A
        train's baseline is the newest build but one, as the release before the newest, of those
        not affected by what the scenario shows, if there are any. With an overlay each build is
        compared with itself. `builds` are by their places.
        """
        if self.overlay:
            name = self.overlay.name
            return [
                self._group(build, (build, build._replace(id=overlaid_id(build.id, name))))
                for build in builds.values()
            ]
        if self.baseline is not None:
            baseline = builds.get(self.baseline)
            return [self._group(baseline, tuple(builds.values()))] if baseline else []
        trains: dict[int, list[NamedBuild]] = {}
        for build in builds.values():
            trains.setdefault(build.version.train, []).append(build)
        groups = []
        for train in trains.values():
            sound = [build for build in train if not is_affected(build)] or train
            baseline = sorted(sound, key=lambda build: build.version)[-2:][0]
            groups.append(self._group(baseline, tuple(train)))
        return groups

    def _group(self, baseline: NamedBuild, builds: tuple[NamedBuild, ...]) -> BuildGroup:
        return BuildGroup(baseline, builds, copies_of(baseline.id, self.copies))


def validation_workloads(file: ScenariosFile) -> tuple[Workload, ...]:
    """The workloads of a validation."""
    variants = dict(_variants(file))
    return tuple(
        Workload(
            name,
            variants[name],
            client,
            {},
            _scenario_of(file, name),
            requirement.most_loss,
            if_slower=client in requirement.controls,
        )
        for name, requirement in file.validation.items()
        for client in (*requirement.clients, *requirement.services, *requirement.controls)
    )


def plan_workloads(
    file: ScenariosFile, scenarios: Sequence[str], clients: Sequence[str], sweep: bool
) -> tuple[Workload, ...]:
    """The workloads that names and globs mean; without any, the scenarios of a validation.

    Raises UsageError with the accepted values.
    """
    variants = _meant_variants(file, scenarios or _usual_scenarios(file, sweep))
    _check_clients(file, clients)
    if sweep:
        variants = _with_sweep(file, variants)
    workloads = tuple(
        Workload(point_name, point, client, settings, _scenario_of(file, name))
        for name, scenario in variants.items()
        for point_name, point, settings in _points(name, scenario, sweep)
        for client in _select_subjects(scenario, clients, file)
    )
    _check_measured(clients, {workload.client for workload in workloads}, variants)
    return workloads


def _check_measured(
    clients: Sequence[str], measured_names: Collection[str], variants: Mapping[str, Scenario]
) -> None:
    subjects = (name for scenario in variants.values() for name in scenario.subjects)
    for client in clients:
        if client not in measured_names:
            names = ", ".join(dict.fromkeys(subjects))
            raise UsageError(f"--client {client}: accepted in {', '.join(variants)}: {names}")


def _check_clients(file: ScenariosFile, clients: Sequence[str]) -> None:
    for client in clients:
        if client not in {**file.clients, **file.services}:
            names = suggest(client, [*file.clients, *file.services])
            raise UsageError(f"--client {client}: no such client or service; {names}")
        if client in file.clients and file.clients[client].drives:
            raise UsageError(f"--client {client}: drives services; accepted: a client or a service")


def _meant_variants(file: ScenariosFile, patterns: Sequence[str]) -> dict[str, Scenario]:
    """The scenarios and controls that names and globs mean, in the file's order."""
    variants = dict(_variants(file))
    selected_names: set[str] = set()
    for pattern in patterns:
        names = {name for name in variants if _is_meant(name, pattern)}
        if not names:
            raise UsageError(
                f"--scenario {pattern}: no such scenario; {suggest(pattern, variants)}"
            )
        selected_names |= names
    return {name: scenario for name, scenario in variants.items() if name in selected_names}


def _with_sweep(file: ScenariosFile, variants: Mapping[str, Scenario]) -> dict[str, Scenario]:
    """Those that have values to vary; at least one."""
    sweeps = {name: scenario for name, scenario in variants.items() if scenario.sweep}
    if not sweeps:
        names = ", ".join(name for name, scenario in file.scenarios.items() if scenario.sweep)
        raise UsageError(f"--sweep: no scenario chosen has a sweep; accepted: {names}")
    return sweeps


def _usual_scenarios(file: ScenariosFile, sweep: bool) -> tuple[str, ...]:
    """Those of a validation; for a sweep, and where none is validated, all."""
    usual = dict.fromkeys(name.partition("/")[0] for name in file.validation)
    return tuple(file.scenarios if sweep or not usual else usual)


def _is_meant(name: str, pattern: str) -> bool:
    """Does the glob match the name? As in paths, a `*` does not match a slash."""
    return name.count("/") == pattern.count("/") and fnmatchcase(name, pattern)


def _select_subjects(
    scenario: Scenario, clients: Sequence[str], file: ScenariosFile
) -> Iterable[str]:
    """The scenario's own clients or services; if some are wanted, those of its kind."""
    fit = [name for name in clients if (name in file.services) == bool(scenario.services)]
    return fit if clients else scenario.subjects


def shown_on(scenario: Scenario, version: JdkVersion | None, ledger: Ledger) -> Expectation:
    """Whether a bug that the scenario shows affects a build of that version; unknown if it shows
    none, or the version is not known.

    With several bugs, one that affects the build is enough.
    """
    bugs = [bug for bug in ledger.bugs if bug.id in scenario.shows]
    expectations = [expect(bug, version, ledger) for bug in bugs if version]
    return min(expectations, key=list(Expectation).index, default=Expectation.UNKNOWN)


def _scenario_of(file: ScenariosFile, name: str) -> Scenario:
    """The scenario of that name, or the one that the control of that name belongs to."""
    return file.scenarios[name.partition("/")[0]]


def _variants(file: ScenariosFile) -> Iterator[tuple[str, Scenario]]:
    for name, scenario in file.scenarios.items():
        yield name, scenario
        for control, change in scenario.controls.items():
            yield f"{name}/{control}", with_changes(scenario, change.set)


def _points(
    name: str, scenario: Scenario, sweep: bool
) -> Iterator[tuple[str, Scenario, Mapping[str, Any]]]:
    """The scenario itself, or with `sweep` each point of it, with its name and what is varied."""
    if not sweep:
        yield name, scenario, {}
        return
    for settings in itertools.product(*scenario.sweep.values()):
        point = dict(zip(scenario.sweep, settings, strict=True))
        label = ",".join(f"{path.rpartition('.')[2]}={setting}" for path, setting in point.items())
        variant = with_changes(scenario, point)
        warm_up_ms = max(variant.warm_up_ms, _first_round_ms(variant))
        # The law holds where nothing overflows, too: fewer threads, or longer round trips.
        expect = variant.expect.model_copy(update={"min_client_fins": None})
        update = {"warm_up_ms": warm_up_ms, "expect": expect}
        yield f"{name}@{label}", variant.model_copy(update=update), point


def _first_round_ms(scenario: Scenario) -> int:
    """How long an affected build takes to let each thread in once, before it is steady.

    All threads begin together, and one enters per hold (docs/explanation/law.md).
    """
    law = scenario.law
    if law is None:
        return 0
    hold_ms = law.affected_round_trips * scenario.hosts[law.host].rtt_ms
    return math.ceil(scenario.groups[law.group].threads * hold_ms)
