# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix bisect --scenario`: between which two builds did the speed of a workload change?"""

from pathlib import Path

from jdkmatrix.bisect.candidates import Candidates, between, known_builds
from jdkmatrix.bisect.conclusion import verdict_of_scenario
from jdkmatrix.bisect.scenario_probe import ScenarioProbe
from jdkmatrix.bisect.search import BugState, NoBothSidesError
from jdkmatrix.cli.bisection import costs, error_of_ends, passed_over, search_of
from jdkmatrix.cli.printed import complain, say
from jdkmatrix.cli.runs import Runs
from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.scenarios import load_scenarios
from jdkmatrix.errors import ExitCode, UsageError
from jdkmatrix.machine.loopback import check_loopback
from jdkmatrix.machine.run_lock import going_on
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.workloads import Workload, plan_workloads, shown_on
from jdkmatrix.records.store import RunFolder
from jdkmatrix.supply.cache.jdks_lock import LockFile


def bisect_scenario(
    checkout: Checkout,
    scenario: str,
    train: int | None,
    good: str | None,
    bad: str | None,
    run: Runs,
    out: Path | None,
    *,
    offline: bool = False,
) -> int:
    """Search between two builds for a workload's change of speed; return the exit code.

    If the ends do not differ, raises UsageError, or NothingRanError if builds could not be run.
    """
    workload = _workload(checkout, scenario)
    candidates = _candidates(checkout, scenario, train, good, bad)
    check_loopback()
    folder = RunFolder.create(checkout.reports, out)
    baseline = candidates.ids[0 if candidates.first is BugState.GOOD else -1]
    probe = ScenarioProbe(
        run=run,
        scenario=workload.name,
        client=workload.client,
        good=baseline,
        versions=candidates.versions,
        folder=folder.path,
        say=complain,
    )
    command = f"scripts/matrix bisect --scenario {scenario}{' --offline' if offline else ''}"
    with going_on(folder.path):
        try:
            change = search_of(candidates, probe, command)
        except NoBothSidesError as error:
            raise error_of_ends(error, candidates) from None
    ledger = load_ledger(checkout.ledger)
    old, new = (
        (
            candidates.versions[entry_id],
            shown_on(workload.scenario, candidates.versions[entry_id], ledger),
        )
        for entry_id in (change.older, change.newer)
    )
    conclusion = verdict_of_scenario(
        workload.name, workload.scenario.shows, old, new, candidates.first
    )
    for line in (
        conclusion.text,
        *costs(change.runs, candidates, baseline),
        *passed_over(change),
    ):
        say(line)
    say(f"runs: {folder.path}")
    return ExitCode.OK if conclusion.agrees else ExitCode.SURPRISE


def _workload(checkout: Checkout, scenario: str) -> Workload:
    """The only workload of that name, with its first client."""
    workloads = plan_workloads(load_scenarios(checkout.scenarios), (scenario,), (), sweep=False)
    names = tuple(dict.fromkeys(workload.name for workload in workloads))
    if len(names) > 1:
        raise UsageError(
            f"--scenario {scenario}: {len(names)} scenarios; accepted: one of {', '.join(names)}"
        )
    return workloads[0]


def _candidates(
    checkout: Checkout, scenario: str, train: int | None, good: str | None, bad: str | None
) -> Candidates:
    if not (good and bad):
        raise UsageError(f"--scenario {scenario}: accepted: with both --good ID and --bad ID")
    last_builds = LockFile(checkout.lock).last_builds()
    candidates = between(good, bad, known_builds(load_jdks(checkout.jdks), last_builds, {}))
    if train not in (None, candidates.train):
        raise UsageError(
            f"--train {train}: {good} and {bad} are of {candidates.train}; "
            f"accepted: {candidates.train}, or none"
        )
    return candidates
