# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Whatever a file holds that the kit reads, it is read, or refused in one line, and at once.

One table has every reader of a file; the records of a run, YAML, recordings, thread dumps and the
answers of servers have tests of their own beside it, with words of their kinds.
"""

import gzip
import random
import struct
import tarfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import strategies as st

from jdkmatrix.config.run_lines import read_header
from jdkmatrix.config.suite import (
    find_tests,
    group_members,
    quiet_tests,
    read_groups,
    read_problems,
)
from jdkmatrix.errors import KitError, UsageError
from jdkmatrix.evidence.debug_lines import debug_lines
from jdkmatrix.evidence.digest import parse_digest
from jdkmatrix.grading.cell_recordings import read_digest, read_hangs
from jdkmatrix.grading.stored_results import read_results
from jdkmatrix.history.reader import HistoryQuery, answer
from jdkmatrix.history.stored_runs import add, add_waiting, let_wait
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.machine.endings import complaint_in
from jdkmatrix.machine.files import content_of, text_of
from jdkmatrix.machine.trees import remove
from jdkmatrix.overlay.class_files import class_name
from jdkmatrix.overlay.jdk_sources import SourceZip
from jdkmatrix.overlay.overlay_request import OverlayRequest
from jdkmatrix.overlay.patch import PatchError, apply, parse_patch
from jdkmatrix.records.store import read_blocks
from jdkmatrix.report.since import changes_since
from jdkmatrix.run.cells.jtreg import read_result
from jdkmatrix.run.samples.sample_jvm import read_sample
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.cache.jdks_lock import LockFile
from jdkmatrix.supply.discovery import discover_jdks, why_no_tool_jdk
from jdkmatrix.supply.jars.jar_cache import read_jars_lock
from jdkmatrix.supply.jdk_facts import listed_modules
from jdkmatrix.supply.platform import machine_platform
from jdkmatrix.supply.unpack.archive import unpack
from jdkmatrix.supply.unpack.bound_program import is_started_by_a_loader, sha256_unbound
from jdkmatrix.supply.vendor_index import VendorIndex
from tests.conftest import ROOT
from tests.flow.test_resumed_throughput import make_plan, store_blocks
from tests.fuzz import fuzz
from tests.history.kit import made_run, made_speed, store_runs
from tests.readers_of_answers import Reader, readers_of_answers, zip_of
from tests.run.cells.test_runner import BUILD

REFUSALS = (KitError, SourceError)
LONGEST_LINE = 5_000
ODD = [
    *(b"\x00", b"\xff\xfe", b"\n", b"\r", b'"', b"9" * 5_000, b"-1", b"1e999", b"NaN", b"\\ud800"),
    *(b"../../x", b"/etc/passwd", b"-oX=y", b"a b", b"; id #", b"$(id)", b"\x1b[2J", b"@", b"="),
    *(b"x" * 300_000, b"[" * 100_000, b"{" * 3_000, b"\n" * 30_000, b" " * 30_000, b"\t*" * 9_000),
    *(b"2026-13-45T99:99:99Z", b"\xe2\x80\xa8", b"\\\n" * 9_000, b"null", b"true", b"{}", b"[]"),
]
PLACE = "src/java.base/share/classes/java/net/URL.java"
BLANK = " "
DIFF = f"""\
diff --git a/{PLACE} b/{PLACE}
index 0123456..89abcde 100644
--- a/{PLACE}
+++ b/{PLACE}
@@ -1,4 +1,4 @@
 package java.net;
{BLANK}
-class URL {{ }}
+class URL {{ int a; }}
 // end
"""
SOURCE = "package java.net;\n\nclass URL { }\n// end\n"
TEST = """\
/*
 * @test
 * @key quiet
 * @bug 8293562
 * @library /lib
 * @build Lib
 * @requires jdk.version.major >= 11
 * @run main/othervm/timeout=60 A subject
 */
class A { }
"""
JTR = "#Test Results\nexecStatus=Failed. Execution failed\\: x\nelapsed=123 0\\:00\\:00.123\n"
TOOLCHAINS = "<toolchains><a><jdkHome>/jdk</jdkHome></a></toolchains>"


def tar_of() -> bytes:
    output = BytesIO()
    with tarfile.open(fileobj=output, mode="w") as archive:
        for name in ("jdk/bin/java", "jdk/release"):
            member = tarfile.TarInfo(name)
            member.size = 3
            archive.addfile(member, BytesIO(b"abc"))
    return gzip.compress(output.getvalue())


def class_file() -> bytes:
    texts = [b"java/net/URL", b"java/lang/Object"]
    pool = b"".join(struct.pack(">BH", 1, len(text)) + text for text in texts)
    pool += struct.pack(">BHBH", 7, 1, 7, 2)
    return struct.pack(">IHHH", 0xCAFEBABE, 0, 52, 5) + pool + struct.pack(">HHH", 0x21, 3, 4)


def history(folder: Path) -> bytes:
    place = folder / "history" / "history.sqlite"
    store_runs(place, made_run(1), made_speed(2, 1.0))
    return place.read_bytes()


def waiting(folder: Path) -> bytes:
    let_wait(folder / "waiting" / "history.sqlite", made_run(1), ())
    (place,) = (folder / "waiting" / "history.waiting").iterdir()
    return place.read_bytes()


def block(folder: Path) -> bytes:
    (comparison,) = make_plan().comparisons
    store_blocks(folder / "blocks", comparison, 1)
    (place,) = (folder / "blocks").rglob("block-01.json")
    return place.read_bytes()


def apply_all(path: Path) -> None:
    try:
        for file in parse_patch(text_of(path, errors="replace")):
            apply(SOURCE, file)
    except PatchError as error:
        raise UsageError(f"--overlay-patch {path}: {error}") from None


def read_suite(path: Path) -> None:
    """All that is read of a user's suite, with one file of it damaged."""
    folder = path.parent
    for name, text in (
        ("TEST.ROOT", "exclusiveAccess.dirs = a b\n"),
        ("TEST.groups", "g = :h A.java\nh = B.java \\\n -A.java\n# c\n"),
        ("ProblemList.txt", "# why\nA.java 8293562 generic-all\n"),
        ("A.java", TEST),
    ):
        if name != path.name:
            (folder / name).write_text(text)
    tests = find_tests(folder)
    quiet_tests(folder, tests)
    groups = read_groups(folder)
    read_problems(folder, {"generic-all"})
    for name in list(groups)[:3]:
        group_members(groups, name, tests)


def read_class_name(path: Path) -> str:
    try:
        return class_name(content_of(path))
    except ValueError:  # as it says
        return ""


def unpack_overlay(path: Path) -> object:
    request = OverlayRequest.from_options(str(path), None)
    return request and request.unpack(path.with_name("unpacked"))


def read_sources(path: Path) -> object:
    source_zip = SourceZip(path, "x", is_own=True)
    place = source_zip.find(f"a/{PLACE}")
    return place and source_zip.read(place)


def read_home(path: Path) -> object:
    """As files of the user's home."""
    home = path.parent
    (home / ".gradle").mkdir()
    (home / ".m2").mkdir()
    (home / ".gradle" / "gradle.properties").write_bytes(path.read_bytes())
    (home / ".m2" / "toolchains.xml").write_bytes(path.read_bytes())
    return discover_jdks(home, {}, lambda _: None, ())


def read_history(path: Path) -> None:
    answer(path, HistoryQuery())
    add(path, made_run(3))


def read_waiting(path: Path) -> None:
    place = path.parent / "history.waiting" / "0.json"
    place.parent.mkdir()
    path.rename(place)
    add_waiting(path.parent / "history.sqlite")


def make_readers(folder: Path) -> Iterator[Reader]:
    results = made_speed(2, 1.0).to_json().encode()
    lock = (ROOT / "jdks.lock").read_bytes()
    jars = (ROOT / "jtreg" / "jars.lock").read_bytes()
    elf = Path("/proc/self/exe").read_bytes()[:4_000]
    yield from readers_of_answers(BUILD, class_file())
    yield Reader("jdks.lock", lock, lambda path: LockFile(path).last_builds())
    yield Reader("jars.lock", jars, read_jars_lock)
    yield Reader("history.sqlite", history(folder), read_history)
    yield Reader("waiting.json", waiting(folder), read_waiting)
    yield Reader(
        "results.json",
        results,
        lambda path: changes_since(read_results(path), made_speed(2, 1.0)),
    )
    yield Reader("block-01.json", block(folder), lambda path: list(read_blocks(path.parent)))
    yield Reader(
        "sample.json", b'{"schema": 1, "void": "x"}', lambda path: read_sample(path.parent)
    )
    yield Reader("digest.json", b'{"schema": 1, "recordings": []}', read_digests)
    yield Reader("fix.diff", DIFF.encode(), apply_all)
    yield Reader("A.class", class_file(), read_class_name)
    yield Reader("classes.jar", zip_of({"java/net/URL.class": "x"}), unpack_overlay)
    yield Reader("src.zip", zip_of({"java.base/java/net/URL.java": SOURCE}), read_sources)
    yield Reader("jdk.tar.gz", tar_of(), lambda path: unpack(path, path.with_name("t"), "x"))
    yield Reader(
        "jdk.zip",
        zip_of({"jdk/bin/java": "x"}),
        lambda path: unpack(path, path.with_name("t"), "x"),
    )
    yield Reader(
        "index.jar", zip_of({"a": "{}"}), lambda path: VendorIndex.read([path], machine_platform())
    )
    for name, text in (
        ("TEST.ROOT", "exclusiveAccess.dirs = a b \\\n c\n"),
        ("TEST.groups", "g = :h A.java\nh = B.java \\\n -A.java\n# c\n"),
        ("ProblemList.txt", "# why\nA.java 8293562 generic-all\n"),
        ("A.java", TEST),
    ):
        yield Reader(name, text.encode(), read_suite)
    yield Reader("B.java", TEST.encode(), read_header)
    yield Reader("release", b'JAVA_VERSION="17.0.9"\nMODULES="a b"\nLIBC="gnu"\n', read_release)
    yield Reader("gradle.properties", b"org.gradle.java.installations.paths=/a,/b\n", read_home)
    yield Reader("toolchains.xml", TOOLCHAINS.encode(), read_home)
    yield Reader(
        "A.jtr", JTR.encode(), lambda path: read_result(path.parent, path, ChildEnd.FINISHED, 1)
    )
    yield Reader("jvm-1.log", b"# A fatal error\nException: x\n\tat a.b\n" * 20, read_log)
    yield Reader(
        "java", elf, lambda path: (is_started_by_a_loader(path), sha256_unbound(path, path))
    )


def read_digests(path: Path) -> object:
    return read_digest(path.parent), parse_digest(path.read_bytes())


def read_release(path: Path) -> object:
    return listed_modules(path.parent), why_no_tool_jdk(path.parent)


def read_log(path: Path) -> object:
    return complaint_in(path), debug_lines(path.parent), read_hangs(path.parent)


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reader]:
    folder = tmp_path_factory.mktemp("readers")
    return {reader.name: reader for reader in make_readers(folder)}


def damage(content: bytes, chance: random.Random) -> bytes:
    """The same, with bytes or words changed, lost, twice or put in, or cut."""
    for _ in range(chance.choice([1, 1, 2, 4])):
        begin = chance.randrange(len(content) + 1)
        length = chance.choice([0, 1, 4, 40, len(content)])
        patch = chance.choice(
            [chance.choice(ODD), chance.choice(ODD), chance.randbytes(4), content[begin:][:length]]
        )
        end = begin + chance.choice([0, len(patch), length])
        content = content[:begin] + patch + content[min(end, len(content)) :]
    return content[: 1 << 20]


def refusal_of(reader: Reader, content: bytes, folder: Path) -> str:
    """In what line the content is refused; "" if it is taken."""
    remove(folder)
    folder.mkdir()
    path = folder / reader.name
    path.write_bytes(content)
    try:
        reader.read(path)
    except REFUSALS as error:
        line = str(error)
        assert "\n" not in line, (reader.name, line[:300])
        assert len(line) < LONGEST_LINE, (reader.name, line[:300])
        return line
    return ""


def test_what_is_damaged_here_is_right_as_it_is(readers: dict[str, Reader], tmp_path: Path) -> None:
    refusals = {
        name: refusal_of(reader, reader.content, tmp_path / "x") for name, reader in readers.items()
    }
    # It has an index of another kind of machine alone.
    assert refusals.pop("index.jar").startswith("no index of JDKs")
    assert {name: line for name, line in refusals.items() if line} == {}


@pytest.mark.slow
@fuzz(300, seed=st.integers(0, 1 << 32))
def test_damaged_files(
    readers: dict[str, Reader], tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    chance = random.Random(seed)
    reader = readers[chance.choice(sorted(readers))]
    folder = tmp_path_factory.getbasetemp() / "damaged"
    refusal_of(reader, damage(reader.content, chance), folder)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("index.jar", b"PK\x01\x02\x14\x03\x14", b"PK\x01\x02\x14\x03\x79"),
        ("B.java", b">= 11", b">= " + b"1" * 5_000),
        ("java", b"@" + bytes(7), b"\xff" * 8),
        ("A.jtr", b"123 ", b"9" * 5_000 + b" "),
        ("sample.json", b"1", b"[" * 100_000),
        ("pattern.txt", b"{2,9}", b"{" + b"9" * 5_000 + b"}"),
        ("pattern.txt", b"(?P<a>CR)", b"(" * 3_000 + b")" * 3_000),
        ("program.jar", b"\x14\x00\x00\x00\x08\x00", b"\x14\x00\x00\x00\x09\x00"),
        ("sources.diff", b"/URL.java", b"/" + b"x" * 300 + b".java"),
        ("fix.diff", b"@@ -1", b"@@ -" + b"9" * 5_000),
        ("bisection.json", b"[", b"[" * 100_000),
        ("src.zip", bytes(4) + b"java.base/", bytes(4) + b"java.base\n"),
        ("release", b"17.", b"9" * 5_000 + b"."),
        ("home.txt", b"jdk", b"jdk" * 2_000),
        ("bisection.json", b"first", b"\\ud800"),
        ("left.json", b"1", b"9" * 5_000),
        ("left.json", b"[", b"[" * 100_000),
        ("left.json", b'"a"', b'"\\ud800"'),
        ("waiting.json", b'"id":"temurin-17.0.9+9"', b'"id":"temurin-17.0.9+8"'),
    ],
)
def test_what_was_found_by_chance(
    readers: dict[str, Reader], tmp_path: Path, name: str, old: bytes, new: bytes
) -> None:
    content = readers[name].content.replace(old, new, 1)
    assert content != readers[name].content
    refusal_of(readers[name], content, tmp_path / "x")
