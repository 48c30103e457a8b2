# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where are the parts of a checkout, and how do reports show paths?"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Checkout:
    """The paths of one checkout of the kit."""

    root: Path

    @classmethod
    def current(cls) -> "Checkout":
        """The checkout that this package lies in."""
        return cls(Path(__file__).resolve().parents[2])

    @property
    def requirements(self) -> Path:
        """The Python packages that the kit needs, locked."""
        return self.root / "scripts" / "requirements.txt"

    @property
    def jdks(self) -> Path:
        """The builds that are wanted."""
        return self.root / "jdks.yaml"

    @property
    def lock(self) -> Path:
        """The lock file: which bytes were fetched."""
        return self.root / "jdks.lock"

    @property
    def suite(self) -> Path:
        """The jtreg suite."""
        return self.root / "test"

    @property
    def ledger(self) -> Path:
        """The ledger: what is known of each bug."""
        return self.suite / "bugs.yaml"

    @property
    def test_library(self) -> Path:
        """The library that reproducers and load share."""
        return self.suite / "lib"

    @property
    def throughput(self) -> Path:
        """The load, its clients and peers, and the scenarios."""
        return self.suite / "throughput"

    @property
    def scenarios(self) -> Path:
        """The workloads and their parameters."""
        return self.throughput / "scenarios.yaml"

    @property
    def known_changes(self) -> Path:
        """The known changes in updates, and the bug behind each."""
        return self.suite / "changes.yaml"

    @property
    def behaviour(self) -> Path:
        """How rows of `test/behave` are compared, and what no build must do."""
        return self.suite / "behave" / "behave.yaml"

    @property
    def planted_faults(self) -> Path:
        """The faults that are planted to prove that the detectors work."""
        return self.suite / "planted" / "planted.yaml"

    @property
    def recording_settings(self) -> Path:
        """The JFR settings of every cell."""
        return self.root / "jtreg" / "jfr" / "blocking.jfc"

    @property
    def execution_settings(self) -> Path:
        """The JFR settings of a service, to find where its CPU time goes."""
        return self.root / "jtreg" / "jfr" / "execution.jfc"

    @property
    def java_tool(self) -> Path:
        """The kit's own Java, and what belongs to it."""
        return self.root / "jtreg" / "tool"

    @property
    def compile_each(self) -> Path:
        """The Java source that runs javac several times in one JVM."""
        return self.java_tool / "together" / "CompileEach.java"

    @property
    def conformance_sources(self) -> Path:
        """The Java sources of the peer that breaks rules of RFC 8446."""
        return self.root / "jtreg" / "conformance" / "src"

    @property
    def wiremock_sources(self) -> Path:
        """The Java sources of WireMock as a peer of the interoperability suite."""
        return self.root / "jtreg" / "interop" / "wiremock" / "src"

    @property
    def azure_sources(self) -> Path:
        """The Java sources of azure-core-http-netty as a client of the interoperability suite."""
        return self.root / "jtreg" / "interop" / "azure" / "src"

    @property
    def othervm_sources(self) -> Path:
        """The Java sources of the program that runs a test in its JVM."""
        return self.root / "jtreg" / "othervm" / "src"

    @property
    def othervm_main(self) -> Path:
        """The main class of that program."""
        return self.othervm_sources / "tls13kit" / "othervm" / "RunMain.java"

    @property
    def testng_main(self) -> Path:
        """The main class for TestNG tests."""
        return self.othervm_main.with_name("RunTestNg.java")

    @property
    def pom(self) -> Path:
        """The POM of the jars that the throughput tests need."""
        return self.root / "jtreg" / "pom.xml"

    @property
    def jars_lock(self) -> Path:
        """The lock file of those jars."""
        return self.root / "jtreg" / "jars.lock"

    @property
    def rules(self) -> Path:
        """The rules for recordings that belong to no bug."""
        return self.root / "jtreg" / "rules"

    @property
    def thread_rules(self) -> Path:
        """The rules for what a thread does that has certain frames in its stack."""
        return self.rules / "threads"

    @property
    def masks(self) -> Path:
        """What is left out where the outputs of programs are compared."""
        return self.root / "jtreg" / "masks.yaml"

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
