# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a validation measures, and against which release."""

from pathlib import Path

import pytest

from jdkmatrix.config import version
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.scenarios import load_scenarios
from jdkmatrix.errors import UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.throughput.validate import candidate_of, first_clients, older_releases
from tests.supply.supply_kit import jdks_of

IDS = ("temurin-17.0.3+7", "temurin-17.0.9+9", "debian-17", "temurin-21.0.8+9", "temurin-17-ea")
KNOWN = {"debian-17": "debian-17.0.21+9", "temurin-17-ea": "temurin-17.0.22-ea+3"}


@pytest.fixture
def jdks() -> JdksFile:
    wheel = {"source": "wheel", "package": "fakejdk", "version": "1.0"}
    entries: list[dict[str, object]] = [{"id": name, "sources": [wheel]} for name in IDS]
    return jdks_of(*entries)


@pytest.mark.parametrize(
    ("new", "older"),
    [
        ("17.0.22+1", ["debian-17", "temurin-17.0.9+9", "temurin-17.0.3+7"]),
        ("17.0.21+9", ["temurin-17.0.9+9", "temurin-17.0.3+7"]),
        ("17.0.9+9", ["temurin-17.0.3+7"]),
        ("17.0.3+7", []),
        ("11.0.24+8", []),
    ],
)
def test_the_release_before_is_of_the_train_and_no_early_access(
    jdks: JdksFile, new: str, older: list[str]
) -> None:
    found = older_releases(jdks, KNOWN, version.parse(new))
    assert [entry.id for entry in found] == older


def test_a_candidate_is_an_entry_the_build_that_it_was_or_a_folder(
    jdks: JdksFile, tmp_path: Path
) -> None:
    for text in ("debian-17", "debian-17.0.21+9"):
        entry = candidate_of(jdks, KNOWN, text).entry
        assert entry is not None
        assert entry.id == "debian-17"
    assert candidate_of(jdks, KNOWN, str(tmp_path)).path == tmp_path
    with pytest.raises(UsageError, match="no such build"):
        candidate_of(jdks, KNOWN, "debian-99")


def test_each_scenario_of_a_validation_has_its_first_client() -> None:
    file = load_scenarios(Checkout.here().scenarios)
    clients = first_clients(file)
    assert tuple(clients) == file.validation
    assert set(clients.values()) == {"https-url-connection"}
