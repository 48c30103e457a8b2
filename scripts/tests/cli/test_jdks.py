# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`jdks fetch`: what is got together, and what one failure leaves of the rest."""

import errno
import os
import shlex
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.config.jdks import BuildEntry
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.supply.build import Unavailable
from jdkmatrix.supply.cache.holdings import Holdings, VerifiedInstall
from jdkmatrix.supply.supplier import Supplier


class SimultaneousSupplier:
    """Gives nothing before builds, jtreg and jars are all being got."""

    def __init__(self, jtreg_fails: Exception | None) -> None:
        self._all_begun = threading.Barrier(3, timeout=30)
        self._jtreg_fails = jtreg_fails
        self.is_stopped = False
        self.programs: list[str] = []
        self.lacks = ""

    def supply(self, entries: Iterable[BuildEntry]) -> list[Unavailable]:
        self._all_begun.wait()
        return [Unavailable(entry.id, (("wheel", "none here"),)) for entry in entries]

    def tool_jdk(self) -> None:
        """The tool JDK is there."""

    def jtreg(self) -> Path:
        self._all_begun.wait()
        if self._jtreg_fails:
            raise self._jtreg_fails
        return Path("/jtreg")

    def program(self, name: str) -> Path:
        self.programs.append(name)
        if name == self.lacks:
            raise MachineError(f"{name}: trixie: no index")
        return Path("/", name)

    def jars(self, checkout: object) -> object:
        return SimpleNamespace(fetch=self._fetched_jars)

    def stop(self) -> None:
        self.is_stopped = True

    def _fetched_jars(self) -> Path:
        self._all_begun.wait()
        return Path("/jars")


@pytest.fixture
def supplier(monkeypatch: pytest.MonkeyPatch) -> Callable[..., SimultaneousSupplier]:
    def plant(jtreg_fails: Exception | None = None) -> SimultaneousSupplier:
        fake = SimultaneousSupplier(jtreg_fails)
        monkeypatch.setattr(Supplier, "of_checkout", lambda *_, **__: fake)
        return fake

    return plant


def test_builds_jtreg_and_jars_are_got_together(
    supplier: Callable[..., SimultaneousSupplier], capsys: pytest.CaptureFixture[str]
) -> None:
    supplier()
    assert main(["jdks", "fetch"]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert "none here" in lines[0]
    assert lines[-1] == "jars: /jars"


def test_without_builds_it_gets_the_rest(
    supplier: Callable[..., SimultaneousSupplier], capsys: pytest.CaptureFixture[str]
) -> None:
    fake = supplier()
    assert main(["jdks", "fetch", "--tools"]) == 0
    assert capsys.readouterr().out == "jars: /jars\n"
    assert fake.programs


def test_builds_and_no_builds_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["jdks", "fetch", "--tools", "debian-17"]) == 4
    assert "--tools debian-17: accepted: --tools, or builds" in capsys.readouterr().err


def test_what_measures_services_is_got_too(supplier: Callable[..., SimultaneousSupplier]) -> None:
    fake = supplier()
    main(["jdks", "fetch"])
    assert sorted(fake.programs) == ["gnutls-cli", "h2load", "haproxy", "openssl"]


def test_without_a_program_fetch_says_so_and_that_is_all(
    supplier: Callable[..., SimultaneousSupplier], capsys: pytest.CaptureFixture[str]
) -> None:
    fake = supplier()
    fake.lacks = "haproxy"
    main(["jdks", "fetch"])
    out, err = capsys.readouterr()
    assert err == "note: haproxy: trixie: no index; tests and scenarios that need it cannot run\n"
    assert out.endswith("jars: /jars\n")


def test_a_failed_jtreg_keeps_nothing_else_back(
    supplier: Callable[..., SimultaneousSupplier], capsys: pytest.CaptureFixture[str]
) -> None:
    fake = supplier(MachineError("jtreg: bookworm: no index"))
    assert main(["jdks", "fetch"]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert "none here" in lines[0]
    assert lines[-2:] == ["jtreg: bookworm: no index", "jars: /jars"]
    assert not fake.is_stopped


def test_a_wrong_jtreg_home_is_the_user_s_mistake(
    supplier: Callable[..., SimultaneousSupplier], capsys: pytest.CaptureFixture[str]
) -> None:
    supplier(UsageError("JTREG_HOME=/nix: no jtreg"))
    assert main(["jdks", "fetch"]) == 4
    out, err = capsys.readouterr()
    assert "none here" in out
    assert err.count("\n") == 1
    assert "JTREG_HOME=/nix: no jtreg" in err


def test_what_nobody_foresaw_is_no_regression(
    supplier: Callable[..., SimultaneousSupplier], capsys: pytest.CaptureFixture[str]
) -> None:
    supplier(ZeroDivisionError("by zero"))
    assert main(["jdks", "fetch"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert "Traceback (most recent call last):" in lines
    assert lines[-1] == "matrix: this is a defect of the kit: ZeroDivisionError: by zero"


def test_a_path_that_no_record_can_hold_is_the_user_s_mistake(
    supplier: Callable[..., SimultaneousSupplier], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UnicodeEncodeError) as error:
        os.fsdecode(b"a\xff").encode()
    supplier(error.value)
    assert main(["jdks", "fetch"]) == 4
    line = "matrix: a path has a byte that is not UTF-8; accepted: in UTF-8"
    assert capsys.readouterr().err.splitlines()[-1] == line


def test_a_reader_that_goes_away_is_no_regression(
    supplier: Callable[..., SimultaneousSupplier], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", sys.stdout)  # typer puts another in its place
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    supplier(BrokenPipeError(errno.EPIPE, "Broken pipe"))
    assert main(["jdks", "fetch"]) == 2


def test_ctrl_c_stops_what_is_under_way(
    supplier: Callable[..., SimultaneousSupplier], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = supplier()

    def interrupt(entries: object) -> None:
        fake._all_begun.wait()
        raise KeyboardInterrupt

    monkeypatch.setattr(fake, "supply", interrupt)
    assert main(["jdks", "fetch"]) != 0
    assert fake.is_stopped


def test_the_total_of_the_list_is_what_the_folder_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path))
    builds = tmp_path / "builds"
    (builds / "of-another-checkout-0").mkdir(parents=True)
    (builds / "of-another-checkout-0" / "file").write_bytes(bytes(2_000_000))
    assert main(["jdks", "list"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"2.0 MB in {builds}, of every checkout: builds, jtreg, Maven, jars"


def test_verify_without_a_name_covers_the_tools_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def verify(self: Holdings, entries: object, with_tools: bool) -> Iterator[VerifiedInstall]:
        yield VerifiedInstall("temurin-17", 2_000_000, 1.0, None)
        yield VerifiedInstall("temurin-17.0.3+7", 1_000_000, 1.0, None, is_vouched=False)
        if with_tools:
            yield VerifiedInstall("jtreg", 0, 1.0, "lib/jtreg.jar is missing")

    monkeypatch.setattr(Holdings, "verify", verify)
    assert main(["jdks", "verify", "temurin-17*"]) == 0
    first, second, last = capsys.readouterr().out.splitlines()
    assert first.endswith("intact      2.0 MB  2 MB/s")
    assert second.endswith("1 MB/s  by installed.json alone: no tree hash in jdks.lock")
    assert last.startswith("2 installs, 0 changed; 3.0 MB")
    assert main(["jdks", "verify"]) == 1
    out = capsys.readouterr().out
    assert "jtreg                CHANGED  lib/jtreg.jar is missing" in out


@pytest.mark.parametrize("names", ["", " debian-26", " 'temurin-17*' debian-8"])
def test_of_what_is_not_cached_verify_says_how_to_get_it(
    names: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path))
    assert main(["jdks", "verify", *shlex.split(names)]) == 3
    get = f"get them: scripts/matrix jdks fetch{names}\n"
    assert capsys.readouterr().err == f"matrix: none of these builds is cached; {get}"


class TestPrune:
    @pytest.fixture
    def cache(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A cache with two installs that no lock names, not used since 1970."""
        monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path))
        for name in ("a-0", "b-0"):
            (tmp_path / "builds" / name).mkdir(parents=True)
            os.utime(tmp_path / "builds" / name, (0, 0))
        return tmp_path

    def test_what_is_unneeded_goes(self, cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["jdks", "prune", "--dry-run"]) == 0
        assert capsys.readouterr().out.count("would go") == 2
        assert main(["jdks", "prune"]) == 0
        assert capsys.readouterr().out.count("removed") == 2
        assert list((cache / "builds").iterdir()) == []

    def test_two_at_once_share_the_work(
        self, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        look = Holdings.list_unneeded

        def and_then_another_prunes(self: Holdings, unused_days: float) -> list[Path]:
            folders = look(self, unused_days)
            shutil.rmtree(folders[0])
            return folders

        monkeypatch.setattr(Holdings, "list_unneeded", and_then_another_prunes)
        assert main(["jdks", "prune"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert [line.split()[0] for line in lines] == ["b-0", "0.0"]

    def test_a_cache_that_others_own_is_one_line(
        self, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def deny(self: Path, target: Path) -> Path:
            raise PermissionError(13, "Permission denied", str(self))

        monkeypatch.setattr(Path, "rename", deny)
        assert main(["jdks", "prune"]) == 2
        lines = capsys.readouterr().err.splitlines()
        assert lines == [f"matrix: {cache / 'builds' / 'a-0'}: cannot be pruned: Permission denied"]


def test_nor_is_a_lack_of_memory_that_shows_as_another_error(
    supplier: Callable[..., SimultaneousSupplier],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def format_exc() -> str:
        raise MemoryError

    supplier(ZeroDivisionError("by zero"))
    monkeypatch.setattr("traceback.format_exc", format_exc)
    assert main(["jdks", "fetch"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith("matrix: out of memory; to fix it: ")
    assert not any(line.startswith("Traceback") for line in lines)
