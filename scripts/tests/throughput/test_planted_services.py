# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is slow code found where it is: in a service without TLS too, or in what asks it?"""

from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.planted import load_planted
from jdkmatrix.config.scenarios import load_scenarios
from jdkmatrix.machine.java_program import JavaTool
from jdkmatrix.overlay.maker import OverlayMaker
from jdkmatrix.overlay.overlay_request import OverlayRequest
from jdkmatrix.overlay.patching import Patching
from jdkmatrix.paths import Checkout
from jdkmatrix.run.samples.load_programs import LoadPrograms
from jdkmatrix.run.samples.sample_jvm import MOST_DRIVER_CORES
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.catalog import Catalog
from jdkmatrix.supply.supplier import Supplier
from tests.throughput.load_kit import Java, Settings

pytestmark = [pytest.mark.jdk, pytest.mark.network]

ECHO = "echo-slow-17"
# The fault costs by the byte, and what is not compiled yet by the request: so it is large.
BODY_BYTES = 256 * 1024
# What a driver spends is by the request, whatever its size.
FEW_BYTES = 16 * 1024
MANY_THREADS = 24  # of a driver that is slow: beside other work they have a core between them
LOAD: Settings = {
    "client": "HttpsUrlConnectionClient",
    "costs_of": "hosts",
    "warm_up_ms": 500,
    "measure_ms": 500,
    "group.load.echo": "true",
    "group.load.request_body_bytes": BODY_BYTES,
    "group.load.think_ms": 0,
    "group.load.threads": 4,
    "expect.protocol": None,
}
# With 16 KiB the echo took 3.4 times the CPU time in a comparison.
SLOWER = 1.5


@pytest.fixture
def supplier(root: Path, jdks: JdksFile) -> Supplier:
    return Supplier(jdks, root / "jdks.lock", cache_root())


@pytest.fixture
def services(java: Java, root: Path, tool_jdk: Path, supplier: Supplier) -> tuple[str, str]:
    """The class of a service without TLS, and its class path."""
    checkout = Checkout(root)
    jars = supplier.jars(checkout).class_path
    programs = LoadPrograms(checkout, tool_jdk, cache_root() / "load", jars, supplier.program)
    service = load_scenarios(checkout.scenarios).services["jetty-plain"]
    return service.class_, programs.service_class_path(service)


def test_an_echo_that_is_slow_is_slow_without_tls_too(
    java: Java,
    services: tuple[str, str],
    supplier: Supplier,
    jdks: JdksFile,
    ledger: Ledger,
    root: Path,
) -> None:
    file = load_planted(Checkout(root).planted_faults, ledger)
    (fault,) = (slow_down for slow_down in file.throughput if slow_down.id == ECHO)
    (build,) = supplier.supply([jdks.entry(fault.builds[0])])
    assert isinstance(build, Build)
    catalog = Catalog.of_checkout(Checkout(root))
    tool = JavaTool.of_checkout(Checkout(root), supplier.tool_jdk().home)
    maker = OverlayMaker(Patching(supplier, catalog, tool), cache_root() / "overlays")
    diff = root / "test" / "planted" / fault.file
    slow = maker.overlaid(build, OverlayRequest(diff, is_patch=True)).overlay
    assert slow
    costs_us = []
    for options in ((), slow.java_options):
        of_build = Java(build.home, services[1], java.folder, options)
        service = of_build.start(services[0])
        sample = java.sample(service, {**LOAD, "host.one.url": f"http://127.0.0.1:{service.port}"})
        of_build.close()
        assert (sample["vetoes"], sample["void"]) == ([], None)
        costs_us.append(sample["cpu_us_per_request"])
    assert costs_us[1] > SLOWER * costs_us[0]


def test_a_driver_that_is_slow_is_told_to_be_the_limit(
    java: Java, services: tuple[str, str]
) -> None:
    of_build = Java(java.home, services[1], java.folder)
    service = of_build.start(services[0])
    settings = {
        **LOAD,
        "host.one.url": f"http://127.0.0.1:{service.port}",
        "group.load.request_body_bytes": FEW_BYTES,
        "group.load.threads": MANY_THREADS,
    }
    sound, slow = (  # the first one warms the service up
        java.sample(service, {**settings, "client": client})
        for client in ("HttpsUrlConnectionClient", "SlowDriver")
    )
    of_build.close()
    assert slow["requests"] < sound["requests"] / SLOWER
    # By the rate the service would be the slower one; it is the driver that takes the CPU.
    assert slow["driver_cores"] > MOST_DRIVER_CORES
    driver_us = 1e3 * slow["driver_cores"] * slow["measured_ms"] / slow["requests"]
    assert driver_us > 5000 > slow["cpu_us_per_request"]
