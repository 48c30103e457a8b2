# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where are the parts of a checkout, and how do reports show paths?"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


class _CheckoutPart:
    """A path below the root of a checkout."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __get__(self, checkout: "Checkout", _: type["Checkout"]) -> Path:
        return checkout.root / self._path


@dataclass(frozen=True)
class Checkout:
    """The paths of one checkout of the kit."""

    root: Path

    @classmethod
    def current(cls) -> "Checkout":
        """The checkout that this package lies in."""
        return cls(Path(__file__).resolve().parents[2])

    # The Python packages that the kit needs, locked.
    requirements = _CheckoutPart("scripts/requirements.txt")
    # The builds that are wanted.
    jdks = _CheckoutPart("jdks.yaml")
    # The lock file: which bytes were fetched.
    lock = _CheckoutPart("jdks.lock")
    # The jtreg suite.
    suite = _CheckoutPart("test")
    # The ledger: what is known of each bug.
    ledger = _CheckoutPart("test/bugs.yaml")
    # The library that reproducers and load share.
    test_library = _CheckoutPart("test/lib")
    # The load, its clients and peers, and the scenarios.
    throughput = _CheckoutPart("test/throughput")
    # The workloads and their parameters.
    scenarios = _CheckoutPart("test/throughput/scenarios.yaml")
    # The known changes in updates, and the bug behind each.
    known_changes = _CheckoutPart("test/changes.yaml")
    # How rows of `test/behave` are compared, and what no build must do.
    behaviour = _CheckoutPart("test/behave/behave.yaml")
    # The faults that are planted to prove that the detectors work.
    planted_faults = _CheckoutPart("test/planted/planted.yaml")
    # The JFR settings of every cell.
    recording_settings = _CheckoutPart("jtreg/jfr/blocking.jfc")
    # The JFR settings of a service, to find where its CPU time goes.
    execution_settings = _CheckoutPart("jtreg/jfr/execution.jfc")
    # The kit's own Java, and what belongs to it.
    java_tool = _CheckoutPart("jtreg/tool")
    # The Java source that runs javac several times in one JVM.
    compile_each = _CheckoutPart("jtreg/tool/together/CompileEach.java")
    # The Java sources of the peer that breaks rules of RFC 8446.
    conformance_sources = _CheckoutPart("jtreg/conformance/src")
    # The Java sources of WireMock as a peer of the interoperability suite.
    wiremock_sources = _CheckoutPart("jtreg/interop/wiremock/src")
    # The Java sources of azure-core-http-netty as a client of the interoperability suite.
    azure_sources = _CheckoutPart("jtreg/interop/azure/src")
    # The Java sources of the program that runs a test in its JVM.
    othervm_sources = _CheckoutPart("jtreg/othervm/src")
    # The main class of that program.
    othervm_main = _CheckoutPart("jtreg/othervm/src/tls13kit/othervm/RunMain.java")
    # The main class for TestNG tests.
    testng_main = _CheckoutPart("jtreg/othervm/src/tls13kit/othervm/RunTestNg.java")
    # The POM of the jars that the throughput tests need.
    pom = _CheckoutPart("jtreg/pom.xml")
    # The lock file of those jars.
    jars_lock = _CheckoutPart("jtreg/jars.lock")
    # The rules for recordings that belong to no bug.
    rules = _CheckoutPart("jtreg/rules")
    # The rules for what a thread does that has certain frames in its stack.
    thread_rules = _CheckoutPart("jtreg/rules/threads")
    # What is left out where the outputs of programs are compared.
    masks = _CheckoutPart("jtreg/masks.yaml")

    @property
    def reports(self) -> Path:
        """One folder per run."""
        return self.root / "reports"


def test_name(test: str) -> str:
    """The class name of a test path."""
    return test.rpartition("/")[2].removesuffix(".java")


def shown_path(path: Path) -> str:
    """A path as a user would type it: relative if it lies under the current folder, if any."""
    with suppress(OSError, ValueError):  # that folder is gone, or the path lies elsewhere
        return str(path.relative_to(Path.cwd()))
    return str(path)
