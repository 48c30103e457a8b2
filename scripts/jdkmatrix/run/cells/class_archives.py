# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do the JVMs of a build share the work of loading the JDK's classes?

By a class-data archive (JEP 310): HotSpot maps classes that it parsed and verified when the archive
was made. Few builds have an archive at all, and theirs has no classes of TLS and HTTP. One is made
of what two tests load, and kept; on 17.0.9 it saves a third of a JVM's CPU time.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.errors import MachineError
from jdkmatrix.machine.children import ChildEnd, Children, clean_environment
from jdkmatrix.machine.endings import complaint_in
from jdkmatrix.machine.files import text_of
from jdkmatrix.machine.java_program import WITHOUT_C2, JavaProgram
from jdkmatrix.machine.sealed_folder import made_once
from jdkmatrix.machine.trees import remove_quietly, scratch_folder
from jdkmatrix.paths import Checkout, test_name
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.supply.jdk_facts import class_library

# Goes into every folder's name: raised when archives are made in another way.
_LAYOUT = 1
_ARCHIVE = "classes.jsa"
_HOME_FILE = "home.txt"
# What is run to see which classes are wanted, by the train that it needs: HttpsURLConnection with
# TLS 1.3 and 1.2, and java.net.http. Of 16 tests on 17.0.9, all but 1 to 11 % of the classes.
_SAMPLES = {
    8: "selftest/PeerAndClientAgree.java",
    11: "httpclient/EmptyBodyHasByteAvailable.java",
}
# Making one costs 4 s of CPU time, a test of two JVMs saves 0.4 to 0.8 s.
LEAST_TESTS = 10
_SAMPLE_TIMEOUT_S = 120.0
_DUMP_TIMEOUT_S = 300.0
_START_TIMEOUT_S = 60.0
# As the lists of several JVMs are joined, where each has numbers of its own. Classes with a source
# are of other loaders, and not the JDK's.
_ID = re.compile(r" id: \d+$")
_FOREIGN = re.compile(r"^#| (?:source|super): ")


@dataclass(frozen=True)
class ClassArchives:
    """The archives of this machine's builds, in `cache`. Where there is none, one is made if
    `makes`.

    `notice` is told once why a build has none; its tests run without. Safe for several threads, and
    for processes with the same cache.
    """

    checkout: Checkout
    tool_java_home: Path
    notice: Callable[[str], None]
    cache: Path
    makes: bool = True
    _options: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)
    _locks: dict[str, Lock] = field(default_factory=lambda: defaultdict(Lock))

    @classmethod
    def of_checkout(
        cls,
        checkout: Checkout,
        tool_java_home: Path,
        notice: Callable[[str], None],
        test_count: int,
    ) -> "ClassArchives":
        """Those of the kit's cache, for a run of so many tests on each build."""
        cache = cache_root() / "archives"
        return cls(checkout, tool_java_home, notice, cache, makes=test_count >= LEAST_TESTS)

    def samples(self) -> list[JavaProgram]:
        """What is compiled to make archives; empty if none is made."""
        return [self._sample(train) for train in _SAMPLES] if self.makes else []

    def options(self, build: BuildRecord, children: Children) -> tuple[str, ...]:
        """The options for a JVM of the build to use its archive, which is made now if need be.

        There are none for an overlay: HotSpot uses no archive with a patched module.
        """
        if build.overlay:
            return ()
        with self._lock:
            lock = self._locks[build.id]
        with lock:
            if build.id not in self._options:
                try:
                    self._options[build.id] = self._of_build(build, children)
                except _InterruptedError:
                    return ()
            return self._options[build.id]

    def _of_build(self, build: BuildRecord, children: Children) -> tuple[str, ...]:
        try:
            place = self._place(build)
            if not (self.makes or place.is_dir()):
                return ()
            made_once(place, partial(self._make, build, children))
            options = _options_of(build, place / _ARCHIVE)
            with scratch_folder("archive") as scratch:
                _run(build, children, scratch, (*options, "-Xshare:on", "-version"))
        except (MachineError, OSError) as error:
            self.notice(f"{build.id}: without a class-data archive, so slower: {error}")
            return ()
        return options

    def _place(self, build: BuildRecord) -> Path:
        """Another one once other classes lie there, which HotSpot would refuse. Raises OSError."""
        library = class_library(Path(build.home))
        if library is None:
            raise MachineError("it has no lib/modules or rt.jar")
        stat = library.stat()
        marks = (_LAYOUT, build.sha256, build.home, stat.st_size, stat.st_mtime_ns)
        return self.cache / hashlib.sha256("\0".join(map(str, marks)).encode()).hexdigest()[:16]

    def _make(self, build: BuildRecord, children: Children, folder: Path) -> None:
        self._remove_outdated(build)
        (folder / _HOME_FILE).write_text(build.home, encoding="utf-8")
        with scratch_folder("archive") as scratch:
            lines: dict[str, None] = {}
            for train in _SAMPLES:
                if train <= build.train:
                    lines |= dict.fromkeys(self._classes_of(train, build, children, scratch))
            class_list = scratch / "classes.lst"
            class_list.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            archive = (f"-XX:SharedClassListFile={class_list}", "-Xshare:dump")
            options = _options_of(build, folder / _ARCHIVE)
            _run(build, children, scratch, (*options, *archive), _DUMP_TIMEOUT_S)
        if not (folder / _ARCHIVE).is_file():
            raise MachineError("its JVM wrote none")

    def _sample(self, train: int) -> JavaProgram:
        test = self.checkout.suite / _SAMPLES[train]
        return JavaProgram(
            "archive sample",
            test.parent,
            self.tool_java_home,
            cache_root() / "tests",
            options=("--release", str(train), "-Xlint:-options"),
            main_files=[test],
            libraries=[self.checkout.test_library],
        )

    def _classes_of(
        self, train: int, build: BuildRecord, children: Children, scratch: Path
    ) -> list[str]:
        """The lines of HotSpot's own list of what a test loads, whatever its outcome is."""
        class_list = scratch / f"{train}.lst"
        classes = self._sample(train).compile()
        options = (f"-XX:DumpLoadedClassList={class_list}", "-cp", str(classes))
        main_class = test_name(_SAMPLES[train])
        _run(build, children, scratch, (*options, main_class), _SAMPLE_TIMEOUT_S, fails=True)
        if not class_list.is_file():
            raise MachineError("its JVM lists no classes")
        lines = text_of(class_list).splitlines()
        return [_ID.sub("", line) for line in lines if not _FOREIGN.search(line)]

    def _remove_outdated(self, build: BuildRecord) -> None:
        """Remove the archives of what lay at the build's place earlier, and of JDKs that are gone;
        a JVM that has mapped one keeps it.
        """
        for place in self.cache.glob("*/"):
            try:
                home = text_of(place / _HOME_FILE)
                is_outdated = home == build.home or not Path(home).is_dir()
            except OSError:  # not whole yet, or of another process, or damaged
                continue
            if is_outdated:
                remove_quietly(place)


class _InterruptedError(Exception):
    """The run is being stopped."""


def _options_of(build: BuildRecord, archive: Path) -> tuple[str, ...]:
    """Options to use that archive. A JVM that can't says nothing, as a test's output is read."""
    # 8 has no such log, and says nothing anyway; there the next option is a diagnostic one.
    first = "-XX:+UnlockDiagnosticVMOptions" if build.train == 8 else "-Xlog:cds*=off"
    return (first, f"-XX:SharedArchiveFile={archive}", "-Xshare:auto")


def _run(
    build: BuildRecord,
    children: Children,
    scratch: Path,
    arguments: Sequence[str],
    timeout_s: float = _START_TIMEOUT_S,
    *,
    fails: bool = False,
) -> None:
    """Run a JVM of the build, in its own folder. Raises MachineError if it fails, unless it may."""
    log = scratch / "jvm.log"
    command = [str(Path(build.home) / "bin" / "java"), *WITHOUT_C2, *arguments]
    end, code = children.run(command, log, clean_environment(), timeout_s)
    if end is ChildEnd.INTERRUPTED:
        raise _InterruptedError
    if end is ChildEnd.TIMEOUT:
        raise MachineError(f"its JVM was not done after {timeout_s:.0f} s")
    if code and not fails:
        raise MachineError(f"its JVM refuses it: {complaint_in(log) or 'without a word'}")
