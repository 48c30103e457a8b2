# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""An outcome needs the reproducer's file and jtreg's result to agree; nothing is guessed."""

import pytest

from jdkmatrix.evidence.hang import Hang, LockQueue, StuckThread
from jdkmatrix.evidence.outcomes import CaseOutcome, CellOutcomes, Figure, JavaFacts
from jdkmatrix.grading.cell_outcome import has_broken, outcome_of
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.records.record import CellRecord
from jdkmatrix.vocabulary import ENDED_EARLY, NOT_SELECTED, Outcome, Status


def cell(
    status: str, end: ChildEnd = ChildEnd.FINISHED, artifacts: tuple[str, ...] = ()
) -> CellRecord:
    return CellRecord(
        build="temurin-17.0.3+7",
        test="keepalive/A.java",
        ended=end,
        status=Status(status),
        status_text=f"{status}. as it ended",
        seconds=181,
        test_seconds=None,
        artifacts=artifacts,
    )


def case(outcome: str, name: str = "subject") -> CaseOutcome:
    return CaseOutcome(
        schema=1,
        test="A",
        bug="JDK-8293562",
        case=name,
        outcome=Outcome(outcome),
        reason=f"Because of {outcome}.",
        figures=(Figure(name="worst_ms", value=3, bound=2, unit="ms"),),
        facts={},
        java=JavaFacts(version="17.0.3+7", vendor="Eclipse Adoptium", home="/jdk", pid=7),
    )


def files(outcome: str | None, *controls: str) -> CellOutcomes:
    verdict = case(outcome) if outcome else None
    control_cases = tuple(case(control, "tls12") for control in controls or ("not-reproduced",))
    return CellOutcomes(verdict=verdict, controls=control_cases)


@pytest.mark.parametrize(
    ("status", "in_file", "outcome"),
    [
        ("failed", "reproduced", "reproduced"),
        ("passed", "not-reproduced", "not-reproduced"),
        ("failed", "inconclusive", "inconclusive"),
        ("skipped", "not-applicable", "not-applicable"),
        ("failed", "error", "error"),
        # jtreg and the file disagree: no verdict
        ("passed", "reproduced", "error"),
        ("error", "reproduced", "error"),
        ("failed", "not-reproduced", "error"),
        ("skipped", "not-reproduced", "error"),
        ("passed", "not-applicable", "error"),
        # no file: a failure is never `reproduced`, a pass never `not-reproduced`
        ("failed", None, "error"),
        ("passed", None, "error"),
        ("error", None, "error"),
        ("not-run", None, "error"),
        # a reproducer writes why it does not apply; without that, nothing was tried
        ("skipped", None, "error"),
    ],
)
def test_reproducer(status: str, in_file: str | None, outcome: str) -> None:
    cell_outcome = outcome_of(cell(status), files(in_file), is_reproducer=True)
    assert cell_outcome.outcome == outcome
    if cell_outcome.outcome == in_file:
        assert cell_outcome.reason == f"Because of {in_file}."
    else:
        assert f"{status}. as it ended" in cell_outcome.reason


def test_a_control_that_does_not_hold_excuses_a_failure_alone() -> None:
    """A test that ends in another way than its file says has told nothing, whatever its control."""
    invalid_files = files("not-reproduced", "inconclusive")
    cell_outcome = outcome_of(cell("failed"), invalid_files, is_reproducer=True)
    assert (cell_outcome.outcome, cell_outcome.reason) == (
        "inconclusive",
        "The control tls12 is inconclusive: Because of inconclusive.",
    )
    for status in ("skipped", "error"):
        cell_outcome = outcome_of(cell(status), invalid_files, is_reproducer=True)
        assert (cell_outcome.outcome, cell_outcome.reason) == (
            "error",
            f"The outcome file says not-reproduced, its status: {status}. as it ended",
        )


def test_what_ended_well_beside_other_files_or_without_controls() -> None:
    """No file but a crash's is one, and who found nothing out needs no control."""
    record = cell("failed", artifacts=("outcome.json", "hs_err_pid7.txt"))
    assert outcome_of(record, files("reproduced"), is_reproducer=True).outcome == "reproduced"
    alone = CellOutcomes(verdict=case("inconclusive"), controls=())
    cell_outcome = outcome_of(cell("failed"), alone, is_reproducer=True)
    assert (cell_outcome.outcome, cell_outcome.reason) == (
        "inconclusive",
        "Because of inconclusive.",
    )
    skipped_cell = cell("skipped").model_copy(update={"status_text": f"{NOT_SELECTED}: os.family"})
    cell_outcome = outcome_of(skipped_cell, files(None), is_reproducer=True)
    assert (cell_outcome.outcome, cell_outcome.reason) == (
        "not-applicable",
        f"{NOT_SELECTED}: os.family",
    )


def test_another_test_has_only_jtregs_word() -> None:
    assert outcome_of(cell("passed"), files(None), is_reproducer=False).outcome == "not-reproduced"
    assert outcome_of(cell("failed"), files(None), is_reproducer=False).outcome == "error"
    assert outcome_of(cell("skipped"), files(None), is_reproducer=False).outcome == "not-applicable"


def test_a_crash_is_an_error_whatever_was_written_before() -> None:
    crash = cell("failed", artifacts=("hs_err_pid42.log", "outcome.json"))
    cell_outcome = outcome_of(crash, files("reproduced"), is_reproducer=True)
    assert cell_outcome.outcome == "error"
    reason = "The test JVM crashed: hs_err_pid42.log. Its status: failed. as it ended"
    assert cell_outcome.reason == reason


def test_a_killed_jtreg_is_an_error() -> None:
    cell_outcome = outcome_of(
        cell("failed", end=ChildEnd.TIMEOUT), files("reproduced"), is_reproducer=True
    )
    assert cell_outcome.outcome == "error"
    assert cell_outcome.reason == "It was killed after 181 s: failed. as it ended"


def test_an_error_says_what_the_machine_gave() -> None:
    starved_cell = cell("failed", end=ChildEnd.TIMEOUT)
    starved_cell = starved_cell.model_copy(update={"cpu_s": 12.04, "waited_s": 310.0})
    cell_outcome = outcome_of(starved_cell, files("reproduced"), is_reproducer=True)
    assert cell_outcome.reason == (
        "It was killed after 181 s: failed. as it ended"
        " (It used 12.0 s of CPU in 181 s and its threads waited 310 s for a core in total.)"
    )
    unknown = starved_cell.model_copy(update={"waited_s": None})
    cell_outcome = outcome_of(unknown, files("reproduced"), is_reproducer=True)
    assert cell_outcome.reason.endswith(" (It used 12.0 s of CPU in 181 s.)")
    fine = cell("failed").model_copy(update={"cpu_s": 12.0, "waited_s": 310.0})
    reason = outcome_of(fine, files("error"), is_reproducer=True).reason
    assert reason.startswith(
        "Because of error. (It used 12.0 s of CPU in 181 s and its threads waited 310 s"
    )
    assert outcome_of(fine, files("reproduced"), is_reproducer=True).reason == (
        "Because of reproduced."
    )


@pytest.mark.parametrize("control", ["inconclusive", "not-applicable", "error"])
@pytest.mark.parametrize(
    ("status", "verdict"),
    # as jtreg ends since the subject fails for its controls, and as it did before
    [("failed", "reproduced"), ("failed", "not-reproduced"), ("passed", "not-reproduced")],
)
def test_a_control_that_does_not_hold_leaves_no_verdict(
    status: str, verdict: str, control: str
) -> None:
    cell_outcome = outcome_of(
        cell(status), files(verdict, "not-reproduced", control), is_reproducer=True
    )
    assert cell_outcome.outcome == "inconclusive"
    assert cell_outcome.reason == f"The control tls12 is {control}: Because of {control}."


def test_a_subject_that_does_not_apply_needs_no_control_that_does() -> None:
    pair = files("not-applicable", "not-applicable")
    assert outcome_of(cell("skipped"), pair, is_reproducer=True).outcome == "not-applicable"
    cell_outcome = outcome_of(cell("failed"), files("not-applicable", "error"), is_reproducer=True)
    assert (cell_outcome.outcome, cell_outcome.reason) == (
        "inconclusive",
        "The control tls12 is error: Because of error.",
    )


@pytest.mark.parametrize(
    ("subject", "reason"),
    [
        (
            "reproduced",
            "The control tls12 shows the symptom too: a fault wider than JDK-8293562."
            " Because of reproduced.",
        ),
        (
            "not-reproduced",
            "The control tls12 shows the symptom: a fault wider than JDK-8293562. The subject is"
            " not-reproduced: Because of not-reproduced. The control tls12: Because of reproduced.",
        ),
        (
            "inconclusive",
            "The control tls12 shows the symptom: a fault wider than JDK-8293562. The subject is"
            " inconclusive: Because of inconclusive. The control tls12: Because of reproduced.",
        ),
        (
            "error",
            "The control tls12 shows the symptom: a fault wider than JDK-8293562. The subject is"
            " error: Because of error. The control tls12: Because of reproduced.",
        ),
    ],
)
def test_a_control_that_shows_the_symptom_tells_of_a_wider_fault(subject: str, reason: str) -> None:
    cell_outcome = outcome_of(cell("failed"), files(subject, "reproduced"), is_reproducer=True)
    assert (cell_outcome.outcome, cell_outcome.wider, cell_outcome.reason) == (
        "reproduced",
        ("tls12",),
        reason,
    )


def test_jtreg_must_have_failed_for_it() -> None:
    cell_outcome = outcome_of(
        cell("passed"), files("not-reproduced", "reproduced"), is_reproducer=True
    )
    assert (cell_outcome.outcome, cell_outcome.wider) == ("inconclusive", ())


def test_all_controls_that_show_it_are_named() -> None:
    controls = (case("reproduced", "no-read-timeout"), case("reproduced", "tls12"))
    outcomes = CellOutcomes(verdict=case("reproduced"), controls=controls)
    cell_outcome = outcome_of(cell("failed"), outcomes, is_reproducer=True)
    assert cell_outcome.wider == ("no-read-timeout", "tls12")
    assert cell_outcome.reason.startswith(
        "The controls no-read-timeout and tls12 show the symptom too: "
    )


DEADLOCK = StuckThread(
    thread="a", kind="monitor", lock_class="X", waits_in="java.io.A.b", owner="b"
)
QUEUE = LockQueue(
    kind="lock", lock_class="X", waits_in="java.io.A.b", threads=("a",), owner=None, owner_in=None
)


def hang(dumps: int, *, deadlock: bool = False, waits_in: str | None = None) -> Hang:
    queue = (QUEUE.model_copy(update={"waits_in": waits_in}),) if waits_in else ()
    cycles = ((DEADLOCK,),) if deadlock else ()
    return Hang(pid=7, dumps=dumps, deadlocks=cycles, queues=queue, main_in=())


TIMED_OUT = cell("error").model_copy(update={"status_text": "Error. Program `java' timed out"})
KILLED = cell("failed", end=ChildEnd.TIMEOUT)
REFUSED = cell("not-run", artifacts=("hs_err_pid7.log",)).model_copy(
    update={"status_text": f"Not run. {ENDED_EARLY}: There is insufficient memory for it"}
)


def early_end(status: Status, code: int) -> CellRecord:
    """The test's JVM ended before the test did."""
    text = f"{status}. {ENDED_EARLY} [exit code: {code}]"
    return cell(status).model_copy(update={"status_text": text})


NOT_COMPILED = cell("not-run").model_copy(update={"status_text": "Not run. Compilation failed: x"})


@pytest.mark.parametrize(
    ("record", "hangs", "broke"),
    [
        (TIMED_OUT, (), False),
        (KILLED, (), False),
        (cell("failed"), (hang(1),), False),  # the case's own deadline, which dumps the threads
        (cell("failed"), (), False),
        (cell("error"), (), False),
        (REFUSED, (), False),
        (NOT_COMPILED, (), False),
        (early_end(Status.FAILED, 1), (), False),
        (early_end(Status.FAILED, -6), (), False),  # without a log: glibc, for want of memory
        (early_end(Status.ERROR, -9), (), False),
        (early_end(Status.FAILED, -11), (), True),
        (early_end(Status.FAILED, 139), (), True),
        # the code of another end
        (cell("failed").model_copy(update={"status_text": "Failed. [exit code: -11]"}), (), False),
        (cell("failed", artifacts=("hs_err_pid7.log",)), (), True),
        (KILLED.model_copy(update={"artifacts": ("hs_err_pid7.log",)}), (), True),
        (TIMED_OUT, (hang(3, waits_in="sun.security.ssl.SSLSocketImpl.close"),), True),
        (TIMED_OUT, (hang(3, waits_in="RelayedConnection.pass"),), False),  # a lock of the test's
        (TIMED_OUT, (hang(1, waits_in="sun.security.ssl.SSLSocketImpl.close"),), False),
        (TIMED_OUT, (hang(1, deadlock=True),), True),
    ],
)
def test_only_a_crash_and_a_standstill_are_the_jdk_s(
    record: CellRecord, hangs: tuple[Hang, ...], broke: bool
) -> None:
    assert has_broken(record, hangs) is broke


def test_a_jvm_that_has_no_memory_left_has_not_crashed() -> None:
    cell_outcome = outcome_of(REFUSED, files(None), is_reproducer=True)
    assert cell_outcome.outcome == "error"
    assert cell_outcome.reason == f"No outcome file; its status: {REFUSED.status_text}"


def test_a_verdict_without_any_control_is_none() -> None:
    alone = CellOutcomes(verdict=case("not-reproduced"), controls=())
    assert outcome_of(cell("passed"), alone, is_reproducer=True).outcome == "inconclusive"
