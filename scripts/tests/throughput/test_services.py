# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a sample of a service tell what that cost, and is it void where the service is another?"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.clients import Service
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.scenarios import ScenariosFile, load_scenarios
from jdkmatrix.errors import UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.records.sample_record import Sample
from jdkmatrix.run.samples.load_programs import LoadPrograms
from jdkmatrix.supply.supplier import Supplier
from jdkmatrix.vocabulary import Metric
from tests.throughput.load_kit import TIMEOUT_S, Java, OneJvm, Program

pytestmark = [pytest.mark.jdk, pytest.mark.network]

BODY_BYTES = 1000
PINS = {
    "expect.suite": "TLS_AES_256_GCM_SHA384",
    "expect.group": "secp256r1",
    "expect.key": "EC",
}
LOAD = {
    "client": "H2loadCrew",
    "costs_of": "hosts",
    "warm_up_ms": 50,
    "measure_ms": 100,
    "group.load.echo": "true",
    "group.load.request_body_bytes": BODY_BYTES,
    "group.load.threads": 4,
}
H2 = {"driver.http": "h2", "driver.streams": 4, "expect.alpn": "h2"}
CLOSING = {"group.load.close_after": "true", "expect.resumed": "none"}
# Together each server, each TLS, HTTP/2 and new connections.
USED: list[tuple[str, dict[str, str], dict[str, Any]]] = [
    ("jetty-jsse", {"tickets": "false"}, CLOSING),
    ("jetty-conscrypt", {}, H2),
    ("jetty-haproxy", {}, H2),
    ("netty-boringssl", {}, H2),
    ("netty-jsse", {}, H2),
    ("netty-plain", {}, {**H2, **dict.fromkeys([*PINS, "expect.alpn"])}),
    ("jetty12-haproxy", {}, {}),
    ("jetty12-tcp-haproxy", {}, {}),
    ("jetty12-jsse", {"tickets": "false"}, CLOSING),
    ("dropwizard-conscrypt", {}, H2),
    ("dropwizard5-conscrypt", {}, {}),
    ("dropwizard5-jsse", {}, H2),
    ("dropwizard-servlet-jsse", {"key": "rsa"}, {"expect.key": "RSA"}),
]
UNSEEN_TLS = ("jetty-haproxy", "jetty12-haproxy", "jetty12-tcp-haproxy", "netty-plain")
# Jetty's texts for debugging, which went nowhere, were 360 kB of allocation a request.
LOGGING = ("dropwizard-conscrypt", "dropwizard5-conscrypt")
MOST_ALLOCATED_BYTES = 200_000
# Of so few requests as the others are asked, what is allocated once is the greater part.
LONG_WINDOW = {"warm_up_ms": 200, "measure_ms": 400}
# Of so many, what the service needs once is the lesser part: 14 kB each if all are closed.
IDLE = 80
FEW_REQUESTS = 20
EXIT_VOID = 3
NOT_SEEN: dict[str, Any] = {"expect.protocol": None}


@pytest.fixture(scope="module")
def scenarios(root: Path) -> ScenariosFile:
    return load_scenarios(Checkout(root).scenarios)


@pytest.fixture(scope="module")
def programs(root: Path, jdks: JdksFile, tool_jdk: Path) -> LoadPrograms:
    supplier = Supplier(jdks, root / "jdks.lock", cache_root())
    jars = supplier.jars(Checkout(root)).class_path
    return LoadPrograms(Checkout(root), tool_jdk, cache_root() / "load", jars, supplier.program)


@pytest.fixture(scope="module")
def one_jvm(
    tool_jdk: Path, load_class_path: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OneJvm]:
    """Samples and services of this file, but for those whose process is the question."""
    # As in a run, JSSE offers no other suite: Netty's own order has another one first.
    options = (f"-Djdk.tls.client.cipherSuites={PINS['expect.suite']}",)
    one_jvm = OneJvm(Java(tool_jdk, load_class_path, tmp_path_factory.mktemp("jvm"), options))
    yield one_jvm
    one_jvm.close()


@pytest.fixture(scope="module")
def service_of(
    one_jvm: OneJvm, programs: LoadPrograms, scenarios: ScenariosFile
) -> Callable[..., Program]:
    """The service of that name with these settings, the same one for all tests."""

    @cache
    def service_of(name: str, **settings: str) -> Program:
        service = scenarios.services[name]
        class_path = programs.service_class_path(service)
        words = arguments(programs, service, settings)
        return one_jvm.start(class_path, service.class_, *words)

    return service_of


def arguments(programs: LoadPrograms, service: Service, settings: Mapping[str, str]) -> list[str]:
    all_settings = {**service.settings, **settings}
    if service.program:
        all_settings["program"] = str(programs.program(service.program))
    return [f"{key}={setting}" for key, setting in all_settings.items()]


@pytest.fixture
def of_services(java: Java, programs: LoadPrograms) -> Iterator[Java]:
    """What starts services, each with its own class path."""
    services = Java(java.home, "", java.folder)
    yield services
    services.close()


def start(
    services: Java,
    programs: LoadPrograms,
    scenarios: ScenariosFile,
    name: str,
    **settings: str,
) -> Program:
    service = scenarios.services[name]
    services.class_path = programs.service_class_path(service)
    return services.start(service.class_, *arguments(programs, service, settings))


@pytest.mark.parametrize(
    ("name", "service_settings", "sample_settings"), USED, ids=[row[0] for row in USED]
)
def test_a_sample_tells_what_a_service_cost(
    one_jvm: OneJvm,
    service_of: Callable[..., Program],
    programs: LoadPrograms,
    name: str,
    service_settings: dict[str, str],
    sample_settings: dict[str, Any],
) -> None:
    service = service_of(name, **service_settings)
    protocol = {} if name in UNSEEN_TLS else {"expect.protocol": "TLSv1.3"}
    program: dict[str, Any] = {"driver.program": programs.program("h2load")}
    if name.endswith("-plain"):
        program["host.one.url"] = f"http://127.0.0.1:{service.port}"
    if name in LOGGING:
        program |= LONG_WINDOW
    sample = one_jvm.sample(
        service, {**LOAD, **NOT_SEEN, **PINS, **protocol, **program, **sample_settings}
    )
    assert (sample["vetoes"], sample["void"]) == ([], None)
    (host,) = sample["hosts"]
    assert host["peer"]["requests"] == sample["requests"] > 0
    assert host["peer"]["bytes.in"] == BODY_BYTES * sample["requests"]
    cost_ms = host["peer"]["cost.cpu_ns"] / 1e6
    assert sample["cpu_ms"] == pytest.approx(cost_ms, abs=0.01)
    assert sample["jit_cpu_ms"] == pytest.approx(host["peer"]["cost.jit_ns"] / 1e6, abs=0.01)
    assert sample["cpu_us_per_request"] == pytest.approx(1000 * cost_ms / sample["requests"], 0.01)
    assert 0 <= sample["driver_cores"] < 2
    # /proc counts what h2load spent in ticks of 10 ms: in a tenth of a second perhaps none.
    assert name not in LOGGING or sample["driver_cores"] > 0
    allocated_bytes = host["peer"]["cost.allocated_bytes"] / sample["requests"]
    assert name not in LOGGING or allocated_bytes < MOST_ALLOCATED_BYTES
    if sample_settings is CLOSING:
        assert host["peer"]["connections"] == sample["requests"]
        assert host["peer"]["handshakes.full"] == sample["requests"]
    if name not in UNSEEN_TLS:
        assert sample["cipher"] == PINS["expect.suite"]


FAKE = """#!/bin/sh
cat <<'SAID'
Cipher: {suite}
Server Temp Key: ECDH {group} 256 bits
Application protocol: {alpn}
requests: 4 total, 4 started, {done} done, 4 succeeded, {failed} failed, 0 errored, 0 timeout
traffic: 1KB (1000) total, 1B (1) headers (space savings 0.00%), 1KB (4000) data
SAID
sleep 0.1
{ends}
"""
OFFERED = {"suite": PINS["expect.suite"], "group": "prime256v1", "alpn": "http/1.1"}
SOUND = {**OFFERED, "done": 4, "failed": 0, "ends": "exit 0"}
FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"suite": "TLS_AES_128_GCM_SHA256"}, "negotiated the suite TLS_AES_128_GCM_SHA256, not TLS_"),
    ({"group": "secp384r1"}, "h2load negotiated the group secp384r1, not secp256r1"),
    ({"alpn": "h2"}, "h2load negotiated the ALPN protocol h2, not http/1.1"),
    ({"ends": "exit 3"}, "h2load ended with 3: traffic: 1KB"),
    ({"ends": "kill -9 $$"}, "h2load ended with 137: traffic: 1KB"),
    ({"done": "no"}, "h2load does not tell how many requests it made"),
]


def test_what_h2load_tells(
    one_jvm: OneJvm, service_of: Callable[..., Program], tmp_path: Path
) -> None:
    service = service_of("jetty-plain")
    fake = tmp_path / "h2load"
    settings = {
        **LOAD,
        **NOT_SEEN,
        **PINS,
        "expect.alpn": "http/1.1",
        "driver.program": fake,
        "host.one.url": f"http://127.0.0.1:{service.port}",
    }

    def take_sample(**fields: object) -> dict[str, Any]:
        fake.write_text(FAKE.format(**{**SOUND, **fields}))
        fake.chmod(0o755)
        faulty = {*OFFERED, "ends", "done"} & fields.keys()
        return one_jvm.sample(service, settings, exit_code=3 if faulty else 0)

    assert take_sample()["vetoes"] == []
    settings["expect.group"] = "X25519MLKEM768"
    assert "the group prime256v1, not X25519MLKEM768" in take_sample(group="prime256v1")["void"]
    settings["expect.group"] = PINS["expect.group"]
    (veto,) = take_sample(failed=2)["vetoes"]
    assert veto.startswith("Requests of group load failed: {failed=")
    for fields, void in FAULTS:
        assert void in take_sample(**fields)["void"]
    fake.unlink()
    assert "h2load did not start" in one_jvm.sample(service, settings, exit_code=3)["void"]


# Its runs take the seconds of a line of `seconds` each, and their numbers of requests are kept.
PACED = """#!/bin/sh
for word; do
    case $word in --requests=*) echo "${{word#*=}}" >>"{folder}/requests" ;; esac
done
sleep "$(sed -n "$(wc -l <"{folder}/requests")p" "{folder}/seconds")"
"""


@pytest.fixture
def asked_for(
    one_jvm: OneJvm, service_of: Callable[..., Program], tmp_path: Path
) -> Callable[..., list[int]]:
    service = service_of("jetty-plain")
    fake = tmp_path / "h2load"
    script = FAKE.format(**SOUND).partition("\n")[2].replace("sleep 0.1\n", "")
    fake.write_text(PACED.format(folder=tmp_path) + script)
    fake.chmod(0o755)

    def requests(*seconds: float, **settings: object) -> list[int]:
        """Of each run."""
        (tmp_path / "seconds").write_text("".join(f"{duration_s}\n" for duration_s in seconds))
        plain = {"driver.program": fake, "host.one.url": f"http://127.0.0.1:{service.port}"}
        one_jvm.sample(service, {**LOAD, **NOT_SEEN, **PINS, **plain, **settings})
        return list(map(int, (tmp_path / "requests").read_text().split()))

    return requests


def test_a_run_of_h2load_is_of_five_seconds_at_most(asked_for: Callable[..., list[int]]) -> None:
    first, second = asked_for(0.5, 8, warm_up_ms=200, measure_ms=9000)[:2]
    assert first < second <= 5 / 0.5 * first


def test_the_rest_of_a_turn_tells_no_rate(asked_for: Callable[..., list[int]]) -> None:
    """The third run is the rest, and takes long: the next turn is planned by the second."""
    runs = asked_for(0.3, 2.7, 5, 5, warm_up_ms=5000, measure_ms=5000)
    assert runs[0] < runs[2] < runs[1] < runs[3]


@pytest.mark.parametrize(
    ("service_class", "argument", "void"),
    [
        ("WrongEcho", "status=200", "echoes other bytes than it was sent"),
        ("WrongEcho", "status=503", "answers with status 503"),
        ("ResetsConnections", "bytes=20000", "SocketException: Connection reset"),
    ],
)
def test_a_service_that_does_not_echo_is_void(
    one_jvm: OneJvm, service_class: str, argument: str, void: str
) -> None:
    service = one_jvm.start(one_jvm.java.class_path, service_class, argument)
    plain = {"host.one.url": f"http://127.0.0.1:{service.port}", **NOT_SEEN}
    settings = {**LOAD, **plain, "client": "HttpsUrlConnectionClient"}
    assert void in one_jvm.sample(service, settings, exit_code=3)["void"]


def test_another_suite_or_key_than_pinned_is_void(
    one_jvm: OneJvm, service_of: Callable[..., Program]
) -> None:
    service = service_of("netty-jsse")
    settings = {**LOAD, "client": "HttpsUrlConnectionClient"}
    pins = ({"expect.key": "RSA"}, {"expect.suite": "TLS_CHACHA20_POLY1305_SHA256"})
    voids = [one_jvm.sample(service, {**settings, **pin}, exit_code=3)["void"] for pin in pins]
    assert voids[0] == "host one has the kind of key EC, not RSA"
    assert voids[1].startswith("host one has the suite TLS_AES_")


def test_what_is_not_to_be_had_is_one_line(
    of_services: Java, programs: LoadPrograms, scenarios: ScenariosFile, tmp_path: Path
) -> None:
    of_services.class_path = programs.service_class_path(scenarios.services["jetty-conscrypt"])
    command = of_services.command("JettyService", "tls=conscrypt")
    command.insert(1, "-Dos.arch=mips")
    process = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT_S
    )
    assert process.returncode == 4
    assert process.stderr.splitlines() == [
        "JettyService: Conscrypt has no native library for Linux mips: "
        "ask for the services without it"
    ]
    refusal = of_services.run("JettyService", "tls=jsse", "key=dsa")
    assert refusal.returncode == 4
    assert refusal.stderr.splitlines() == ["JettyService: key=dsa: give ec or rsa"]
    of_services.options = (f"-Djava.io.tmpdir={tmp_path}",)
    refusal = of_services.run("JettyService", "tls=haproxy", "program=/bin/false")
    assert refusal.returncode == 2
    (line,) = refusal.stderr.splitlines()
    message = "JettyService could not start: java.io.IOException: haproxy does not answer on port "
    assert line.rstrip("0123456789") == message
    assert not list(tmp_path.glob("tls-front*"))  # in which is a key
    with pytest.raises(UsageError, match=r"no program 'wrk'; accepted: .*h2load, .*haproxy"):
        programs.program("wrk")


def test_nothing_is_left_of_a_service_that_is_killed(
    of_services: Java, programs: LoadPrograms, scenarios: ScenariosFile
) -> None:
    service = start(of_services, programs, scenarios, "jetty-haproxy")
    (front,) = filter(_is_haproxy, _front(service))
    service.process.kill()
    service.process.wait()
    end = time.monotonic() + TIMEOUT_S
    while _is_haproxy(front) and time.monotonic() < end:
        time.sleep(0.05)
    assert not _is_haproxy(front)


def test_a_haproxy_that_dies_takes_its_service_with_it(
    java: Java,
    of_services: Java,
    programs: LoadPrograms,
    scenarios: ScenariosFile,
    capfd: pytest.CaptureFixture[str],
) -> None:
    service = start(of_services, programs, scenarios, "jetty-haproxy")
    (front,) = filter(_is_haproxy, _front(service))
    program = {"driver.program": programs.program("h2load"), "measure_ms": 8000}
    command = java.sample_command(service, {**LOAD, **NOT_SEEN, **program})
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as load:
        deadline_s = time.monotonic() + TIMEOUT_S
        while service.counters()["requests"] < FEW_REQUESTS and time.monotonic() < deadline_s:
            time.sleep(0.02)
        os.kill(front, signal.SIGKILL)
        assert load.wait(TIMEOUT_S) == EXIT_VOID
    assert java.read()["void"]
    # Asked for its counters it ended, and the kit tells what it said.
    assert service.process.wait(TIMEOUT_S) == 1
    assert "haproxy is gone\n" in capfd.readouterr().err


def _front(service: Program) -> list[int]:
    front = [process for process in _all_pids() if _parent(_parent(process)) == service.process.pid]
    assert front
    return front


def _all_pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _parent(process: int) -> int:
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[1])


def _is_haproxy(process: int) -> bool:
    try:
        return "haproxy" in Path(f"/proc/{process}/comm").read_text()
    except OSError:
        return False


def test_what_idle_connections_occupy_is_told(
    one_jvm: OneJvm, of_services: Java, programs: LoadPrograms, scenarios: ScenariosFile
) -> None:
    scenario = scenarios.scenarios["server-connections-1000"]
    # For so few a smaller heap will do.
    of_services.options = tuple(option.replace("1g", "64m") for option in scenario.service_options)
    service = start(of_services, programs, scenarios, "jetty-jsse", collects="true")
    settings = {**LOAD, **PINS, "client": "IdleCrew", "group.load.threads": IDLE}
    sample = one_jvm.sample(service, settings)
    assert (sample["vetoes"], sample["void"]) == ([], None)
    each_bytes = Sample.model_validate(sample).figure(Metric.BYTES_PER_CONNECTION)
    assert 22_000 < each_bytes < 200_000
