# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a validation measures, and against which release."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from jdkmatrix.cli.validate import DEFAULT_MINUTES
from jdkmatrix.config.jdks import BuildEntry, EntryId, JdksFile
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.version import parse
from jdkmatrix.errors import NothingRanError, UsageError
from jdkmatrix.grading.graded_comparisons import limit_of
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.candidate import accepted_for, candidate_of, older_releases, with_baseline
from jdkmatrix.plan.planned_comparisons import least_s, passed_over, plan_comparisons
from jdkmatrix.plan.selection import Selection
from jdkmatrix.plan.workloads import Workloads, plan_workloads
from jdkmatrix.records.request import Request, SpeedRequest
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.catalog import Catalog
from jdkmatrix.supply.supplier import Supplier
from jdkmatrix.verdict.validation import MOST_COUNT_LOSS, MOST_LOSS
from tests.flow.run_kit import PLAIN
from tests.plan.parsed_ids import last_builds, parse_id
from tests.supply.supply_kit import jdks_of

IDS = (
    "temurin-17.0.3+7",
    "temurin-17.0.8+7-musl",
    "temurin-17.0.9+9",
    "debian-17",
    "temurin-21.0.8+9",
    "temurin-17-ea",
)
BUILDS = {0: parse_id("temurin-17.0.7+7"), 1: parse_id("temurin-17.0.9+9")}
KNOWN = last_builds({"debian-17": "debian-17.0.21+9", "temurin-17-ea": "temurin-17.0.22-ea+3"})


@pytest.fixture
def jdks() -> JdksFile:
    wheel = {"source": "wheel", "package": "fakejdk", "version": "1.0"}
    entries: list[dict[str, object]] = [{"id": name, "sources": [wheel]} for name in IDS]
    return jdks_of(*entries)


TESTS = (":full", ":interop_quick", ":behave_gold")


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
        ("debian-17.0.21.1+2", ["temurin-17.0.9+9", "temurin-17.0.3+7", "debian-17"]),
        ("temurin-17.0.9.1+1", ["temurin-17.0.3+7", "temurin-17.0.9+9"]),
        ("zulu-17.0.21.0.3+1", ["temurin-17.0.9+9", "temurin-17.0.3+7", "debian-17"]),
    ],
)
def test_the_release_before_is_of_an_earlier_update_then_of_the_vendor_and_no_early_access(
    jdks: JdksFile, new: str, older: list[str]
) -> None:
    releases = older_releases(Catalog(jdks, KNOWN), make_build(new))
    assert [entry.id for entry in releases] == older


def make_build(build: str, home: str = "/new") -> Build:
    entry_id = EntryId.read(build)
    assert entry_id
    return replace(
        PLAIN,
        id=build,
        entry_id=build,
        vendor=entry_id.vendor,
        version=parse(entry_id.version),
        target=entry_id.target,
        home=Path(home),
    )


class Holdings:
    """A supplier that has what its ids say, but for those that are `missing`, or other builds by
    `moves`; the folder /old has 17.0.9, /newer 17.0.30, /twin 17.0.21.1, /11 11.
    """

    def __init__(
        self, missing: Container[str] = (), moves: Mapping[str, str] | None = None
    ) -> None:
        self.missing = missing
        self.moves = moves or {}
        self.builds: dict[str, Build] = {}

    def supply(self, entries: Iterable[BuildEntry]) -> list[Build | Unavailable]:
        return [
            Unavailable(entry.id, (("wheel", "gone"),))
            if entry.id in self.missing
            else make_build(self.moves.get(entry.id, entry.id), f"/{entry.id}")
            for entry in entries
        ]

    def local(self, path: Path, _: str) -> Build:
        if build := self.builds.get(str(path)):
            return build
        numbers = {
            "/old": "17.0.9+9",
            "/newer": "17.0.30+1",
            "/twin": "17.0.21.1+2",
            "/11": "11.0.24+8",
        }
        number = numbers.get(str(path), "17.0.10+1")
        return make_build(f"temurin-{number}", str(path))


@pytest.mark.parametrize(
    ("baseline", "expected"),
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
    jdks: JdksFile, baseline: str | None, expected: str
) -> None:
    speed = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1, minutes=10, baseline=baseline)
    request = Request(jdks=("/new",), speed=speed)
    supplier = cast(Supplier, Holdings())
    try:
        speed_request = with_baseline(request, Catalog(jdks, KNOWN), supplier).speed
    except UsageError as error:
        assert str(error).startswith(expected)
    else:
        assert speed_request
        assert speed_request.baseline == expected


@pytest.mark.parametrize(
    ("baseline", "missing", "expected", "twins"),
    [
        (None, (), "temurin-17.0.9+9", ("debian-17.0.21+9",)),
        ("temurin-17.0.3+7", (), "temurin-17.0.3+7", ()),
        (None, ("temurin-17.0.9+9", "temurin-17.0.3+7"), "debian-17", ()),
    ],
    ids=["earlier", "named", "the twin, as nothing else can be had"],
)
def test_a_twin_of_the_same_update_is_passed_over_and_named(
    jdks: JdksFile,
    baseline: str | None,
    missing: tuple[str, ...],
    expected: str,
    twins: tuple[str, ...],
) -> None:
    speed = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1, minutes=10, baseline=baseline)
    request = Request(jdks=("/twin",), speed=speed)
    supplier = cast(Supplier, Holdings(missing, {"debian-17": "debian-17.0.21+9"}))
    speed_request = with_baseline(request, Catalog(jdks, KNOWN), supplier).speed
    assert speed_request
    assert (speed_request.baseline, speed_request.twins) == (expected, twins)
    assert speed_request.is_baseline_named is bool(baseline)


@pytest.mark.parametrize(
    ("candidate", "baseline", "missing", "counterpart"),
    [
        ("debian-17.0.9+9", None, (), "temurin-17.0.9+9"),
        ("debian-17.0.9+9", None, ("temurin-17.0.9+9",), None),
        ("debian-17.0.9+10", "temurin-17.0.9+9", (), None),
        ("debian-17.0.9.1+1", None, (), None),
        ("temurin-17.0.9+9", None, (), None),
        ("debian-17.0.8+7", None, (), None),
        ("debian-17.0.8+7-musl", None, (), "temurin-17.0.8+7-musl"),
    ],
    ids=["is", "gone", "baseline", "version", "vendor", "other target", "same target"],
)
def test_the_counterpart_is_of_another_vendor_and_the_same_version(
    jdks: JdksFile,
    candidate: str,
    baseline: str | None,
    missing: tuple[str, ...],
    counterpart: str | None,
) -> None:
    holdings = Holdings(missing)
    holdings.builds["/candidate"] = make_build(candidate, "/candidate")
    speed = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1, minutes=10, baseline=baseline)
    request = Request(jdks=("/candidate",), speed=speed)
    speed_request = with_baseline(request, Catalog(jdks, KNOWN), cast(Supplier, holdings)).speed
    assert speed_request
    assert speed_request.baseline
    assert speed_request.counterpart == counterpart


@pytest.mark.parametrize("old", ["temurin-17.0.9+9", "/old"])
@pytest.mark.parametrize("new", ["debian-17.0.12+7", "/new"])
def test_the_counterpart_has_the_rows_alone_and_is_not_measured(old: str, new: str) -> None:
    speed = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1, baseline=old)
    speed = speed.model_copy(update={"counterpart": "temurin-17.0.12+7"})
    request = Request(tests=TESTS, speed=speed)
    place = {"jdks": (new,)} if "/" in new else {"builds": (new,)}
    selection = Selection.resolve(Checkout.current(), request.model_copy(update=place))
    assert selection.counterpart is not None
    assert selection.speed and selection.speed.baseline is not None
    assert selection.specs[selection.counterpart] == "temurin-17.0.12+7"
    assert selection.specs[selection.speed.baseline] == old
    counts = {
        spec: len(share[None])
        for spec, share in zip(selection.specs, selection.shares, strict=True)
    }
    assert counts.pop(new) > 60
    assert counts == {old: 3, "temurin-17.0.12+7": 3}


def test_where_none_is_known_there_is_no_baseline(jdks: JdksFile) -> None:
    speed = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1, minutes=10)
    supplier = cast(Supplier, Holdings())
    request = with_baseline(Request(jdks=("/11",), speed=speed), Catalog(jdks, KNOWN), supplier)
    assert request.speed == speed


def test_the_next_older_one_serves_where_the_newest_cannot_be_had(jdks: JdksFile) -> None:
    speed = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1, minutes=10)
    supplier = cast(Supplier, Holdings(missing=("temurin-17.0.9+9",)))
    speed_request = with_baseline(
        Request(jdks=("/new",), speed=speed), Catalog(jdks, KNOWN), supplier
    ).speed
    assert speed_request
    assert speed_request.baseline == "temurin-17.0.3+7"


@pytest.mark.parametrize(
    ("candidate", "old_build", "comes", "baseline"),
    [
        (Request(builds=("debian-17",)), "debian-17.0.21+9", "17.0.22+1", "temurin-17.0.9+9"),
        (Request(jdks=("/new",)), "temurin-17.0.9.1+1", "17.0.11+9", "temurin-17.0.9+9"),
        (Request(jdks=("/new",)), "temurin-17.0.9.1+1", "17.0.10-ea+1", "temurin-17.0.9+9"),
        (Request(jdks=("/new",)), "temurin-17.0.9.1+1", "17.0.9.2+1", "temurin-17-ea"),
    ],
    ids=["the candidate itself", "newer", "early access", "still older"],
)
def test_an_entry_that_has_moved_on_serves_only_if_it_is_still_older(
    jdks: JdksFile, candidate: Request, old_build: str, comes: str, baseline: str
) -> None:
    vendor = old_build.partition("-")[0]
    entry = {"debian": "debian-17", "temurin": "temurin-17-ea"}[vendor]
    speed = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1, minutes=10)
    request = candidate.model_copy(update={"speed": speed})
    supplier = cast(Supplier, Holdings(moves={entry: f"{vendor}-{comes}"}))
    catalog = Catalog(jdks, last_builds({entry: old_build}))
    speed_request = with_baseline(request, catalog, supplier).speed
    assert speed_request
    assert speed_request.baseline == baseline


@pytest.mark.parametrize(
    ("candidate", "baseline", "message"),
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
    jdks: JdksFile, candidate: Request, baseline: str | None, message: str
) -> None:
    """Not judged by itself either: a release before it is known."""
    speed = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1, minutes=10, baseline=baseline)
    request = candidate.model_copy(update={"speed": speed})
    with pytest.raises(NothingRanError) as error:
        with_baseline(request, Catalog(jdks, KNOWN), cast(Supplier, Holdings(missing=IDS)))
    assert str(error.value) == message


def test_a_candidate_is_an_entry_the_build_that_it_was_or_a_folder(
    jdks: JdksFile, tmp_path: Path
) -> None:
    catalog = Catalog(jdks, KNOWN)
    for text in ("debian-17", "debian-17.0.21+9"):
        assert candidate_of(catalog, text) == Request(builds=("debian-17",), tests=TESTS)
    assert candidate_of(catalog, str(tmp_path)) == Request(jdks=(str(tmp_path),), tests=TESTS)
    with pytest.raises(UsageError, match="no such build"):
        candidate_of(catalog, "debian-99")


def test_the_release_before_has_the_rows_alone_and_is_the_earlier() -> None:
    speed = SpeedRequest(
        blocks=2, minimum_effect=0.05, seed=1, minutes=10, baseline="temurin-17.0.9+9"
    )
    request = Request(builds=("debian-17",), tests=TESTS, speed=speed)
    selection = Selection.resolve(Checkout.current(), request)
    assert selection.specs == ("temurin-17.0.9+9", "debian-17")
    assert [test.path for test in selection.shares[0][None]] == [
        "interop/QuickRows.java",
        "behave/GoldRows.java",
        "behave/GoldRows8.java",
    ]
    assert len(selection.shares[1][None]) > 60
    local = request.model_copy(
        update={"speed": speed.model_copy(update={"baseline": "/old"}), "jdks": ("/new",)}
    )
    selection = Selection.resolve(Checkout.current(), local.model_copy(update={"builds": ()}))
    assert selection.specs == ("/old", "/new")
    assert [len(share[None]) > 3 for share in selection.shares] == [False, True]


@pytest.fixture(scope="module")
def speed() -> Workloads:
    checkout = Checkout.current()
    request = Request(speed=SpeedRequest(blocks=2, minimum_effect=0.05, seed=1))
    return Workloads.resolve(
        checkout, load_ledger(checkout.ledger), request, baseline=0, overlay=None
    )


def test_a_validation_has_every_client_that_it_asks(speed: Workloads) -> None:
    comparisons = plan_comparisons(speed, BUILDS)
    assert [(comparison.scenario_name, comparison.client) for comparison in comparisons] == [
        (name, subject)
        for name, requirement in speed.file.validation.items()
        for subject in (*requirement.clients, *requirement.services, *requirement.controls)
    ]
    assert [comparison.client for comparison in comparisons if comparison.if_slower] == [
        "jetty-conscrypt"
    ] * 2
    assert not list(passed_over(speed, BUILDS))
    by_name = {comparison.scenario_name: comparison for comparison in comparisons}
    rate, cost, *counts = by_name["reuse/brief"].scenario.metrics
    assert [limit_of(by_name["reuse/brief"], metric) for metric in (rate, cost)] == [MOST_LOSS] * 2
    assert {limit_of(by_name["reuse/brief"], count) for count in counts} == {MOST_COUNT_LOSS}
    lock = by_name["neighbour/brief"]
    assert (limit_of(lock, rate), limit_of(lock, cost)) == (0.75, None)


def test_two_blocks_of_all_leave_time_for_the_reproducers(speed: Workloads) -> None:
    """Those of one build, 39, take 46 s on two quiet cores (17.0.9); twice that are left."""
    comparisons = plan_comparisons(speed, BUILDS)
    assert sum(least_s([comparison]) for comparison in comparisons) < 60 * DEFAULT_MINUTES - 240


def test_a_client_that_a_train_lacks_is_left_out_and_said_so(
    speed: Workloads,
) -> None:
    builds = {0: parse_id("debian-8u504-ga"), 1: parse_id("temurin-8u512-b01")}
    comparisons = plan_comparisons(speed, builds)
    clients = {comparison.client for comparison in comparisons}
    assert clients == {"https-url-connection", "jetty-jsse", "jetty-conscrypt"}
    assert list(passed_over(speed, builds)) == [
        "reuse/brief with java-net-http is left out: needs two builds of 11+"
    ]


def test_throughput_by_itself_measures_the_whole_scenarios(speed: Workloads) -> None:
    usual = {workload.name for workload in plan_workloads(speed.file, (), (), sweep=False)}
    services = {"server-reuse-16kib", "server-handshake-full"}
    assert usual == {"reuse", "handshake-full", "neighbour", *services}


def test_changes_are_accepted_for_the_candidate_alone(tmp_path: Path) -> None:
    file, request = tmp_path / "accepted.yaml", Request(builds=("debian-17",), tests=TESTS)
    of_row = "rows: [sent.url.get], by: A. Engineer, reason: wanted"
    file.write_text(f"accepted:\n  - {{id: a, build: debian-17, {of_row}}}\n")
    (change,) = accepted_for(Checkout.current(), file, request)
    assert change.person == "A. Engineer"
    file.write_text(f"accepted:\n  - {{id: a, build: debian-17.0.1+1, {of_row}}}\n")
    with pytest.raises(UsageError, match=r"a: build: debian-17\.0\.1\+1 is not what is validated"):
        accepted_for(Checkout.current(), file, request)
