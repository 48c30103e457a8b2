# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do the tests of jars buy from? A program `mvn` that fills a repository as Maven would.

It takes the arguments that the kit gives and understands no others.
"""

import hashlib
import json
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jdkmatrix.supply.build import Artifact
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.jdk_cache import Cache
from jdkmatrix.supply.jars.jar_cache import Jars, JarsLock, jar_path
from jdkmatrix.supply.jars.maven import MachineMaven, MavenWay
from tests.supply.supply_kit import ProgressLog

MVN = """#!{python}
import json, sys
from pathlib import Path
options = dict(a.partition("=")[::2] for a in sys.argv[1:])
shelf = json.loads(Path({shelf!r}).read_text())
if shelf["error"]:
    print("[ERROR] " + shelf["error"] + "\\n[ERROR] \\n[ERROR] Re-run Maven with -X")
    sys.exit(1)
if "dependency:list" not in options or not Path(options["--file"]).is_file():
    sys.exit("unknown goal or pom")
lines = ["", "The following files have been resolved:"]
for name, version, path, content in shelf["profiles"][options["--activate-profiles"]]:
    place = Path(options["-Dmaven.repo.local"]) / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(content)
    group, artifact, *classifier = name.split(":")
    lines.append("   " + ":".join([group, artifact, "jar", *classifier, version])
        + " -- module a.b [auto]")
Path(options["-DoutputFile"]).write_text("\\n".join(lines) + "\\n")
"""

SHELF = {
    "peer": (("org.wire:mock", "3.1"), ("com.azure:json", "2.15")),
    "azure": (
        ("com.azure:http", "1.16"),
        ("com.azure:json", "2.18"),
        ("io.netty:tcnative:linux-x86_64", "2.0.1.Final"),
    ),
}


@dataclass
class Registry:
    """A pom, a `mvn` in `bin` that resolves it, a cache."""

    root: Path
    progress: ProgressLog = field(default_factory=ProgressLog)

    @property
    def pom(self) -> Path:
        return self.root / "pom.xml"

    @property
    def bin(self) -> Path:
        return self.root / "bin"

    def stock(self, *, error: str = "", suffix: str = "", extra: bool = False) -> None:
        """Say what Maven finds; `suffix` makes the bytes others, `extra` the set of jars."""
        profiles = {
            profile: [
                (name, version, str(jar_path(Artifact(name, version, 0, ""))), name + suffix)
                for name, version in (*jars, *((("not.in:lock", "1"),) if extra else ()))
            ]
            for profile, jars in SHELF.items()
        }
        shelf = self.root / "shelf.json"
        shelf.write_text(json.dumps({"error": error, "profiles": profiles}))
        self.bin.mkdir(exist_ok=True)
        program = self.bin / "mvn"
        program.write_text(MVN.format(python=sys.executable, shelf=str(shelf)))
        program.chmod(0o755)
        ids = "".join(f"<profile><id>{profile}</id></profile>" for profile in SHELF)
        self.pom.write_text(
            '<project xmlns="http://maven.apache.org/POM/4.0.0">'
            f"<profiles>{ids}</profiles></project>"
        )

    def jars(
        self,
        ways: Sequence[MavenWay] = (MachineMaven(),),
        *,
        offline: bool = False,
        stop: threading.Event | None = None,
    ) -> Jars:
        locks = Locks(self.root / "cache" / "locks", stop or threading.Event())
        cache = Cache(self.root / "cache", locks)
        return Jars(lock(), self.pom, cache, locks, ways, self.progress, offline)

    def installs(self) -> list[Path]:
        builds = self.root / "cache" / "builds"
        return sorted(builds.iterdir()) if builds.is_dir() else []

    def list_staging(self) -> list[Path]:
        staging = self.root / "cache" / "staging"
        return list(staging.iterdir()) if staging.is_dir() else []


def lock() -> JarsLock:
    """What `jars.lock` says of the shelf."""
    return JarsLock(
        class_paths={
            profile: tuple(
                Artifact(name, version, len(name), hashlib.sha256(name.encode()).hexdigest())
                for name, version in jars
            )
            for profile, jars in SHELF.items()
        }
    )
