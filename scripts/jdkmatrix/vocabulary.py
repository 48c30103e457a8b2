# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which words does the whole kit use for builds, cells and figures? Each is defined once."""

from enum import StrEnum

SUBJECT = "subject"
# The folder below test/ whose tests say what a build does, and never that it has a bug.
BEHAVIOUR_TESTS = "behave/"


class Outcome(StrEnum):
    """What a reproducer found."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not-reproduced"
    INCONCLUSIVE = "inconclusive"
    NOT_APPLICABLE = "not-applicable"
    ERROR = "error"


class Expectation(StrEnum):
    """What the ledger says of one bug on one build."""

    AFFECTED = "affected"
    FIXED = "fixed"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not-applicable"


class Intent(StrEnum):
    """What an overlay is meant to make of the bugs that are looked for."""

    FIXED = "fixed"
    BROKEN = "broken"


class Severity(StrEnum):
    """How bad a bug is where it hits, the worst first.

    `hangs`: something never ends or waits beyond its timeout; `wrong-data`: data of another
    request, or false ones; `slow`: it takes more time, memory or sockets than it should; `fails`:
    it ends with an error where it should not; `cosmetic`: nothing that works is lost.
    """

    HANGS = "hangs"
    WRONG_DATA = "wrong-data"
    SLOW = "slow"
    FAILS = "fails"
    COSMETIC = "cosmetic"


class Grade(StrEnum):
    """An outcome against its expectation; `flaky` where the attempts at a cell differ, `broke`
    where the JVM itself crashed or stood still.
    """

    AS_EXPECTED = "as-expected"
    REGRESSION = "regression"
    UNEXPECTED_FIX = "unexpected-fix"
    FLAKY = "flaky"
    INCONCLUSIVE = "inconclusive"
    SKIPPED = "skipped"
    SILENCED = "silenced"  # the bug could not show: the build lacks what it promises
    ERROR = "error"
    BROKE = "broke"
    RECORDED = "recorded"

    @property
    def is_surprise(self) -> bool:
        """Whether it is not as expected: such a cell is run again, and shown first."""
        return self not in (
            Grade.AS_EXPECTED,
            Grade.SKIPPED,
            Grade.SILENCED,  # the build itself is the surprise, reported once
            Grade.RECORDED,
        )

    @property
    def is_open(self) -> bool:
        """Whether it is a surprise that says nothing of the build: a run with it exits with 2. All
        other surprises are findings, and make it exit with 1.
        """
        return self in (Grade.INCONCLUSIVE, Grade.ERROR)


class SpeedGrade(StrEnum):
    """A build's figure against the baseline's.

    `no-change` is within the minimum effect. `within-limit`, in a validation alone, need not be:
    its loss is surely smaller than the limit that the validation sets.
    """

    SLOWER = "slower"
    FASTER = "faster"
    NO_CHANGE = "no-change"
    WITHIN_LIMIT = "within-limit"
    INCONCLUSIVE = "inconclusive"


class Verdict(StrEnum):
    """The verdict on a build."""

    GOOD = "good"
    BAD = "bad"
    UNDECIDED = "undecided"


class Status(StrEnum):
    """The first word of a jtreg result, but skipped differs from passed (CODETOOLS-7903785).

    `not-run`: the test did not start, as no JVM could run it.
    """

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"
    NOT_RUN = "not-run"


class RowStatus(StrEnum):
    """How a row of the interoperability suite ended. `lacking`: this machine can't get the peer;
    `error`: the kit's peer could not be had or does not run; `unsupported`: the JDK under test
    lacks the feature.
    """

    PASSED = "passed"
    FAILED = "failed"
    LACKING = "lacking"
    ERROR = "error"
    UNSUPPORTED = "unsupported"


class ObservationStatus(StrEnum):
    """How a row of `test/behave` ended. `seen`: its text is what was seen; `absent`: the build
    lacks what the row is about; `hangs`: it was not over after its deadline; `ends-jvm`: it ended
    its JVM, alone too.
    """

    SEEN = "seen"
    ABSENT = "absent"
    HANGS = "hangs"
    ENDS_JVM = "ends-jvm"


# How the status text begins if a test was not run because its header asks for another build, or the
# machine lacks what it needs.
NOT_SELECTED = "Not selected:"
MACHINE_LACKS = f"{NOT_SELECTED} this machine lacks what it needs:"
# And what it contains if the test's JVM ended before the test did; `not-run` if that JVM said that
# it could not start or had no memory left.
ENDED_EARLY = "Unexpected exit from test"


class Metric(StrEnum):
    """A figure of a sample that can be compared between builds."""

    REQUESTS_PER_S = "requests-per-s"
    # Of a service at whatever rate its driver can ask: it shows waits, which cost no CPU time. If
    # the driver is the limit, both builds have its rate, and the service could do more.
    ANSWERED_PER_S = "answered-per-s"
    CPU_US_PER_REQUEST = "cpu-us-per-request"
    P99_LATENCY_US = "p99-latency-us"
    WORST_LATENCY_US = "worst-latency-us"
    BYTES_PER_CONNECTION = "bytes-per-connection"
    # Counts hardly depend on what else the machine does, so they show smaller changes than times.
    ALLOCATED_BYTES_PER_REQUEST = "allocated-bytes-per-request"
    RECORDS_PER_REQUEST = "records-per-request"
    WIRE_BYTES_PER_REQUEST = "wire-bytes-per-request"
    ROUND_TRIPS_PER_REQUEST = "round-trips-per-request"

    @property
    def higher_is_better(self) -> bool:
        """Rates are better when higher, costs when lower."""
        return self in (Metric.REQUESTS_PER_S, Metric.ANSWERED_PER_S)

    @property
    def is_count(self) -> bool:
        """Whether it counts what a request takes, and no time passes in it."""
        return self in COUNTS


COUNTS = (
    Metric.ALLOCATED_BYTES_PER_REQUEST,
    Metric.RECORDS_PER_REQUEST,
    Metric.WIRE_BYTES_PER_REQUEST,
    Metric.ROUND_TRIPS_PER_REQUEST,
)


class Layer(StrEnum):
    """The code that a client's or service's requests run through, used to attribute a slow-down."""

    HTTP_URL_CONNECTION = "httpurlconnection"
    JDK_HTTP = "jdk-http"
    JSSE = "jsse"
    NATIVE = "native"
    PLAIN = "plain"
    PROXY = "proxy"


class Presence(StrEnum):
    """Whether a build has a bug: `fixed` or `affected`; or a change: `present` or `absent`."""

    FIXED = "fixed"
    AFFECTED = "affected"
    PRESENT = "present"
    ABSENT = "absent"
    CANNOT_SAY = "cannot say"
