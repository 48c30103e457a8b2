# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does `jdks add` write valid entries, and leave the rest of `jdks.yaml` as it was?"""

import difflib
from pathlib import Path

import pytest

from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.supply.newcomer import add_entries
from jdkmatrix.supply.parts import API_VARIABLE
from tests.supply.adoptium_kit import Market
from tests.supply.standin import release


@pytest.fixture
def jdks_yaml(root: Path, tmp_path: Path) -> Path:
    """A copy of the shipped file, comments and all."""
    path = tmp_path / "jdks.yaml"
    path.write_bytes((root / "jdks.yaml").read_bytes())
    return path


def added_lines(root: Path, path: Path) -> list[str]:
    """What is new in the copy; nothing may be missing from it."""
    before = (root / "jdks.yaml").read_text().splitlines()
    changed = list(difflib.ndiff(before, path.read_text().splitlines()))
    assert [line for line in changed if line.startswith("- ")] == []
    return [line[2:] for line in changed if line.startswith("+ ")]


@pytest.mark.parametrize(
    ("vendor", "version", "entry_id", "source"),
    [
        ("temurin", "8u412-b08", "temurin-8u412-b08", "release: jdk8u412-b08}"),
        ("temurin", "17.0.4+8", "temurin-17.0.4+8", "release: jdk-17.0.4+8}"),
        ("temurin", "21", "temurin-21", "release: latest-ga}"),
        ("temurin", "21-ea", "temurin-21-ea", "release: latest-ea}"),
        ("microsoft", "21-previous", "microsoft-21-previous", "release: previous-ga}"),
        ("semeru", "17.0.4+8", "semeru-17.0.4+8", "release: jdk-17.0.4+8, jvm: openj9}"),
    ],
)
def test_what_names_a_build_needs_no_api(
    root: Path, jdks_yaml: Path, vendor: str, version: str, entry_id: str, source: str
) -> None:
    (entry,) = add_entries(jdks_yaml, vendor, version, offline=True)
    assert entry.id == entry_id
    assert load_jdks(jdks_yaml).entry(entry_id) == entry
    lines = [f"  - id: {entry_id}", "    sources:", f"      - {{source: adoptium, {source}"]
    assert added_lines(root, jdks_yaml) == lines


@pytest.mark.parametrize(
    ("vendor", "version", "told"),
    [
        ("debian", "17", "'debian': no vendor of the API; accepted: temurin, zulu"),
        ("temurin", "banana", "'banana': no version; accepted: 8u412, 8u412-b08"),
        ("temurin", "17.0.9..17.0.1", "'17.0.9..17.0.1': no version; accepted: "),
        ("temurin", "8u412", "'8u412' needs the API, and offline; accepted: a build"),
        ("temurin", "17.0.3+7", "temurin-17.0.3+7: in jdks.yaml already"),
    ],
)
def test_a_mistake_is_one_line_and_changes_nothing(
    root: Path, jdks_yaml: Path, vendor: str, version: str, told: str
) -> None:
    with pytest.raises(UsageError) as caught:
        add_entries(jdks_yaml, vendor, version, offline=True)
    assert str(caught.value).startswith(told)
    assert "\n" not in str(caught.value)
    assert added_lines(root, jdks_yaml) == []


def test_builds_need_not_be_the_last_key(root: Path, jdks_yaml: Path) -> None:
    text = jdks_yaml.read_text()
    start = text.index("\ndefault:")
    end = text.index("\nbuilds:")
    moved = text[:start] + text[end:] + "\n# What is run.\n" + text[start:end].lstrip("\n") + "\n"
    jdks_yaml.write_text(moved)
    (entry,) = add_entries(jdks_yaml, "temurin", "21.0.1+12", offline=True)
    assert load_jdks(jdks_yaml).builds[-1] == entry
    assert "{source: adoptium, release: jdk-21.0.1+12}\n\n# What is run.\n" in jdks_yaml.read_text()


@pytest.mark.jdk
class TestWithTheApi:
    @pytest.fixture
    def api(self, market: Market, monkeypatch: pytest.MonkeyPatch) -> Market:
        monkeypatch.setenv(API_VARIABLE, f"{market.standin.http}/v3")
        package = {"name": "x.tar.gz", "link": "http://127.0.0.1:9/x", "checksum": "0" * 64}
        eight = [("jdk8u422-b05", "1.8.0_422-b05"), ("jdk8u412-b08", "1.8.0_412-b08")]
        market.listed("ga", [release(name, v, package) for name, v in eight], train=8)
        listed = [f"17.0.{n}+{n}" for n in range(40, 0, -1)]
        market.listed("ga", [release(f"jdk-{v}", v, package) for v in listed])
        return market

    def test_a_version_becomes_its_build(self, api: Market, root: Path, jdks_yaml: Path) -> None:
        (entry,) = add_entries(jdks_yaml, "temurin", "8u412", circumstances=api.circumstances)
        assert entry.id == "temurin-8u412-b08"
        assert len(added_lines(root, jdks_yaml)) == 3

    def test_a_range_becomes_its_builds_the_oldest_first(
        self, api: Market, jdks_yaml: Path
    ) -> None:
        added = add_entries(jdks_yaml, "temurin", "17.0.1..17.0.4", circumstances=api.circumstances)
        assert [entry.id for entry in added] == [f"temurin-17.0.{n}+{n}" for n in range(1, 5)]

    def test_what_the_api_has_not_is_told(self, api: Market, jdks_yaml: Path) -> None:
        with pytest.raises(UsageError, match="the API has no such GA release of temurin"):
            add_entries(jdks_yaml, "temurin", "8u413", circumstances=api.circumstances)

    def test_an_api_that_is_down_is_told(self, api: Market, jdks_yaml: Path) -> None:
        api.standin.stub("/v3/assets/feature_releases/8/ga", {"status": 503})
        with pytest.raises(MachineError, match="the Adoptium API: ga: 503"):
            add_entries(jdks_yaml, "temurin", "8u412", circumstances=api.circumstances)
