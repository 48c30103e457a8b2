# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the kit get the builds of a run, jtreg, and the JDK for its own use?"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Lock
from weakref import proxy

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import (
    BuildEntry,
    DebianSource,
    DebianToolSource,
    JdksFile,
    LocalSource,
    load_jdks,
)
from jdkmatrix.errors import LackingError, MachineError, UsageError
from jdkmatrix.machine.java_program import JavaTool
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.alteration import is_comparable
from jdkmatrix.supply.build import Build, SourceError, Unavailable
from jdkmatrix.supply.cache.jdk_cache import CheckCost, Corrupt
from jdkmatrix.supply.discovery import OLDEST_TOOL_TRAIN, TOOL_JDK
from jdkmatrix.supply.identity import build_of, check_identity, check_runs_here
from jdkmatrix.supply.install import Installer, parts_of
from jdkmatrix.supply.installable import CachedInstall, Installable, InstallError
from jdkmatrix.supply.jars.jar_cache import Jars, read_jars_lock
from jdkmatrix.supply.jars.maven import DebianMaven, MachineMaven, MavenWay
from jdkmatrix.supply.net.progress import NullProgress, Progress
from jdkmatrix.supply.sources.kinds import Circumstances
from jdkmatrix.supply.sources.local import local_build, local_build_of
from jdkmatrix.supply.sources.mirror import lack_of_debian
from jdkmatrix.supply.tool_jdk import UNDER_TEST, Candidate, ToolJdkUse, Trials, is_suited

_DOWNLOADS_AT_ONCE = 4

Outcome = Build | Unavailable


class Supplier:
    """Gives builds from the cache, or else from their sources.

    `offline` opens no socket: what is not cached is unavailable. `paranoid` hashes every file of a
    cached build before use.
    """

    def __init__(
        self,
        jdks: JdksFile,
        lock_path: Path,
        cache_root: Path,
        offline: bool = False,
        progress: Progress | None = None,
        paranoid: bool = False,
        circumstances: Circumstances | None = None,
    ) -> None:
        self._jdks = jdks
        self._offline = offline
        self._progress = progress or NullProgress()
        circumstances = circumstances or Circumstances()
        self._platform = circumstances.platform
        checkout = Checkout.current()
        # By a proxy: in a cycle the supplier, and so its builds' locks, would outlive their use.
        ways = partial(Supplier.maven_ways, proxy(self), checkout)
        self._parts = parts_of(
            jdks,
            lock_path,
            cache_root,
            self._progress,
            paranoid,
            circumstances,
            ways,
            checkout.pom,
        )
        self._installer = self._parts.installer
        self._builds: dict[str, Build] = {}
        self._cache_root = cache_root
        self._local: list[Build] = []
        self._tool_jdk: Build | None = None
        self._choosing = Lock()
        self.tool_jdk_use = ToolJdkUse()

    @classmethod
    def of_checkout(
        cls, checkout: Checkout, offline: bool, progress: Progress | None = None
    ) -> "Supplier":
        """The supplier of a checkout, with this machine's cache. Raises UsageError."""
        jdks = load_jdks(checkout.jdks)
        return cls(jdks, checkout.lock, cache_root(), offline=offline, progress=progress)

    @property
    def check_cost(self) -> CheckCost:
        """The cost of checking the cached builds that were given so far."""
        return self._parts.cache.checks.total

    def supply(self, entries: Iterable[BuildEntry]) -> list[Outcome]:
        """Every entry's build, or why there is none, in the order of `entries`."""
        entry_list = list(entries)
        return _in_order(entry_list, self.stream_outcomes(entry_list))

    def stream_outcomes(self, entries: Iterable[BuildEntry]) -> Iterator[Outcome]:
        """The same as `supply`, each outcome as soon as it is known.

        What is cached comes first; the rest is downloaded, several at once.
        """
        missing = []
        for entry in entries:
            outcome = self._builds.get(entry.id) or self._without_download(entry)
            if outcome:
                yield outcome
            else:
                missing.append(entry)
        yield from self._several_at_once(missing, self._from_sources)

    def renew(self, entries: Iterable[BuildEntry]) -> list[Outcome]:
        """Ask the sources anew for every entry, and record what they give now in `jdks.lock`."""
        if self._offline:
            raise UsageError("jdks.lock cannot be brought up to date offline")
        entry_list = list(entries)
        outcomes = self._several_at_once(entry_list, partial(self._from_sources, renew=True))
        return _in_order(entry_list, outcomes)

    def tool_jdk(self) -> Build:
        """The JDK that compiles the tests, plays their peers and reads recordings; always the same.

        It is the one of `jdks.yaml` if that is cached or fetched anyhow: `jdks.lock` vouches for
        it, and it is the same on each machine. Otherwise it is the first that can be it: those of
        `--jdk`, JAVA_HOME, what `jdks discover` lists, any in the cache, and at last the one of
        `jdks.yaml`, in whatever version its source has. Its `source` says which. Raises
        MachineError.
        """
        with self._choosing:
            if self._tool_jdk is None:
                self._tool_jdk = self._chosen_tool_jdk()
            return self._tool_jdk

    def _chosen_tool_jdk(self) -> Build:
        entry = self._jdks.entry(self._jdks.tools.jdk)
        resumed_build = self.tool_jdk_use.resumed_build
        trials = Trials(self._cache_root, self._platform, self._progress.notice)
        alternatives: list[Build] = []
        for build in self._tool_jdks_here(entry, trials):
            if resumed_build in (None, build.id):
                return build
            alternatives.append(build)
        if alternatives:
            return alternatives[0]
        outcome = self._fetched_tool_jdk(entry)
        if isinstance(outcome, Build):
            return outcome
        reasons = "; ".join([*trials.reasons, str(outcome)])
        raise MachineError(f"no tool JDK: {reasons}; to fix it: set JAVA_HOME to {TOOL_JDK}")

    def _tool_jdks_here(self, entry: BuildEntry, trials: Trials) -> Iterator[Build]:
        """Those that need no download, in the order of `tool_jdk`."""
        if entry.id in self.tool_jdk_use.fetched_entries or _is_local(entry):
            outcome: Outcome | None = self.supply([entry])[0]
        else:
            outcome = self._builds.get(entry.id) or self._without_download(entry)
        if isinstance(outcome, Build) and is_suited(outcome.facts, self._platform):
            yield outcome
        user_jdks = [
            Candidate(build.home, UNDER_TEST, build.facts)
            for build in self._local
            if build.train >= OLDEST_TOOL_TRAIN and not build.altered
        ]
        machine_jdks = chain(trials.of_machine(), self._cached_candidates())
        judges = self.tool_jdk_use.judges
        yield from trials.usable(
            chain(machine_jdks, user_jdks) if judges else chain(user_jdks, machine_jdks)
        )

    def _cached_candidates(self) -> Iterator[Candidate]:
        """The cache's JDKs that can be the tool JDK, but none that is not what `jdks.lock` says."""
        cache = self._parts.cache
        trees = {
            cache.folder(name, lock_entry.artifacts): lock_entry.tree_sha256
            for name, lock_entry in self._parts.keeper.entries()
        }
        for folder, record in cache.jdks(lambda facts: is_suited(facts, self._platform)):
            if trees.get(folder) in (None, record.tree_sha256):
                yield Candidate(folder / record.home, "cache", record.facts)

    def _fetched_tool_jdk(self, entry: BuildEntry) -> Outcome:
        """As `jdks.lock` has it, or else in any version that Debian has: it is not judged."""
        (outcome,) = self.supply([entry])
        debian = [config for config in entry.sources if isinstance(config, DebianSource)]
        if isinstance(outcome, Unavailable) and debian and not self._offline:
            older = tuple(DebianToolSource(**config.model_dump()) for config in debian)
            product = Installable(entry.id, older, "bin/java", entry)
            with suppress(InstallError):
                build = _build_of(entry, self._parts.unrecorded_installer.get(product))
                self._progress.notice(f"{outcome}; the tool JDK is {build.id}")
                outcome = build
        if isinstance(outcome, Build) and not is_suited(outcome.facts, self._platform):
            reason = f"{outcome.id} is not {TOOL_JDK} (tools.jdk in jdks.yaml)"
            return Unavailable(entry.id, ((outcome.source, reason),))
        return outcome

    def jtreg(self) -> Path:
        """jtreg's home: JTREG_HOME, or the locked one. Raises UsageError or MachineError."""
        if home := os.environ.get("JTREG_HOME"):
            if not (Path(home) / "lib" / "jtreg.jar").is_file():
                raise UsageError(f"JTREG_HOME={home}: no jtreg; accepted: one with lib/jtreg.jar")
            return Path(home)
        try:
            return self._tool(Installable.jtreg(self._jdks.tools))
        except MachineError as error:
            raise MachineError(f"{error}; to fix it: set JTREG_HOME to a jtreg") from None

    def program(self, name: str) -> Path:
        """The program of that name in `jdks.yaml`, from a package of Debian's.

        Raises MachineError if it can't be had, LackingError on a machine that has no such package,
        UsageError if jdks.yaml has no such program.
        """
        programs = self._jdks.tools.programs
        if name not in programs:
            raise UsageError(f"jdks.yaml: no program '{name}'; accepted: {', '.join(programs)}")
        product = Installable.program(self._jdks.tools, name)
        try:
            return self._tool(product) / product.marker
        except MachineError:
            if lack := lack_of_debian():
                raise LackingError(f"{name}: {lack}") from None
            raise

    def jars(self, checkout: Checkout) -> Jars:
        """The jars of the checkout's `jars.lock`. Raises UsageError if that is damaged."""
        return Jars(
            read_jars_lock(checkout.jars_lock),
            checkout.pom,
            self._parts.cache,
            self._parts.locks,
            self.maven_ways(checkout),
            self._progress,
            self._offline,
        )

    def maven_ways(self, checkout: Checkout, entry_id: str | None = None) -> tuple[MavenWay, ...]:
        """The ways to get a Maven, in the order in which to try them.

        Debian's needs the tool JDK, so that cannot be fetched by it: `entry_id` is what is fetched.
        """
        if entry_id == self._jdks.tools.jdk:
            return (MachineMaven(),)
        maven = Installable.maven(self._jdks.tools)
        debian = DebianMaven(
            lambda: _or_source_error(lambda: self._tool(maven)),
            lambda: JavaTool.of_checkout(checkout, _or_source_error(lambda: self.tool_jdk().home)),
        )
        return (MachineMaven(), debian)

    def java_sources(self, entry: BuildEntry, package_version: str | None) -> Path:
        """The `src.zip` of a Debian build, from its suite's `openjdk-N-source`.

        `package_version` is that of the build's own packages; None means the one its entry wants.
        `jdks.lock` stays as it is. Raises MachineError if it can't be had.
        """
        config = next((s for s in entry.sources if isinstance(s, DebianSource)), None)
        if config is None:
            raise MachineError(f"{entry.id} is not a build of Debian's")
        source = DebianSource(
            source="debian",
            suite=config.suite,
            packages=(f"openjdk-{entry.version.train}-source",),
            version=package_version or config.version,
        )
        product = Installable(f"{entry.id}-source", (source,), "src.zip", None)
        return self._tool(product, self._parts.unrecorded_installer) / "src.zip"

    def local(self, path: Path, option: str = "--jdk") -> Build:
        """The JDK at the path that an option names. Raises UsageError."""
        try:
            build = local_build(path, self._parts.cache)
        except (SourceError, OSError) as error:
            raise UsageError(f"{option} {path}: {error}") from None
        self._local.append(build)
        return build

    def word_on(self, build: Build) -> str:
        """A phrase on whether a user's own JDK is what it says it is, as far as the cache shows."""
        if build.altered:
            return build.altered
        if is_comparable(build.home, build.facts, self._parts.cache):
            return f"is {build.id}, byte for byte"
        return "cannot be checked: the cache does not have that release"

    def compiler(self, entry: BuildEntry) -> Outcome:
        """An entry's build for its compiler alone: `jdks.lock` stays as it is."""
        outcome = self._builds.get(entry.id) or self._without_download(entry)
        if outcome:
            return outcome
        try:
            return _build_of(entry, self._parts.unrecorded_installer.get(Installable.jdk(entry)))
        except InstallError as error:
            return Unavailable(entry.id, error.reasons)

    def _tool(self, product: Installable, installer: Installer | None = None) -> Path:
        try:
            installer = installer or self._installer
            return (self._find_cached(product) or installer.get(product)).home
        except InstallError as error:
            raise MachineError(str(Unavailable(product.id, error.reasons))) from None

    def stop(self) -> None:
        """Stop what is under way, from any thread; builds not yet given become unavailable."""
        self._parts.stop.set()

    def _without_download(self, entry: BuildEntry) -> Outcome | None:
        if _is_local(entry):
            return None
        try:
            install = self._find_cached(Installable.jdk(entry))
            return None if install is None else self._ready(entry, install)
        except InstallError as error:
            return Unavailable(entry.id, error.reasons)
        except SourceError as error:
            return Unavailable(entry.id, (("cache", str(error)),))

    def _find_cached(self, product: Installable) -> CachedInstall | None:
        """What is cached; None if it must be downloaded. Raises InstallError if it must not be."""
        why_not = ""
        try:
            install = self._installer.find_cached(product)
        except Corrupt as corrupt:
            install, why_not = None, f"cached {product.id}: {corrupt}"
        if install is None and self._offline:
            reason = (why_not or self._installer.why_not_cached(product)) + ", and offline"
            raise InstallError(tuple((config.source, reason) for config in product.sources))
        return install

    def _several_at_once(
        self, entries: list[BuildEntry], get: Callable[[BuildEntry], Outcome]
    ) -> Iterable[Outcome]:
        if not entries:
            return
        pool = ThreadPoolExecutor(_DOWNLOADS_AT_ONCE, "supply")
        try:
            under_way: list[Future[Outcome]] = [pool.submit(get, e) for e in entries]
            for future in as_completed(under_way):
                yield future.result()
        except BaseException:
            self.stop()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _from_sources(self, entry: BuildEntry, renew: bool = False) -> Outcome:
        reasons: list[tuple[str, str]] = []
        for config in entry.sources if renew else self._installer.in_order(Installable.jdk(entry)):
            try:
                if isinstance(config, LocalSource):
                    build = local_build_of(entry, config.path, self._platform)
                    self._builds[entry.id] = build
                    return build
                product = Installable(entry.id, (config,), "bin/java", entry)
                install = None if renew else self._find_cached(product)
                return self._ready(entry, install or self._installer.get(product, renew))
            except InstallError as error:
                reasons += error.reasons
            except (SourceError, OSError) as error:
                reasons.append((config.source, str(error)))
        return Unavailable(entry.id, tuple(reasons))

    def _ready(self, entry: BuildEntry, install: CachedInstall) -> Build:
        """Turn an install in the cache into a build that is ready to run, and remember it.

        Raises SourceError if it is not what the entry says.
        """
        if install.record.facts is None:
            raise ValueError(f"{entry.id} was installed without facts")
        check_identity(entry, install.record.facts)
        check_runs_here(self._platform, install.record.facts, entry.target)
        build = _build_of(entry, install)
        self._builds[entry.id] = build
        return build


def _build_of(entry: BuildEntry, install: CachedInstall) -> Build:
    record, facts = install.record, install.record.facts
    assert facts is not None
    configuration = entry.configuration_of(record.source)
    return replace(
        build_of(facts, install.home, record.source, record.artifacts[0].sha256, entry),
        artifacts=record.artifacts,
        notices=install.notices,
        configuration=configuration.summary if configuration else None,
    )


def _in_order(entries: Iterable[BuildEntry], outcomes: Iterable[Outcome]) -> list[Outcome]:
    by_id = {outcome.entry_id: outcome for outcome in outcomes}
    return [by_id[entry.id] for entry in entries]


def _is_local(entry: BuildEntry) -> bool:
    return any(isinstance(config, LocalSource) for config in entry.sources)


def _or_source_error(get: Callable[[], Path]) -> Path:
    """Raise SourceError in place of MachineError: another way may still succeed."""
    try:
        return get()
    except MachineError as error:
        raise SourceError(str(error)) from None
