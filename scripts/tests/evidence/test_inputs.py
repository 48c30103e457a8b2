# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Folders, archives, recordings in them, versions, other formats: what is read, what is refused."""

import gzip
import shutil
import struct
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from jdkmatrix.evidence.digest import Digester, Recording, Unreadable
from tests.evidence.dump_texts import Thread
from tests.evidence.shapes import BASE

pytestmark = pytest.mark.jdk
Read = Mapping[str, Recording | Unreadable]

RUNS = Thread("main", ("shop.Main.main",)).text(1)
# Of the first line of a dump, and what JDK it is.
VERSIONS = {
    "25.402-b06-fastdebug compiled mode": "8u402",
    "25.71-b01-dcevmlight-26 mixed mode": "8u71",
    "25.0-b70 mixed mode": "8",
    "24.80-b11 mixed mode": "7u80",
    "24.0-b56 mixed mode": "7",
    "23.7-b01 mixed mode": "7",
    "20.45-b01 mixed mode": "6",
    "11.0-b15 mixed mode, sharing": "6",
    "1.6.0-b105 mixed mode": "6",
    "11.0.13+8 mixed mode, sharing": "11.0.13+8",
    "28-ea+18 mixed mode": "28-ea+18",
}
FRAMES_OF_11 = RUNS.replace("shop.Main.main(", "java.lang.Thread.run(java.base@11.0.13/")
# What is another format, and what is said of it.
FOREIGN = {
    "javacore": (
        "0SECTION       TITLE subcomponent dump routine\nNULL\n1TISIGINFO     Dump Event\n",
        "is a javacore of OpenJ9; accepted: its threads by JMX,",
    ),
    "jstack -F": (
        "Attaching to process ID 4711, please wait...\n\nThread 31: (state = BLOCKED)\n"
        " - a.B.c() @bci=0, line=156 (Interpreted frame)\n",
        "is the output of jstack -F or jhsdb jstack, which names no locks; accepted: jcmd PID"
        " Thread.print -l, or kill -3 PID",
    ),
    "dump_to_file": (
        '4711\n2026-11-20T10:00:00Z\n21.0.8+9\n\n#1 "main"\n      a.B.c(B.java:1)\n',
        "is the text of Thread.dump_to_file; accepted: jcmd PID Thread.print -l, or ",
    ),
    "jstack, refused": (
        "$ jstack 12\n12: Unable to open socket file: target process not responding\n",
        "is what jcmd or jstack says of a JVM that it does not reach; accepted: jcmd PID",
    ),
    "jcmd, refused": (
        "12:\ncom.sun.tools.attach.AttachNotSupportedException: Unable to open socket file\n",
        "is what jcmd or jstack says of a JVM that it does not reach; accepted: jcmd PID",
    ),
    "jfr print": (
        "jdk.JavaMonitorEnter {\n  startTime = 10:00:00.123\n",
        "is what jfr print shows of a recording; accepted: the recording (.jfr) itself",
    ),
    "histogram": (
        " num     #instances         #bytes  class name (module)\n---\n",
        "is a histogram of classes, without threads; accepted: jcmd PID Thread.print -l",
    ),
    "heads": (
        '"w-1" #21 daemon prio=5 os_prio=0 tid=0x7f nid=0x1 runnable  [0x00007f0000001000]\n',
        "is a list of threads without their stacks; accepted: jcmd PID Thread.print -l, whole",
    ),
    "Go": ("goroutine 1 [running]:\nmain.main()\n", "is a dump of Go's goroutines; accepted: "),
    "Python": (
        'Thread 0x00007f12 (most recent call first):\n  File "a.py"\n',
        "is a dump of Python",
    ),
    "py-spy": ('Thread 12 (idle): "MainThread"\n    wait (a.py:1)\n', "is a dump of Python's thr"),
    ".NET": ("OS Thread Id: 0x1a2b (0)\n", "is a dump of .NET's threads; accepted: "),
    "gdb": ("Thread 1 (Thread 0x7f12 (LWP 4)):\n#0  0x1 in poll ()\n", "is a backtrace of gdb or "),
    "hs_err": (
        "#\n# A fatal error has been detected by the Java Runtime Environment:\n",
        "is a crash report of the JVM (hs_err); accepted: ",
    ),
    "Android": (
        'DALVIK THREADS (15):\n"main" prio=5 tid=1 Blocked\n  at a.B.c(B.java:1)\n',
        "is a dump of Android's runtime; accepted: ",
    ),
    "JRockit": ("===== FULL THREAD DUMP ===============\n", "is a dump of JRockit; accepted: "),
    "hot threads": (
        "   100.0% (500ms out of 500ms) cpu usage by thread 'write'\n     a.B.c(B.java:1)\n",
        "is a list of Elasticsearch's hot threads, which names no locks; accepted: ",
    ),
    "hprof": ("JAVA PROFILE 1.0.1, created Fri Nov 20\n", "is a profile of hprof; accepted: "),
    "coroutines": (
        'Coroutine "c#2":Job{Active}@1, state: SUSPENDED\n\tat a.B.c(B.kt:1)\n',
        "is a dump of Kotlin's coroutines; accepted: ",
    ),
    "jdb": ("main:\n  [1] a.B.c (B.java:1)\n", "is the output of jdb; accepted: "),
    "YourKit": ("Stacks at 2026-11-20 (uptime 1:04)\n", "is a text of YourKit; accepted: "),
    "jboss-cli": (
        '    "thread-name" => "main",\n',
        "is a reply of jboss-cli; accepted: jboss-cli.sh --output-json",
    ),
    "collapsed": ("main;a.B.c;d.E.f;g.H 12\n", "is collapsed stacks, as of async-profiler; accep"),
}
MONITOR_CYCLE = """\
Found one Java-level deadlock:
=============================
"first":
  waiting to lock monitor 0x00007f8c1c003ae8 (object 0x00000000d7c0f8c8, a shop.Till),
  which is held by "second"
"second":
  waiting to lock monitor 0x00007f8c1c006168 (object 0x00000000d7c0f8d8, a shop.Till),
  which is held by "first"

Java stack information for the threads listed above:
===================================================
"first":
\tat shop.Till.pay(Till.java:20)
\t- waiting to lock <0x00000000d7c0f8c8> (a shop.Till)
\t- locked <0x00000000d7c0f8d8> (a shop.Till)
"second":
\tat shop.Till.count(Till.java:10)
\t- waiting to lock <0x00000000d7c0f8d8> (a shop.Till)
\t- locked <0x00000000d7c0f8c8> (a shop.Till)

Found 1 deadlock.
"""
SYNC = "java.util.concurrent.locks.ReentrantLock$NonfairSync"
LOCK_CYCLE = (
    MONITOR_CYCLE.replace("waiting to lock monitor", "waiting for ownable synchronizer")
    .replace("0x00007f8c1c003ae8 (object ", "")
    .replace("0x00007f8c1c006168 (object ", "")
    .replace(", a shop.Till)", f", (a {SYNC})")
    .replace("- waiting to lock ", "- parking to wait for  ")
    .replace("(a shop.Till)", f"(a {SYNC})")
)
LOCK_CYCLE = "".join(line for line in LOCK_CYCLE.splitlines(True) if "- locked" not in line)
TEXTS = {
    **{head: f"Full thread dump VM ({head}):\n\n{RUNS}\n" for head in VERSIONS},
    "frames of 11": FRAMES_OF_11,
    **{name: content for name, (content, _) in FOREIGN.items()},
    "monitors": MONITOR_CYCLE,
    "monitors, quoted": "".join(f"> {line}\n" for line in MONITOR_CYCLE.splitlines()),
    "locks": LOCK_CYCLE,
    "a name in quotes": 'ERROR "GET /x" #1 failed\njava.io.IOException: x\n\tat a.B.c(B.java:1)\n',
    "virtual": "Full thread dump VM (25.0.2+10 mixed mode):\n\n"
    + "".join(
        f'"want-{n}" #{n} prio=5 tid=0x{n} nid=0x{n} waiting for monitor entry\n'
        "   java.lang.Thread.State: BLOCKED (on object monitor)\n"
        "\tat shop.Till.pay(Till.java:5)\n"
        "\t- waiting to lock <0x00000000000000a1> (a shop.Till)\n\n"
        for n in (31, 32)
    )
    + '"ForkJoinPool-1-worker-1" #22 [7] daemon prio=5 cpu=146.20ms elapsed=1.67s tid=0x22\n'
    "   Carrying virtual thread #21\n\tat jdk.internal.vm.Continuation.run(Any.java:1)\n"
    "   Mounted virtual thread #21\n\tat shop.Till.spin(Till.java:7)\n"
    "\t- locked <0x00000000000000a1> (a shop.Till)\n\tat java.lang.VirtualThread.run(Any.java:1)\n",
}


@pytest.fixture(scope="module")
def read(digester: Digester, tmp_path_factory: pytest.TempPathFactory) -> Read:
    """What is read of each text, by its name."""
    folder = tmp_path_factory.mktemp("texts")
    files = {name: folder / str(number) for number, name in enumerate(TEXTS)}
    for name, file in files.items():
        file.write_text(TEXTS[name])
    entries = digester.digest([*files.values()]).recordings
    return dict(zip(files, entries, strict=True))


def recording_of(entry: Recording | Unreadable) -> Recording:
    assert isinstance(entry, Recording), entry.error
    return entry


@pytest.mark.parametrize("head", VERSIONS)
def test_hotspots_version_becomes_the_jdks(read: Read, head: str) -> None:
    assert recording_of(read[head]).jvm.version == VERSIONS[head]


def test_frames_have_a_version_too(read: Read) -> None:
    assert recording_of(read["frames of 11"]).jvm.version == "11.0.13"


@pytest.mark.parametrize("name", FOREIGN)
def test_another_format_is_named_with_what_to_take_instead(read: Read, name: str) -> None:
    entry = read[name]
    assert isinstance(entry, Unreadable)
    assert entry.error.startswith(FOREIGN[name][1])
    assert "; accepted: " in entry.error and "\n" not in entry.error


@pytest.mark.parametrize("name", ["monitors", "monitors, quoted", "locks"])
def test_a_deadlock_by_itself_is_read(read: Read, name: str) -> None:
    hang = recording_of(read[name]).hang
    assert hang
    (cycle,) = hang.deadlocks
    assert {(link.thread, link.owner) for link in cycle} == {
        ("first", "second"),
        ("second", "first"),
    }


def test_a_name_in_quotes_with_a_number_is_no_thread(read: Read) -> None:
    assert isinstance(read["a name in quotes"], Unreadable)


def test_a_mounted_virtual_thread_is_a_thread_of_its_own(read: Read) -> None:
    recording = recording_of(read["virtual"])
    (row,) = recording.lock_waits
    (holder,) = row.holders
    assert (holder.thread, holder.frame) == ("virtual thread #21", "shop.Till.spin")
    assert recording.threads == 4
    # Where its carrier is says nothing more.
    assert {group.names[0] for group in recording.stacks} == {"want-31", "virtual thread #21"}


@pytest.fixture(scope="module")
def package_folder(recording: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder, and archives of it: two dumps of a service, a recording, and a note."""
    home = tmp_path_factory.mktemp("packed")
    folder = home / "folder" / "logs"
    folder.mkdir(parents=True)
    (folder / "app.log").write_text(BASE)
    (folder / "notes.md").write_text("What I did.\n")
    shutil.copy(recording, folder / "app.jfr")
    with zipfile.ZipFile(home / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, f"logs/{file.name}")
    for name, mode in (("all.tar", "w"), ("all.tgz", "w:gz")):
        with tarfile.open(home / name, mode) as tar:  # type: ignore[call-overload]
            tar.add(home / "folder" / "logs", "logs")
    with gzip.open(home / "app.jfr.gz", "wb") as gzip_file:
        gzip_file.write(recording.read_bytes())
    return home


YEAR_NS = 365 * 86_400 * 10**9
START_AT = 32  # of a chunk's header: when it begins, in ns since 1970
PACKAGES = ("folder", "all.zip", "all.tar", "all.tgz")
GZIPPED, GAP = "app.jfr.gz", "gap.jfr"


@pytest.fixture(scope="module")
def entries(
    digester: Digester, package_folder: Path, recording: Path
) -> Mapping[str, list[Recording | Unreadable]]:
    """What one JVM reads of all that is made of the recording, by name, and of itself: ""."""
    content = recording.read_bytes()
    (start_ns,) = struct.unpack_from(">q", content, START_AT)
    later = bytearray(content)
    struct.pack_into(">q", later, START_AT, start_ns + YEAR_NS)
    (package_folder / GAP).write_bytes(content + bytes(later))
    files = {name: package_folder / name for name in (*PACKAGES, GZIPPED, GAP)} | {"": recording}
    read = digester.digest([*files.values()]).recordings
    return {
        name: [entry for entry in read if Path(entry.file).is_relative_to(file)]
        for name, file in files.items()
    }


@pytest.mark.parametrize("name", PACKAGES)
def test_a_folder_or_archive_is_read_file_by_file(
    entries: Mapping[str, list[Recording | Unreadable]], package_folder: Path, name: str
) -> None:
    (alone,) = entries[""]
    by_file = {Path(entry.file).name: recording_of(entry) for entry in entries[name]}
    assert set(by_file) == {"app.jfr", "app.log"}
    assert all(
        entry.file.startswith(f"{package_folder / name}/logs/") for entry in by_file.values()
    )
    assert len(by_file["app.log"].lock_waits) == 3
    assert by_file["app.jfr"].waits == recording_of(alone).waits
    sentences = [sentence for entry in by_file.values() for sentence in entry.unread]
    assert sentences == [f"Of {name}, 1 file had no recording and no thread dump of HotSpot."]


def test_a_gzipped_recording_is_read_as_one(
    entries: Mapping[str, list[Recording | Unreadable]],
) -> None:
    (alone,), (entry,) = entries[""], entries[GZIPPED]
    assert entry.model_copy(update={"file": alone.file}) == alone
    assert recording_of(entry).source == "recording"


def test_a_gap_of_a_recording_is_no_time_of_it(
    entries: Mapping[str, list[Recording | Unreadable]],
) -> None:
    (alone,), (pair,) = entries[""], entries[GAP]
    duration_ms = recording_of(alone).duration_ms
    assert recording_of(pair).duration_ms == pytest.approx(2 * duration_ms)
    (sentence,) = recording_of(pair).unread
    assert sentence.startswith("Nothing was recorded in 1 gap, 31,53")
    assert recording_of(alone).unread == ()


def test_a_path_is_told_as_it_was_given(
    digester: Digester, package_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(package_folder)
    files = [Path("folder/logs/app.log"), Path("all.zip"), Path("nix")]
    entries = digester.digest(files).recordings
    assert [entry.file for entry in entries] == [
        "folder/logs/app.log",
        "all.zip/logs/app.jfr",
        "all.zip/logs/app.log",
        "nix",
    ]


def damage_archives(folder: Path) -> dict[str, bytes]:
    """Packed files that cannot be read, by the begin of what is said."""
    text = gzip.compress(BASE.encode())
    # 400 MB in 0.4 MB, of which 350 MB may come out.
    bomb = gzip.compress((b"x" * 99_999 + b"\n") * 671) * 6
    with zipfile.ZipFile(folder / "nested", "w") as archive:
        archive.writestr("a.gz", gzip.compress(gzip.compress(gzip.compress(gzip.compress(text)))))
    return {
        "is a damaged gzip file: ": text[: len(text) // 2],
        "unpacks to more than ": bomb,
        "is packed more than 3 times": (folder / "nested").read_bytes(),
        "is a tar that is cut short": b"a.log".ljust(124, b"\0")
        + b"00000077777\0".ljust(133, b"\0")
        + b"ustar".ljust(255, b"\0")
        + b"x" * 900,
    }


def test_what_is_packed_badly_is_one_line(digester: Digester, tmp_path: Path) -> None:
    """One JVM reads all, also a zip whose middle is damaged."""
    contents = damage_archives(tmp_path)
    files = [tmp_path / str(number) for number in range(len(contents))]
    for file, content in zip(files, contents.values(), strict=True):
        file.write_bytes(content)
    damaged_zip = tmp_path / "a.zip"
    with zipfile.ZipFile(damaged_zip, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("app.log", BASE)
    zip_content = bytearray(damaged_zip.read_bytes())
    zip_content[100:120] = bytes(20)
    damaged_zip.write_bytes(zip_content)
    read = digester.digest([*files, damaged_zip]).recordings
    for file, begin in zip(files, contents, strict=True):
        (entry,) = (entry for entry in read if Path(entry.file).is_relative_to(file))
        assert isinstance(entry, Unreadable)
        assert entry.error.startswith(begin) and "\n" not in entry.error
    of_zip = [entry for entry in read if Path(entry.file).is_relative_to(damaged_zip)]
    assert of_zip
    for entry in of_zip:
        assert isinstance(entry, Unreadable)
        assert entry.error.startswith(("is a damaged packed file: ", "is a damaged zip file: "))


def test_so_many_threads_are_refused_in_one_line(digester: Digester, tmp_path: Path) -> None:
    head = "Full thread dump VM (17.0.3+7 mixed mode):\n\n"
    file = tmp_path / "many"
    with file.open("w") as out:
        out.write(head)
        for number in range(1, 200_003):
            out.write(f'"t" #{number} prio=5 tid=0x1 nid=0x1 runnable\n\tat a.B.c(B.java:1)\n\n')
    (entry,) = digester.digest([file]).recordings
    assert isinstance(entry, Unreadable)
    assert entry.error == "has more than 200000 threads in its dumps"
