# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""An archive of classes is made once for each build; a JVM that can't use it runs without.

The JVM is played by a shell script; at the end of the file by a real one.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

from jdkmatrix.config.run_lines import Header, RunLine, read_header
from jdkmatrix.config.suite import find_tests
from jdkmatrix.machine.children import Children
from jdkmatrix.machine.java_program import JavaProgram
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import BuildRecord, OverlayRecord
from jdkmatrix.run.cells.class_archives import LEAST_TESTS, ClassArchives
from jdkmatrix.run.cells.othervm import CompiledTest, OtherVm
from tests.run.cells.test_runner import BUILD, task_of

# It lists and dumps as HotSpot does, and says how it was started.
HOTSPOT = """#!/bin/sh
echo "$*" >> "$(dirname "$0")/../started.txt"
for option; do
  case $option in
    -XX:SharedArchiveFile=*) archive=${option#*=} ;;
    -XX:DumpLoadedClassList=*) printf '%s\\n' $LISTED > "${option#*=}" ;;
    -XX:SharedClassListFile=*) cp "${option#*=}" "$archive" ;;
    -Xshare:on) grep -q . "$archive" || { echo 'Unable to use shared archive.'; exit 1; } ;;
  esac
done
"""
LISTED = "'java/lang/Object id: 0' '# Java' 'Mine id: 7 super: 0 source: /x' java/net/Socket"


@pytest.fixture
def build(tmp_path: Path) -> BuildRecord:
    return build_with(tmp_path, HOTSPOT.replace("$LISTED", LISTED))


def build_with(tmp_path: Path, script: str, **changes: object) -> BuildRecord:
    home = tmp_path / "jdk"
    (home / "bin").mkdir(parents=True, exist_ok=True)
    (home / "lib").mkdir(exist_ok=True)
    (home / "lib" / "modules").touch()
    (home / "bin" / "java").write_text(script)
    (home / "bin" / "java").chmod(0o755)
    return BUILD.model_copy(update={"home": str(home), **changes})


@pytest.fixture(autouse=True)
def no_compiler(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if "tool_jdk" not in request.fixturenames:
        monkeypatch.setattr(JavaProgram, "compile", lambda _: Path("/classes"))


class Archives:
    """The archives of a new run, on the same cache as those of the runs before."""

    def __init__(self, tmp_path: Path, *, makes: bool = True, tool_jdk: Path = Path("/x")) -> None:
        self.notices: list[str] = []
        self.cache = tmp_path / "archives"
        self.archives = ClassArchives(
            Checkout.current(), tool_jdk, self.notices.append, self.cache, makes
        )

    def options(self, build: BuildRecord) -> tuple[str, ...]:
        return self.archives.options(build, Children())


def starts(build: BuildRecord) -> list[str]:
    path = Path(build.home) / "started.txt"
    return path.read_text().splitlines() if path.exists() else []


def archive_in(options: tuple[str, ...]) -> Path:
    return Path(options[1].removeprefix("-XX:SharedArchiveFile="))


def test_it_is_made_once_of_what_two_tests_load(tmp_path: Path, build: BuildRecord) -> None:
    options = Archives(tmp_path).options(build)
    assert options[::2] == ("-Xlog:cds*=off", "-Xshare:auto")
    assert archive_in(options).read_text() == "java/lang/Object\njava/net/Socket\n"
    assert len(starts(build)) == 4  # two samples, a dump, a trial
    later = Archives(tmp_path)
    assert [later.options(build) for _ in range(3)] == [options] * 3
    assert len(starts(build)) == 5  # a trial a run
    assert "-Xshare:on" in starts(build)[4]


def test_jdk_8_has_one_without_java_net_http(tmp_path: Path, build: BuildRecord) -> None:
    old = build.model_copy(update={"train": 8})
    assert Archives(tmp_path).options(old)[0] == "-XX:+UnlockDiagnosticVMOptions"
    assert len(starts(build)) == 3


def test_a_short_run_makes_none_and_uses_one_that_is_there(
    tmp_path: Path, build: BuildRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = Archives(tmp_path, makes=False)
    assert (short.options(build), short.notices, starts(build)) == ((), [], [])
    options = Archives(tmp_path).options(build)
    assert Archives(tmp_path, makes=False).options(build) == options
    monkeypatch.setattr("jdkmatrix.run.cells.class_archives.cache_root", lambda: tmp_path)
    checkout, notice = Checkout.current(), short.notices.append
    makes = [
        ClassArchives.of_checkout(checkout, tmp_path, notice, count).makes
        for count in (LEAST_TESTS - 1, LEAST_TESTS)
    ]
    assert makes == [False, True]


def test_an_overlay_has_none(tmp_path: Path, build: BuildRecord) -> None:
    overlay = OverlayRecord(name="x", option="--overlay x", sha256="", java_options=(), note="")
    assert Archives(tmp_path).options(build.model_copy(update={"overlay": overlay})) == ()
    assert starts(build) == []


def test_a_damaged_one_is_made_again(tmp_path: Path, build: BuildRecord) -> None:
    options = Archives(tmp_path).options(build)
    archive = archive_in(options)
    content = archive.read_bytes()
    archive.write_bytes(content[:5])
    later = Archives(tmp_path)
    assert (later.options(build), later.notices) == (options, [])
    assert archive.read_bytes() == content


def test_with_other_classes_it_is_another_and_the_old_one_goes(
    tmp_path: Path, build: BuildRecord
) -> None:
    old = archive_in(Archives(tmp_path).options(build))
    os.utime(Path(build.home) / "lib" / "modules", (1, 1))
    new = archive_in(Archives(tmp_path).options(build))
    assert new != old
    assert [path.name for path in (tmp_path / "archives").iterdir()] == [new.parent.name]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("#!/bin/sh\necho 'Cannot dump.'; exit 1\n", "its JVM lists no classes"),
        (HOTSPOT.replace("cp ", ": "), "its JVM wrote none"),
        (HOTSPOT.replace("grep -q .", "false"), "its JVM refuses it: Unable to use shared archive"),
    ],
)
def test_a_jvm_that_refuses_runs_without_and_that_is_told_once(
    tmp_path: Path, script: str, reason: str
) -> None:
    build = build_with(tmp_path, script.replace("$LISTED", LISTED))
    archives = Archives(tmp_path)
    assert [archives.options(build) for _ in range(3)] == [()] * 3
    (notice,) = archives.notices
    assert notice.startswith(f"{build.id}: without a class-data archive, so slower: {reason}")


def test_without_a_place_for_it_the_tests_run(tmp_path: Path, build: BuildRecord) -> None:
    (tmp_path / "archives").write_text("a file")
    archives = Archives(tmp_path)
    assert archives.options(build) == ()
    assert len(archives.notices) == 1


def test_a_run_that_is_stopped_says_nothing(tmp_path: Path, build: BuildRecord) -> None:
    children, archives = Children(), Archives(tmp_path)
    children.stop()
    assert archives.archives.options(build, children) == ()
    assert archives.notices == []


@pytest.mark.parametrize(("keys", "maps"), [("waits", True), ("waits memory", False)])
def test_a_test_that_measures_memory_goes_without(
    tmp_path: Path, build: BuildRecord, keys: str, maps: bool
) -> None:
    header = Header((RunLine("A"),), (), keys=frozenset(keys.split()))
    test = CompiledTest(header, tmp_path / "classes")
    archives = Archives(tmp_path).archives
    runner = OtherVm(tmp_path, {"A.java": test}, tmp_path, tmp_path, archives=archives)
    folder = tmp_path / "cell"
    task = task_of(build, "A.java")
    runner.run(task, folder, Children())
    assert ("SharedArchiveFile" in starts(build)[-1]) is maps


def test_each_test_that_measures_memory_says_so() -> None:
    suite = Checkout.current().suite
    signs = re.compile(
        r"\b(?:AllocatedBytes|LiveObjects|MemoryMXBean|getMemoryMXBean|MemoryPoolMXBean"
        r"|(?:free|total)Memory|ClassLoadingMXBean|getClassLoadingMXBean)\b"
    )
    measuring = {
        test
        for test in find_tests(suite)
        if not test.startswith("throughput/") and signs.search((suite / test).read_text("utf-8"))
    }
    with_key = {test for test in find_tests(suite) if "memory" in read_header(suite / test).keys}
    assert measuring == with_key
    assert len(with_key) > 3


@pytest.mark.jdk
@pytest.mark.slow
def test_a_real_jvm_maps_the_classes_of_tls_and_says_nothing(
    tmp_path: Path, tool_jdk: Path
) -> None:
    build = BUILD.model_copy(update={"home": str(tool_jdk)})
    archives = Archives(tmp_path, tool_jdk=tool_jdk)
    options = archives.options(build)
    assert archives.notices == []

    def output_of(*arguments: str) -> str:
        command = [str(tool_jdk / "bin" / "java"), *options, *arguments, "-version"]
        process = subprocess.run(command, capture_output=True, text=True, check=True)
        return process.stdout

    origin = "java.lang.Object source: shared objects file"
    assert origin in output_of("-Xlog:class+load")
    archive = archive_in(options)
    content = archive.read_bytes()
    for name in (b"sun/security/ssl/SSLSocketImpl", b"jdk/internal/net/http/HttpClientImpl"):
        assert name in content
    archive.chmod(0o644)
    for damage in (b"", b"\0" * 4096, content[: 1 << 20]):
        archive.write_bytes(damage)
        assert origin not in output_of("-Xlog:class+load")
        assert output_of() == ""  # refused, in silence
    archive.unlink()
    assert output_of("-XX:-UseCompressedOops") == ""
