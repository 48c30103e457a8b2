# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The shipped scenarios mean what they say, and a mistake in them is one line.

After a change to them: UPDATE_BY_HAND=1 scripts/test tests/config/test_scenarios.py
"""

import json
import os
import re
import textwrap
from pathlib import Path

import pytest

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.scenarios import (
    PeerKind,
    Scenario,
    ScenariosFile,
    load_scenarios,
    with_changes,
)
from jdkmatrix.errors import UsageError
from jdkmatrix.run.samples.sample_jvm import LoadCommand

BY_HAND = """\
# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: GPL-2.0-only
#
# scenarios.yaml in the words of a sample, for the tests by hand; a control has what it changes.
# Made by: UPDATE_BY_HAND=1 scripts/test tests/config/test_scenarios.py

"""
OTHER_PEER = ("wiremock", "bare")  # controls that do not run by hand

SHOWS = "    shows: [JDK-8293562]\n"  # of clients
NEW_ONES = '{value: 1000, reason: "its connections are new'  # of services that warm up again
MISTAKES = [
    ("rtt-ms: {value: 100,", "rtt-mss: {value: 100,", "unknown key 'rtt-mss'", "rtt-ms"),
    ("threads: {value: 8, reason:", "threads: {value: 0, reason:", "greater than or equal", "1"),
    ("threads: {value: 8, reason:", "threads: {value: 8, why:", "{value: NUMBER, reason:", ""),
    ("host: fast\n", "host: fats\n", "no host 'fats'", "accepted: fast, slow"),
    ("clients: [https-url-connection]", "clients: [curl]", "no client 'curl'", "java-net-http"),
    ("pacing: open", "pacing: closed", "an open loop needs rate-per-s", ""),
    ("pacing: open", "pacing: open\n    turn-ms: 250", "turn-ms: turns need a closed loop", ""),
    ("turn-ms: {value: 100,", "turn-ms: {value: 0,", "greater than or equal", "1"),
    ("peer: bare", "peer: jetty", "'bare', 'wiremock' or 'service'", "not 'jetty'"),
    ("set: {groups.slow.read", "set: {groups.slo.read", "no parameter 'slo.read", "fast, slow"),
    (" hosts.slow.rtt-ms: 0\n", " hosts.slow.rtt-ms: x\n", "rtt-ms", "valid integer"),
    ("  groups.load.threads: [8,", "  groups.lod.threads: [8,", "no parameter 'lod.", "load"),
    ("  reuse/brief: {", "  reuse/brie: {", "no scenario 'reuse/brie'", "reuse/brief"),
    ("  reuse/brief: {clients: [", "  reuse/brief: {clients: [curl, ", "no client 'curl'", "azure"),
    ("reuse/brief: {clients", "reuse/brief: {controls", "accepted: clients, at least one", ""),
    ("brief:\n    services: [jetty-jsse]", "brief:", "accepted: services, at least one", ""),
    ("most-loss: {value: 0.75,", "most-loss: {value: 1,", "less than 1", ""),
    ("    driver: h2load\n", "", "the client that asks the services", ""),
    ("driver: h2load", "driver: h3load", "no client 'h3load'", "h2load"),
    ("[jetty-plain, jetty", "[jetty-p, jetty", "no service 'jetty-p'", "jetty-plain"),
    ("clients: [https-url-connection]", "clients: [h2load]", "h2load can only drive services", ""),
    ("service: {peer: service}", "service: {peer: bare}", "the peer service", ""),
    ("{peer: service}", "{peer: service, relay: true}", "a service without a relay", ""),
    ("  jetty-plain: {", "  java-net-http: {", "a client has that name", "another"),
    (f"{SHOWS}    clients: [https-url-connection]\n", SHOWS, "either clients or services", "least"),
    ("    driver: h2", "    clients: [idle]\n    driver: h2", "either clients or", "least"),
    (" turn-ms: {v", " warm-up-again-ms: 9\n    turn-ms: {v", "again-ms: accepted", "in turns"),
    (f"    turn-ms: {NEW_ONES}", f"    timeout-ms: {NEW_ONES}", "again-ms: accepted", "in turns"),
    ("threads: {value: 32,", "measured: false\n        threads: {value: 32,", "no group is", "one"),
]


@pytest.fixture(scope="module")
def file(root: Path) -> ScenariosFile:
    return load_scenarios(root / "test" / "throughput" / "scenarios.yaml")


def test_the_shipped_file(file: ScenariosFile, ledger: Ledger) -> None:
    assert {"neighbour", "gap", "azure-500", "reuse", "cross-host"} <= set(file.scenarios)
    bug_ids = {bug.id for bug in ledger.bugs}
    for scenario in file.scenarios.values():
        assert set(scenario.shows) <= bug_ids
        assert scenario.expect.protocol == "TLSv1.3"


def test_what_a_validation_measures_in_turns_says_how_much_work_warms_it_up(
    file: ScenariosFile,
) -> None:
    scenarios = {name.partition("/")[0] for name in file.validation}
    in_turns = {name for name in scenarios if file.scenarios[name].turn_ms}
    assert in_turns == {name for name in scenarios if file.scenarios[name].warm_up_requests}
    assert len(in_turns) == 4


def test_each_peer_is_used_and_each_scenario_runs_by_hand(file: ScenariosFile, root: Path) -> None:
    """By hand there is no WireMock, so those of its scenarios run with the bare peer there."""
    peers = {host.peer for scenario in file.scenarios.values() for host in scenario.hosts.values()}
    assert peers == set(PeerKind)
    tests = "".join(path.read_text() for path in (root / "test" / "throughput").glob("*.java"))
    for name in _of_clients(file):
        assert f'"{name}"' in tests or f"Bulk {name}" in tests


def test_by_hand_every_control_runs_that_needs_no_other_peer(
    root: Path, file: ScenariosFile
) -> None:
    sources = [path.read_text() for path in (root / "test" / "throughput").glob("*.java")]
    lines = [line for text in sources for line in text.splitlines() if "@run" in line]
    for name, scenario in _of_clients(file).items():
        (source,) = [text for text in sources if f'"{name}"' in text or f"Bulk {name}\n" in text]
        test = name if "Bulk" in source else re.findall(r"public class (\w+)", source)[0]
        controls = [control for control in scenario.controls if control not in OTHER_PEER]
        assert {"tls12", "no-read-timeout"} <= set(controls)
        for control in controls:
            assert any(line.endswith(f"{test} {control}") for line in lines), (name, control)


def test_what_runs_by_hand_is_what_the_kit_runs(root: Path, file: ScenariosFile) -> None:
    text = BY_HAND
    for name, scenario in _of_clients(file).items():
        whole = _by_hand(file, scenario)
        text += _hand_line(name, whole)
        for control, change in scenario.controls.items():
            if control not in OTHER_PEER:
                change_lines = _by_hand(file, with_changes(scenario, change.set))
                assert not whole.keys() - change_lines.keys(), "a control by hand can't take away"
                text += _hand_line(
                    f"{name}/{control}", dict(sorted(change_lines.items() - whole.items()))
                )
    path = root / "test" / "throughput" / "hand" / "scenarios.properties"
    if os.environ.get("UPDATE_BY_HAND"):
        path.write_text(text)
    assert path.read_text() == text, "UPDATE_BY_HAND=1"


def _of_clients(file: ScenariosFile) -> dict[str, Scenario]:
    """Services need jars and a driver on another JDK: they are not run by hand."""
    return {name: scenario for name, scenario in file.scenarios.items() if scenario.clients}


def _by_hand(file: ScenariosFile, scenario: Scenario) -> dict[str, str]:
    """All that a sample is told, and what its peers and relays are, but for names and places."""
    client = file.clients["https-url-connection"]
    settings = LoadCommand("", scenario, client, "").settings({}, Path())
    del settings["scenario"], settings["out"]
    settings["hosts"] = ",".join(scenario.hosts)
    for name, host in scenario.hosts.items():
        settings |= {f"host.{name}.peer.{key}": setting for key, setting in host.settings.items()}
        if host.has_relay:
            line = host.model_dump(include={"rtt_ms", "late_fin_ms", "bandwidth_bytes_per_s"})
            settings |= {f"host.{name}.relay.{key}": setting for key, setting in line.items()}
    settings |= {f"system.{key}": setting for key, setting in scenario.system_properties.items()}
    return {key: json.dumps(setting).strip('"') for key, setting in settings.items()}


def _hand_line(name: str, settings: dict[str, str]) -> str:
    words = [f"{key}={setting}" for key, setting in settings.items()]
    lines = textwrap.wrap(" ".join([name, "=", *words]), 94, break_on_hyphens=False)
    assert not [word for word in words if " " in word]
    return " \\\n    ".join(lines) + "\n"


def test_a_validation_asks_both_ways_to_the_tls_of_the_jdk(file: ScenariosFile) -> None:
    """SSLSocket and SSLEngine, in requests and in handshakes; and the lock."""
    clients = {name: validation.clients for name, validation in file.validation.items()}
    assert clients == {
        "reuse/brief": ("https-url-connection", "java-net-http"),
        "handshake-full/brief": ("https-url-connection",),
        "server-reuse-16kib/brief": (),
        "server-handshake-full/brief": (),
        "neighbour/brief": ("https-url-connection",),
    }
    services = {validation.services: validation.controls for validation in file.validation.values()}
    assert services == {(): (), ("jetty-jsse",): ("jetty-conscrypt",)}


def test_every_control_differs(file: ScenariosFile) -> None:
    for scenario in _of_clients(file).values():
        assert scenario.controls
        for control in scenario.controls.values():
            assert with_changes(scenario, control.set) != scenario


@pytest.mark.parametrize("control", ["tls12", "no-read-timeout"])
def test_no_bug_explains_a_slow_down_where_it_does_not_act(
    file: ScenariosFile, control: str
) -> None:
    shows = [scenario for scenario in file.scenarios.values() if scenario.shows]
    assert shows
    for scenario in shows:
        assert with_changes(scenario, scenario.controls[control].set).shows == ()


@pytest.mark.parametrize(
    ("name", "host"),
    [("neighbour", "slow"), ("gap", "far"), ("azure-500", "far")],
)
def test_what_is_about_closing_counts_only_if_connections_were_closed(
    file: ScenariosFile, name: str, host: str
) -> None:
    """Without delay there is no relay that would see it."""
    scenario = file.scenarios[name]
    controls = {
        control: with_changes(scenario, change.set) for control, change in scenario.controls.items()
    }
    for variant, variant_scenario in {"": scenario, **controls}.items():
        expected = variant_scenario.expect.hosts.get(host, variant_scenario.expect)
        least_fins = expected.min_client_fins
        assert least_fins is not None
        assert (least_fins == 0) == (variant == "delay-0"), variant


def test_the_timer_must_have_closed_a_connection_whatever_the_control(
    file: ScenariosFile,
) -> None:
    scenario = file.scenarios["cross-host"]
    for control in scenario.controls.values():
        variant_scenario = with_changes(scenario, control.set)
        assert variant_scenario.hosts["slow"].has_relay
        assert variant_scenario.expect.hosts["slow"].min_client_fins == 1


def test_a_parameter_is_replaced_by_its_path(file: ScenariosFile) -> None:
    gap: Scenario = file.scenarios["gap"]
    properties = {"system-properties.http.maxConnections": 2}
    variant_scenario = with_changes(
        gap, {"hosts.far.rtt-ms": 7, "protocols": ["TLSv1.2"], **properties}
    )
    assert variant_scenario.hosts["far"].rtt_ms == 7
    assert variant_scenario.protocols == ("TLSv1.2",)
    assert variant_scenario.system_properties == {"http.maxConnections": 2}
    assert variant_scenario.groups == gap.groups


@pytest.mark.parametrize(("right", "wrong", "says", "remedy"), MISTAKES)
def test_mistakes(
    root: Path, tmp_path: Path, right: str, wrong: str, says: str, remedy: str
) -> None:
    text = (root / "test" / "throughput" / "scenarios.yaml").read_text()
    assert right in text
    path = tmp_path / "scenarios.yaml"
    path.write_text(text.replace(right, wrong, 1))
    with pytest.raises(UsageError) as error:
        load_scenarios(path)
    line = str(error.value)
    assert "\n" not in line
    assert says in line
    assert remedy in line
    assert line.startswith(f"{path}:")
    assert int(line.removeprefix(f"{path}:").split(":")[0]) > 1
