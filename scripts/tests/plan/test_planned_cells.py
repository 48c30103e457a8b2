# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which builds and tests a request means."""

import pytest

from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.suite import find_tests, select_tests
from jdkmatrix.errors import UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.planned_cells import plan_tests
from jdkmatrix.supply.catalog import Catalog
from tests.plan.parsed_ids import last_builds

FLAGSHIP = "keepalive/RequestsBlockedWhileConnectionCloses.java"
LAST = last_builds({"debian-8": "debian-8u504-ga"})


def ids(jdks: JdksFile, *patterns: str) -> list[str]:
    return [entry.id for entry in Catalog(jdks, LAST).select(patterns)]


def test_builds_by_default_selection_id_glob_and_fetched_id(jdks: JdksFile) -> None:
    assert ids(jdks) == list(jdks.default)
    assert len(ids(jdks)) == 9
    assert ids(jdks, "temurin-17.0.7+7") == ["temurin-17.0.7+7"]
    assert ids(jdks, "temurin-17.0.?+*") == [
        "temurin-17.0.2+8",
        "temurin-17.0.3+7",
        "temurin-17.0.7+7",
        "temurin-17.0.9+9",
    ]
    assert ids(jdks, "debian-8u504-ga") == ["debian-8"]
    assert ids(jdks, "debian-8u5*", "debian-8") == ["debian-8"]


def test_an_id_means_its_entry_alone_though_one_that_moves_is_the_same_build(
    jdks: JdksFile,
) -> None:
    pinned_id = "debian-17.0.21.0.3+1"  # which comes after it
    catalog = Catalog(jdks, last_builds({"debian-17": pinned_id}))
    assert [entry.id for entry in catalog.select((pinned_id,))] == [pinned_id]
    matches = catalog.select((f"{pinned_id}*",))
    assert {entry.id for entry in matches} == {pinned_id, "debian-17"}
    assert catalog.entry(pinned_id, "--build").id == pinned_id


def test_what_runs_in_an_emulator_is_meant_only_by_name(jdks: JdksFile) -> None:
    emulated_id = "temurin-21.0.9+10-aarch64"
    assert ids(jdks, "*aarch64*") == ids(jdks, emulated_id) == [emulated_id]
    assert emulated_id not in ids(jdks, "*", "temurin-21*")
    assert "temurin-17.0.11+9-musl" in ids(jdks, "*")
    catalog = Catalog(jdks, last_builds({emulated_id: emulated_id}))
    assert emulated_id not in [entry.id for entry in catalog.select(("temurin-21*",))]


def test_a_build_pattern_without_a_match(jdks: JdksFile) -> None:
    with pytest.raises(UsageError, match=r"--build temurin-9\*: no such build; accepted: debian-8"):
        ids(jdks, "debian-8", "temurin-9*")


def test_tests_by_bug_path_folder_and_glob(ledger: Ledger) -> None:
    suite = find_tests(Checkout.current().suite)

    def tests(bugs: tuple[str, ...] = (), patterns: tuple[str, ...] = ()) -> list[str]:
        return [test.path for test in plan_tests(ledger, suite, bugs, patterns)]

    all_tests = [test for bug in ledger.bugs for test in bug.tests]
    assert tests() == all_tests
    assert tests(("8293562",)) == tests(("JDK-8293562",)) == list(ledger.bugs[0].tests)
    for id_text in ("JDK8293562", "8293562:", "https://bugs.openjdk.org/browse/JDK-8293562"):
        assert tests((id_text,)) == list(ledger.bugs[0].tests)
    name = FLAGSHIP.rpartition("/")[2]
    for pattern in (name, name.removesuffix(".java")):
        assert tests((), (pattern,)) == [FLAGSHIP]
    for pattern in (FLAGSHIP, f"test/{FLAGSHIP}", FLAGSHIP.removesuffix(".java"), "*BlockedWhile*"):
        assert tests((), (pattern,)) == [FLAGSHIP]
    of_folder = [test for test in all_tests if test.startswith("keepalive/")]
    assert sorted(tests((), ("keepalive/",))) == sorted(of_folder)
    assert tests(("8293562",), (FLAGSHIP,)) == [FLAGSHIP]
    with pytest.raises(UsageError) as error:
        tests(("8293562",), ("selftest", "tls13"))
    assert str(error.value) == (
        "--bug 8293562 and --test selftest, tls13: no test matches both; "
        f"accepted: {', '.join(ledger.bugs[0].tests)}"
    )


def test_in_a_suite_with_a_folder_test_its_paths_are_meant() -> None:
    suite = ("Other.java", "test/Foo.java", "test/more/Bar.java")
    for pattern, paths in [
        ("test/Foo.java", suite[1:2]),
        ("test", suite[1:]),
        ("test/*", suite[1:]),
        ("test/Other.java", suite[:1]),
    ]:
        assert select_tests(suite, pattern) == paths


def test_a_test_outside_the_ledger_has_no_bug(ledger: Ledger) -> None:
    suite = find_tests(Checkout.current().suite)
    planned_tests = plan_tests(ledger, suite, (), ("selftest",))
    assert planned_tests
    assert {test.bug for test in planned_tests} == {None}
