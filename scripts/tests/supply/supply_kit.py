# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do the supply tests stand on? Small JDKs in real wheels, read by the real pip.

The JDK is a shell script that answers as `java -XshowSettings:properties -version` does, so that
every step between `jdks.yaml` and a cached build runs for real, without a network.
"""

import base64
import hashlib
import os
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.supply.supplier import Supplier

JAVA = """#!/bin/sh
cat >&2 <<END
    java.home = /jdk
    java.runtime.version = {version}
    java.vendor = {vendor}
    java.vm.name = OpenJDK 64-Bit Server VM
    java.vm.version = {version}
    os.arch = amd64
END
"""


def write_jdk(home: Path, version: str = "17.0.3+7", vendor: str = "Eclipse Adoptium") -> Path:
    """A JDK that says it is this one."""
    for folder in ("bin", "lib/jfr", "lib/security", "conf/security"):
        (home / folder).mkdir(parents=True)
    java = home / "bin" / "java"
    java.write_text(JAVA.format(version=version, vendor=vendor))
    java.chmod(0o755)
    (home / "lib" / "modules").write_bytes(b"classes" * 10_000)
    (home / "lib" / "jfr" / "default.jfc").write_text("<configuration/>\n")
    (home / "lib" / "security" / "cacerts").write_text("roots\n")
    (home / "conf" / "net.properties").write_text("plain\n")
    (home / "conf" / "security" / "java.security").write_text("plain\n")
    (home / "release").write_text(f'JAVA_VERSION="{version}"\n')
    return home


def full_jdk(home: Path, version: str = "17.0.9+9", javac: str = "exit 0") -> Path:
    """A JDK that says it is this one, and counts how often its `java` is started."""
    write_jdk(home, version, "Debian")
    java = home / "bin" / "java"
    count = f"echo >> {home.with_name(home.name + 'starts')}"
    java.write_text(java.read_text().replace("#!/bin/sh\n", f"#!/bin/sh\n{count}\n"))
    program = home / "bin" / "javac"
    program.write_text(f"#!/bin/sh\n{javac}\n")
    program.chmod(0o755)
    return home


def starts(home: Path) -> int:
    file = home.with_name(home.name + "starts")
    return len(file.read_text()) if file.exists() else 0


GPL = "License-Expression: GPL-2.0-only WITH Classpath-exception-2.0"


def write_wheel(folder: Path, name: str, version: str, jdk: Path, licence: str = GPL) -> Path:
    """A wheel that pip accepts, with the JDK inside and, as in real ones, no execute bits.

    `licence` is lines of its METADATA.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info_folder = f"{name}-{version}.dist-info"
    contents = {
        f"{name}/java-runtime/{file.relative_to(jdk).as_posix()}": file.read_bytes()
        for file in sorted(jdk.rglob("*"))
        if file.is_file()
    }
    contents[f"{info_folder}/METADATA"] = (
        f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n{licence}\n".encode()
    )
    contents[f"{info_folder}/WHEEL"] = (
        b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    lines = []
    for member, content in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{member},sha256={digest},{len(content)}")
    contents[f"{info_folder}/RECORD"] = "\n".join([*lines, f"{info_folder}/RECORD,,", ""]).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in contents.items():
            archive.writestr(zipfile.ZipInfo(member), content)
    return path


def jdks_of(*entries: dict[str, object]) -> JdksFile:
    """A `jdks.yaml` with these entries."""
    return JdksFile.model_validate(
        {
            "schema": 1,
            "tools": {
                "jdk": entries[0]["id"],
                "jtreg": {"source": "debian", "suite": "bookworm", "packages": ["jtreg7"]},
                "maven": {"source": "debian", "suite": "bookworm", "packages": ["maven"]},
            },
            "default": [],
            "builds": list(entries),
        }
    )


def from_wheel(entry_id: str, version: str) -> dict[str, object]:
    """An entry whose JDK lies in the wheel `fakejdk`."""
    return {
        "id": entry_id,
        "sources": [{"source": "wheel", "package": "fakejdk", "version": version}],
    }


@dataclass
class ProgressLog:
    """Remembers what a progress display was told."""

    notices: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    def start(self, label: str, total_bytes: int | None) -> None:
        self.labels.append(label)

    def advance(self, label: str, done_bytes: int) -> None:
        pass

    def finish(self, label: str) -> None:
        pass

    def notice(self, text: str) -> None:
        self.notices.append(text)


@dataclass(frozen=True)
class Shop:
    """A folder of wheels that pip is told to use, a cache and a lock file."""

    root: Path
    progress: ProgressLog

    @property
    def wheels(self) -> Path:
        return self.root / "wheels"

    @property
    def cache(self) -> Path:
        return self.root / "cache"

    @property
    def lock(self) -> Path:
        return self.root / "jdks.lock"

    def offer(
        self,
        version: str,
        java_version: str,
        vendor: str = "Eclipse Adoptium",
        licence: str = GPL,
        missing_file: str | None = None,
        javac: bool = False,
    ) -> Path:
        """Put a wheel on offer, perhaps without a file of the JDK, or with a javac."""
        jdk = write_jdk(self.root / f"jdk-{os.urandom(4).hex()}", java_version, vendor)
        if javac:
            (jdk / "bin" / "javac").write_text("#!/bin/sh\n")
        if missing_file:
            (jdk / missing_file).unlink()
        return write_wheel(self.wheels, "fakejdk", version, jdk, licence)

    def supplier(
        self, jdks: JdksFile, *, offline: bool = False, paranoid: bool = False
    ) -> Supplier:
        return Supplier(jdks, self.lock, self.cache, offline, self.progress, paranoid)

    def list_staging(self) -> list[Path]:
        """What lies about in the staging folder."""
        staging = self.cache / "staging"
        return list(staging.iterdir()) if staging.is_dir() else []

    def installs(self) -> list[Path]:
        builds = self.cache / "builds"
        return sorted(builds.iterdir()) if builds.is_dir() else []


def open_shop(root: Path, patch: pytest.MonkeyPatch) -> Shop:
    """A shop in that folder with no wheel yet; pip sees nothing else."""
    shop = Shop(root, ProgressLog())
    shop.wheels.mkdir()
    patch.setenv("PIP_NO_INDEX", "1")
    patch.setenv("PIP_CONFIG_FILE", os.devnull)
    patch.setenv("PIP_FIND_LINKS", str(shop.wheels))
    return shop
