# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a validation measures, and against which release."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from jdkmatrix.cli.validate import DEFAULT_MINUTES
from jdkmatrix.config.jdks import BuildEntry, JdksFile
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.version import parse
from jdkmatrix.errors import NothingRanError, UsageError
from jdkmatrix.grading.graded_comparisons import limit_of
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.candidate import candidate_of, older_releases, with_baseline
from jdkmatrix.plan.planned_comparisons import least_s, passed_over, plan_comparisons
from jdkmatrix.plan.selection import Selection
from jdkmatrix.plan.workloads import Workloads, plan_workloads
from jdkmatrix.records.record import Request, SpeedRequest
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.supplier import Supplier
from jdkmatrix.verdict.validation import MOST_LOSS
from tests.flow.run_kit import PLAIN
from tests.supply.supply_kit import jdks_of

IDS = (
    "temurin-17.0.3+7",
    "temurin-17.0.8+7-musl",
    "temurin-17.0.9+9",
    "debian-17",
    "temurin-21.0.8+9",
    "temurin-17-ea",
)
BUILDS = {0: "temurin-17.0.7+7", 1: "temurin-17.0.9+9"}
KNOWN = {"debian-17": "debian-17.0.21+9", "temurin-17-ea": "temurin-17.0.22-ea+3"}


@pytest.fixture
def jdks() -> JdksFile:
    wheel = {"source": "wheel", "package": "fakejdk", "version": "1.0"}
    entries: list[dict[str, object]] = [{"id": name, "sources": [wheel]} for name in IDS]
    return jdks_of(*entries)


ALL = (":full", ":interop_quick")


@pytest.mark.parametrize(
    ("new", "older"),
    [
        ("debian-17.0.22+1", ["debian-17", "temurin-17.0.9+9", "temurin-17.0.3+7"]),
        ("temurin-17.0.22+1", ["temurin-17.0.9+9", "temurin-17.0.3+7", "debian-17"]),
        ("zulu-17.0.22+1", ["debian-17", "temurin-17.0.9+9", "temurin-17.0.3+7"]),
        ("debian-17.0.21+9", ["temurin-17.0.9+9", "temurin-17.0.3+7"]),
        ("temurin-17.0.9+9", ["temurin-17.0.3+7"]),
        ("temurin-17.0.3+7", []),
        ("debian-11.0.24+8", []),
        (
            "temurin-17.0.10+7-musl",
            ["temurin-17.0.9+9", "temurin-17.0.8+7-musl", "temurin-17.0.3+7"],
        ),
    ],
)
def test_the_release_before_is_of_the_vendor_or_the_train_and_no_early_access(
    jdks: JdksFile, new: str, older: list[str]
) -> None:
    found = older_releases(jdks, KNOWN, made(new))
    assert [entry.id for entry in found] == older


def made(build: str, home: str = "/new") -> Build:
    vendor, _, number = build.partition("-")
    return replace(
        PLAIN, id=build, entry_id=build, vendor=vendor, version=parse(number), home=Path(home)
    )


class Holdings:
    """A supplier that has what its ids say, but for those that are `gone`, or have `moved`; the
    folder /old has 17.0.9, /newer 17.0.30, /11 11.
    """

    def __init__(self, gone: Container[str] = (), moved: Mapping[str, str] | None = None) -> None:
        self.gone = gone
        self.moved = moved or {}

    def supply(self, entries: Iterable[BuildEntry]) -> list[Build | Unavailable]:
        return [
            Unavailable(entry.id, (("wheel", "gone"),))
            if entry.id in self.gone
            else made(self.moved.get(entry.id, entry.id), f"/{entry.id}")
            for entry in entries
        ]

    def local(self, path: Path, _: str) -> Build:
        number = {"/old": "17.0.9+9", "/newer": "17.0.30+1", "/11": "11.0.24+8"}.get(
            str(path), "17.0.10+1"
        )
        return made(f"temurin-{number}", str(path))


@pytest.mark.parametrize(
    ("baseline", "found"),
    [
        (None, "temurin-17.0.9+9"),
        ("temurin-17.0.3+7", "temurin-17.0.3+7"),
        ("/old", "/old"),
        ("/new", "--baseline /new: is the build under test; accepted: another build"),
        ("/newer", "--baseline /newer: 17.0.30+1 is newer than 17.0.10+1; accepted: an older"),
        ("/11", "--baseline /11: of train 11; accepted: a release of train 17 before 17.0.10+1"),
        ("temurin-21.0.8+9", "--baseline temurin-21.0.8+9: of train 21; accepted: a release of"),
        ("nix", "--baseline nix: no such build; accepted: "),
    ],
)
def test_the_baseline_is_the_one_named_or_found(
    jdks: JdksFile, baseline: str | None, found: str
) -> None:
    speed = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1, minutes=10, baseline=baseline)
    request = Request(jdks=("/new",), speed=speed)
    supplier = cast(Supplier, Holdings())
    try:
        told = with_baseline(request, jdks, KNOWN, supplier).speed
    except UsageError as error:
        assert str(error).startswith(found)
    else:
        assert told
        assert told.baseline == found


def test_where_none_is_known_there_is_no_baseline(jdks: JdksFile) -> None:
    speed = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1, minutes=10)
    supplier = cast(Supplier, Holdings())
    request = with_baseline(Request(jdks=("/11",), speed=speed), jdks, KNOWN, supplier)
    assert request.speed == speed


def test_the_next_older_one_serves_where_the_newest_cannot_be_had(jdks: JdksFile) -> None:
    speed = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1, minutes=10)
    supplier = cast(Supplier, Holdings(gone=("temurin-17.0.9+9",)))
    told = with_baseline(Request(jdks=("/new",), speed=speed), jdks, KNOWN, supplier).speed
    assert told
    assert told.baseline == "temurin-17.0.3+7"


@pytest.mark.parametrize(
    ("candidate", "was", "comes", "baseline"),
    [
        (Request(builds=("debian-17",)), "debian-17.0.21+9", "17.0.22+1", "temurin-17.0.9+9"),
        (Request(jdks=("/new",)), "temurin-17.0.9.1+1", "17.0.11+9", "temurin-17.0.9+9"),
        (Request(jdks=("/new",)), "temurin-17.0.9.1+1", "17.0.10-ea+1", "temurin-17.0.9+9"),
        (Request(jdks=("/new",)), "temurin-17.0.9.1+1", "17.0.9.2+1", "temurin-17-ea"),
    ],
    ids=["the candidate itself", "newer", "early access", "still older"],
)
def test_an_entry_that_has_moved_on_serves_only_if_it_is_still_older(
    jdks: JdksFile, candidate: Request, was: str, comes: str, baseline: str
) -> None:
    vendor = was.partition("-")[0]
    entry = {"debian": "debian-17", "temurin": "temurin-17-ea"}[vendor]
    speed = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1, minutes=10)
    request = candidate.model_copy(update={"speed": speed})
    supplier = cast(Supplier, Holdings(moved={entry: f"{vendor}-{comes}"}))
    told = with_baseline(request, jdks, {entry: was}, supplier).speed
    assert told
    assert told.baseline == baseline


@pytest.mark.parametrize(
    ("candidate", "baseline", "told"),
    [
        (
            Request(jdks=("/new",)),
            None,
            "nothing to compare temurin-17.0.10+1 with: temurin-17.0.9+9 unavailable: wheel: gone; "
            "temurin-17.0.3+7 unavailable: wheel: gone",
        ),
        (
            Request(jdks=("/new",)),
            "temurin-17.0.3+7",
            "nothing to compare temurin-17.0.10+1 with: temurin-17.0.3+7 unavailable: wheel: gone",
        ),
        (
            Request(builds=("temurin-17.0.9+9",)),
            "/old",
            "temurin-17.0.9+9 unavailable: wheel: gone",
        ),
    ],
    ids=["none of those before it", "not the one named", "not the candidate itself"],
)
def test_what_cannot_be_had_is_not_compared(
    jdks: JdksFile, candidate: Request, baseline: str | None, told: str
) -> None:
    """Not judged by itself either: a release before it is known."""
    speed = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1, minutes=10, baseline=baseline)
    request = candidate.model_copy(update={"speed": speed})
    with pytest.raises(NothingRanError) as caught:
        with_baseline(request, jdks, KNOWN, cast(Supplier, Holdings(gone=IDS)))
    assert str(caught.value) == told


def test_a_candidate_is_an_entry_the_build_that_it_was_or_a_folder(
    jdks: JdksFile, tmp_path: Path
) -> None:
    for text in ("debian-17", "debian-17.0.21+9"):
        assert candidate_of(jdks, KNOWN, text) == Request(builds=("debian-17",), tests=ALL)
    assert candidate_of(jdks, KNOWN, str(tmp_path)) == Request(jdks=(str(tmp_path),), tests=ALL)
    with pytest.raises(UsageError, match="no such build"):
        candidate_of(jdks, KNOWN, "debian-99")


def test_the_release_before_has_the_rows_alone_and_is_the_earlier() -> None:
    speed = SpeedRequest(
        blocks=2, minimum_effect=0.05, seed=1, minutes=10, baseline="temurin-17.0.9+9"
    )
    request = Request(builds=("debian-17",), tests=ALL, speed=speed)
    selection = Selection.of(Checkout.here(), request)
    assert selection.asked == ("temurin-17.0.9+9", "debian-17")
    assert [test.path for test in selection.shares[0][None]] == ["interop/QuickRows.java"]
    assert len(selection.shares[1][None]) > 60
    local = request.model_copy(
        update={"speed": speed.model_copy(update={"baseline": "/old"}), "jdks": ("/new",)}
    )
    selection = Selection.of(Checkout.here(), local.model_copy(update={"builds": ()}))
    assert selection.asked == ("/old", "/new")
    assert [len(share[None]) > 1 for share in selection.shares] == [False, True]


@pytest.fixture(scope="module")
def speed() -> Workloads:
    checkout = Checkout.here()
    request = Request(speed=SpeedRequest(blocks=2, minimum_effect=0.05, seed=1))
    return Workloads.of(checkout, load_ledger(checkout.ledger), request, baseline=0, overlay=None)


def test_a_validation_has_every_client_that_it_asks(speed: Workloads) -> None:
    planned = plan_comparisons(speed, BUILDS)
    assert [(one.scenario_name, one.client) for one in planned] == [
        (name, subject)
        for name, one in speed.file.validation.items()
        for subject in (*one.clients, *one.services, *one.controls)
    ]
    assert [one.client for one in planned if one.if_slower] == ["jetty-conscrypt"] * 2
    assert not list(passed_over(speed, BUILDS))
    by_name = {one.scenario_name: one for one in planned}
    rate, cost = by_name["reuse/brief"].scenario.metrics
    assert [limit_of(by_name["reuse/brief"], metric) for metric in (rate, cost)] == [MOST_LOSS] * 2
    lock = by_name["neighbour/brief"]
    assert (limit_of(lock, rate), limit_of(lock, cost)) == (0.75, None)


def test_two_blocks_of_all_leave_time_for_the_reproducers(speed: Workloads) -> None:
    """Those of one build, 39, take 46 s on two quiet cores (17.0.9); twice that are left."""
    planned = plan_comparisons(speed, BUILDS)
    assert sum(least_s([one]) for one in planned) < 60 * DEFAULT_MINUTES - 92


def test_a_client_that_a_train_lacks_is_left_out_and_said_so(
    speed: Workloads,
) -> None:
    builds = {0: "debian-8u504-ga", 1: "temurin-8u512-b01"}
    planned = plan_comparisons(speed, builds)
    clients = {one.client for one in planned}
    assert clients == {"https-url-connection", "jetty-jsse", "jetty-conscrypt"}
    assert list(passed_over(speed, builds)) == [
        "reuse/brief with java-net-http is left out: needs two builds of 11+"
    ]


def test_throughput_by_itself_measures_the_whole_scenarios(speed: Workloads) -> None:
    usual = {one.name for one in plan_workloads(speed.file, (), (), sweep=False)}
    services = {"server-reuse-16kib", "server-handshake-full"}
    assert usual == {"reuse", "handshake-full", "neighbour", *services}
