# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are a Debian suite's index and packages fetched without root, whatever this machine runs?

Each suite has a private apt tree: its own lists, its own cache, no installed packages (or apt would
refuse versions older than the installed ones), none of the machine's hooks. Signatures are always
checked against the machine's keys of Debian's archive.
"""

import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.machine.files import text_of
from jdkmatrix.machine.processes import FinishedProcess, complaint, run
from jdkmatrix.supply.build import Offer, SourceError
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.net.progress import Progress
from jdkmatrix.supply.sources.mirror import Mirror, first_error, machine_mirror, paragraphs_of

_UPDATE_TIMEOUT_S = 600.0
_DOWNLOAD_TIMEOUT_S = 1800.0
_SHOW_TIMEOUT_S = 60.0
_EXPIRED = re.compile(r"is expired \((invalid [^)]*)\)")
_WITHOUT_SECURITY_POCKET = ("sid", "unstable", "experimental")

# What is set after the machine's own settings, so that none of them can weaken a check.
_CONFIGURATION = Path(__file__).with_name("apt.conf.txt")
_SOURCE = """Types: deb
URIs: {address}
Suites: {suite}
Components: {components}
Targets: Packages
Signed-By: {keyring}
"""
MAIN = ("main",)


@dataclass(frozen=True)
class AptTree:
    """The private apt tree of one suite's `components`, in the folder `tree`.

    Methods raise SourceError.
    """

    tree: Path
    suite: str
    components: tuple[str, ...]
    mirror: Mirror
    locks: Locks

    def update(self, notice: Callable[[str], None]) -> None:
        """Fetch the current index of the suite and of its security pocket."""
        with self.locks.hold(f"apt-{self.tree.name}"):
            self._update(notice)

    def packages(self, pairs: Sequence[tuple[str, str | None]]) -> tuple[Offer, ...]:
        """The package of each (name, version), in order; the newest where the version is None."""
        specs = [f"{name}={version}" if version else name for name, version in pairs]
        offers = {fields["Package"]: _offer(fields) for fields in self._show(specs)}
        for (name, version), text in zip(pairs, specs, strict=True):
            if name not in offers or version not in (None, offers[name].version):
                raise SourceError(f"{self.suite} has no {text} for this machine")
        return tuple(offers[name] for name, _ in pairs)

    def libraries(self, packages: Sequence[Offer]) -> tuple[Offer, ...]:
        """The packages of shared libraries that these need, by their Depends and Pre-Depends,
        directly or through others; the newest of each, by name. Of alternatives, the first that
        the suite has.

        Such a package is `Multi-Arch: same`: it can be installed for several architectures beside
        each other, as Debian's libraries can and its programs can't. What else a package depends
        on serves its installation (adduser, debconf).
        """
        names = [package.name for package in packages]
        with self.locks.hold(f"apt-{self.tree.name}"):
            process = self._apt("apt-cache", "depends", "--recurse", "--important", "--", *names)
        # A name at the start of a line is a package, one in angle brackets has no package.
        reachable_names = re.findall(r"^[^ <]\S*", process.output, re.MULTILINE)
        fields_by_name = {
            fields["Package"]: fields for fields in self._show(sorted({*reachable_names, *names}))
        }
        library_names: set[str] = set()
        stack = [name for name in names if name in fields_by_name]
        while stack:
            for choices in _needs(fields_by_name[stack.pop()]):
                name = next((choice for choice in choices if choice in fields_by_name), None)
                if (
                    name
                    and name not in library_names
                    and fields_by_name[name].get("Multi-Arch") == "same"
                ):
                    library_names.add(name)
                    stack.append(name)
        return tuple(
            _offer(fields_by_name[name]) for name in sorted(library_names.difference(names))
        )

    def _show(self, packages: Sequence[str]) -> Iterator[Mapping[str, str]]:
        """The fields of each of these packages (`NAME` or `NAME=VERSION`) that the suite has."""
        with self.locks.hold(f"apt-{self.tree.name}"):
            process = self._apt("apt-cache", "show", "--no-all-versions", "--", *packages)
        for fields in paragraphs_of(process.output):
            if {"Package", "Version", "Size", "SHA256"} <= fields.keys():
                yield fields

    def download(self, packages: tuple[Offer, ...], folder: Path, tick: Callable[[], None]) -> None:
        """Download the `.deb` files to `folder`; apt checks each against the signed index."""
        specs = [f"{package.name}={package.version}" for package in packages]
        with self.locks.hold(f"apt-{self.tree.name}"):  # the index must not change meanwhile
            process = self._apt("apt-get", "download", "--", *specs, cwd=folder, tick=tick)
        if process.code != 0:
            raise SourceError(f"{', '.join(specs)}: {complaint(process, 'E:')}")

    def _update(self, notice: Callable[[str], None]) -> None:
        for folder in ("sources.d", "state/lists/partial", "cache/archives/partial", "log"):
            (self.tree / folder).mkdir(parents=True, exist_ok=True)
        settings = "\n".join(self.mirror.settings)
        config = self.tree / "apt.conf"
        config.touch(mode=0o600)  # a proxy's address may hold a password
        config.write_text(
            text_of(_CONFIGURATION).format(settings=settings, tree=self.tree), encoding="utf-8"
        )
        self._write_source(self.suite, self.mirror.main)
        pocket = f"{self.suite}-security"
        has_pocket = self.suite not in _WITHOUT_SECURITY_POCKET
        if has_pocket and self.mirror.security:
            self._write_source(pocket, self.mirror.security)
            failure = self._try_update(notice)
            if failure is None:
                return
            (self.tree / "sources.d" / f"{pocket}.sources").unlink()
        failed_without = self._try_update(notice)
        if failed_without is not None:
            raise SourceError(f"{self.suite}: no index: {failed_without}")
        if has_pocket:
            reason = failure if self.mirror.security else "this machine's apt has no mirror for it"
            notice(f"{pocket} left out: {reason}")

    def _write_source(self, suite: str, address: str) -> None:
        components = " ".join(self.components)
        text = _SOURCE.format(
            address=address, suite=suite, components=components, keyring=self.mirror.keyring
        )
        (self.tree / "sources.d" / f"{suite}.sources").write_text(text, encoding="utf-8")

    def _try_update(self, notice: Callable[[str], None]) -> str | None:
        """Fetch the index; return None, or why that failed.

        A mirror that lags behind has an index past its date. That is accepted with a notice: its
        signature is still checked, and `jdks.lock` pins the bytes that are fetched.
        """
        self.locks.go_on()
        process = self._apt("apt-get", "update")
        if process.code == 0:
            return None
        expiry = _EXPIRED.search(process.errors)
        if expiry is None:
            return first_error(process)
        process = self._apt("apt-get", "-o", "Acquire::Check-Valid-Until=false", "update")
        if process.code != 0:
            return first_error(process)
        notice(f"{self.suite}: this mirror's index is out of date ({expiry[1]}); signature checked")
        return None

    def _apt(
        self,
        *command: str,
        cwd: Path | None = None,
        tick: Callable[[], None] | None = None,
    ) -> FinishedProcess:
        limits_s = {"apt-cache": _SHOW_TIMEOUT_S, "apt-get": _DOWNLOAD_TIMEOUT_S}
        return run(
            command,
            cwd=cwd,
            env={"APT_CONFIG": str(self.tree / "apt.conf")},
            timeout_s=_UPDATE_TIMEOUT_S if "update" in command else limits_s[command[0]],
            while_running=tick or self.locks.go_on,
        )


def _offer(fields: Mapping[str, str]) -> Offer:
    return Offer(fields["Package"], fields["Version"], int(fields["Size"]), fields["SHA256"])


def _needs(fields: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """The alternatives of each dependency, by name (Debian Policy 7.1)."""
    for key in ("Pre-Depends", "Depends"):
        for need in filter(None, fields.get(key, "").split(", ")):
            yield tuple(re.split(r"[ (]", choice, maxsplit=1)[0] for choice in need.split(" | "))


class AptSuites:
    """The suites of this machine's mirror, their indexes kept under `folder`."""

    def __init__(self, folder: Path, locks: Locks, progress: Progress) -> None:
        self._folder = folder
        self._locks = locks
        self._progress = progress
        self._guard = threading.Lock()
        self._mirror: Mirror | None = None
        self._guards: dict[str, threading.Lock] = {}
        self._read: dict[str, AptTree | SourceError] = {}

    def suite(self, name: str, components: tuple[str, ...] = MAIN) -> AptTree:
        """The suite of that name, with these parts of the archive; its index was read in this run.

        Raises SourceError.
        """
        key = name if components == MAIN else "+".join((name, *components))
        with self._guard:
            guard = self._guards.setdefault(key, threading.Lock())
        with guard:
            if key not in self._read:
                self._read[key] = self._update(key, name, components)
            outcome = self._read[key]
        if isinstance(outcome, SourceError):
            raise outcome
        return outcome

    def _update(self, key: str, name: str, components: tuple[str, ...]) -> AptTree | SourceError:
        label = f"index of {key}"
        self._progress.start(label, None)
        try:
            with self._guard:
                self._mirror = self._mirror or machine_mirror()
            tree = AptTree(self._folder / key, name, components, self._mirror, self._locks)
            tree.update(self._progress.notice)
            return tree
        except SourceError as error:
            return error
        finally:
            self._progress.finish(label)
