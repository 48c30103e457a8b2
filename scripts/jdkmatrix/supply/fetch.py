# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the kit get the builds of a run, jtreg and the JDK that it runs on itself?"""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path

from jdkmatrix.config.jdks import BuildEntry, DebianSource, JdksFile, LocalSource
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.cache import Cache, Corrupt
from jdkmatrix.supply.identity import vendor_of, version_of
from jdkmatrix.supply.install import Got, Installer, NotGot, Wanted
from jdkmatrix.supply.local import local_build
from jdkmatrix.supply.lock import LockFile
from jdkmatrix.supply.locks import Locks
from jdkmatrix.supply.progress import NullProgress, Progress
from jdkmatrix.supply.source import SourceError
from jdkmatrix.supply.suites import AptSuites

_DOWNLOADS_AT_ONCE = 4
_TOOL_JDK_TRAIN = 17

Outcome = Build | Unavailable


class Supplier:
    """Gives builds from the cache, or else from their sources.

    `offline` opens no socket: what is not in the cache is unavailable.
    """

    def __init__(
        self,
        jdks: JdksFile,
        lock_path: Path,
        cache_root: Path,
        offline: bool = False,
        progress: Progress | None = None,
    ) -> None:
        self._jdks = jdks
        self._offline = offline
        self._progress = progress or NullProgress()
        self._stop = threading.Event()
        locks = Locks(cache_root / "locks", self._stop)
        cache = Cache(cache_root, locks)
        suites = AptSuites(cache_root / "apt", locks, self._progress)
        self._installer = Installer(cache, LockFile(lock_path), locks, suites, self._progress)
        self._known: dict[str, Build] = {}
        try:
            cache.sweep()
        except OSError as error:  # a cache that others own may still be read
            self._progress.notice(f"leftovers in the cache stay: {error.strerror}")

    def supply(
        self,
        entries: Iterable[BuildEntry],
        on_ready: Callable[[Outcome], None] = lambda outcome: None,
    ) -> list[Outcome]:
        """Every entry's build, or why there is none, in the order of `entries`.

        `on_ready` is called for each as soon as it is known, from the calling thread. What is
        cached comes first; the rest is downloaded, several at once.
        """
        wanted = list(entries)
        outcomes: dict[str, Outcome] = {}

        def ready(outcome: Outcome) -> None:
            outcomes[outcome.entry_id] = outcome
            if isinstance(outcome, Build):
                self._known[outcome.entry_id] = outcome
            on_ready(outcome)

        missing = []
        for entry in wanted:
            here = self._known.get(entry.id) or self._without_download(entry)
            if here:
                ready(here)
            else:
                missing.append(entry)
        for outcome in self._downloaded(missing):
            ready(outcome)
        return [outcomes[entry.id] for entry in wanted]

    def tool_jdk(self) -> Build:
        """The JDK that runs jtreg and compiles the tests. Raises MachineError."""
        (outcome,) = self.supply([self._jdks.entry(self._jdks.tools.jdk)])
        if isinstance(outcome, Unavailable):
            raise MachineError(f"the tool JDK: {outcome}")
        if outcome.train < _TOOL_JDK_TRAIN or not outcome.facts.has_javac:
            raise MachineError(
                f"the tool JDK {outcome.id} will not do: "
                f"it must be {_TOOL_JDK_TRAIN} or later and have javac (tools.jdk in jdks.yaml)"
            )
        return outcome

    def jtreg(self) -> Path:
        """jtreg's home: `bin/jtreg`, `lib/jtreg.jar`. Raises MachineError."""
        return self._tool(Wanted("jtreg", (self._jdks.tools.jtreg,), "bin/jtreg", None))

    def java_sources(self, entry: BuildEntry, package_version: str | None) -> Path:
        """The `src.zip` of a Debian build, from its suite's `openjdk-N-source`.

        `package_version` is that of the build's own packages; None means the one wanted. Raises
        MachineError if it can't be had.
        """
        config = entry.sources[0]
        if not isinstance(config, DebianSource):
            raise MachineError(f"{entry.id} is no build of Debian's")
        source = DebianSource(
            source="debian",
            suite=config.suite,
            packages=(f"openjdk-{entry.version.train}-source",),
            version=package_version or config.version,
        )
        wanted = Wanted(f"{entry.id}-source", (source,), "src.zip", None)
        return self._tool(wanted) / "src.zip"

    def local(self, path: Path) -> Build:
        """The JDK of `--jdk PATH`. Raises UsageError."""
        try:
            return local_build(path)
        except (SourceError, OSError) as error:
            raise UsageError(f"--jdk {path}: {error}") from None

    def _tool(self, wanted: Wanted) -> Path:
        try:
            return (self._cached(wanted) or self._installer.get(wanted)).home
        except NotGot as failed:
            raise MachineError(str(Unavailable(wanted.id, failed.reasons))) from None

    def stop(self) -> None:
        """End what is under way, from any thread; what is not there yet becomes unavailable."""
        self._stop.set()

    def _without_download(self, entry: BuildEntry) -> Outcome | None:
        if any(isinstance(config, LocalSource) for config in entry.sources):
            return None
        try:
            got = self._cached(_wanted(entry))
        except NotGot as failed:
            return Unavailable(entry.id, failed.reasons)
        return None if got is None else _build(entry, got)

    def _cached(self, wanted: Wanted) -> Got | None:
        """What is cached, or None if it must be downloaded. Raises NotGot if it must not be."""
        why_not = ""
        try:
            got = self._installer.cached(wanted)
        except Corrupt as corrupt:
            got, why_not = None, f"cached {wanted.id}: {corrupt}"
        if got is None and self._offline:
            reason = (why_not or self._installer.why_not_cached(wanted)) + ", and offline"
            raise NotGot(tuple((config.source, reason) for config in wanted.sources))
        return got

    def _downloaded(self, entries: list[BuildEntry]) -> Iterable[Outcome]:
        if not entries:
            return
        pool = ThreadPoolExecutor(_DOWNLOADS_AT_ONCE, "supply")
        try:
            under_way: list[Future[Outcome]] = [pool.submit(self._get, e) for e in entries]
            for done in as_completed(under_way):
                yield done.result()
        except BaseException:
            self.stop()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _get(self, entry: BuildEntry) -> Outcome:
        reasons: list[tuple[str, str]] = []
        for config in entry.sources:
            try:
                if isinstance(config, LocalSource):
                    return local_build(config.path, entry)
                wanted = Wanted(entry.id, (config,), "bin/java", entry)
                return _build(entry, self._cached(wanted) or self._installer.get(wanted))
            except NotGot as failed:
                reasons += failed.reasons
            except (SourceError, OSError) as error:
                reasons.append((config.source, str(error)))
        return Unavailable(entry.id, tuple(reasons))


def _wanted(entry: BuildEntry) -> Wanted:
    return Wanted(entry.id, entry.sources, "bin/java", entry)


def _build(entry: BuildEntry, got: Got) -> Build:
    installed = got.installed
    if installed.facts is None:
        raise ValueError(f"{entry.id} was installed without facts")
    version = version_of(installed.facts)
    vendor = vendor_of(installed.facts.vendor)
    return Build(
        id=f"{vendor}-{version}",
        entry_id=entry.id,
        version=version,
        vendor=vendor,
        train=version.train,
        source=installed.source,
        sha256=installed.artifacts[0].sha256,
        artifacts=installed.artifacts,
        home=got.home,
        facts=installed.facts,
        notices=got.notices,
    )
