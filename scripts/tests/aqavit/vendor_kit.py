# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A tree of aqa-tests with the kit, as by `get.sh --vendor_repos URL --vendor_dirs jtreg`."""

import shutil
import subprocess
from pathlib import Path

NAMES = ("scripts", "test", "jtreg")


def git(folder: Path, *words: str) -> str:
    """Run git there; return what it printed."""
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    command = ["git", "-C", str(folder), *identity, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path) -> str:
    """Make a repository of a folder; return its commit."""
    git(folder, "init", "-q")
    git(folder, "add", "-f", ".")
    git(folder, "commit", "-q", "-m", folder.name)
    return git(folder, "rev-parse", "HEAD")


def get(kit: Path, test_root: Path, number: int = 0) -> None:
    """What get.sh does: the folder is copied, of the clone nothing but its `.git` stays."""
    clone = test_root / f"vendor_{number}"
    git(kit, "clone", "-q", "--depth", "1", f"file://{kit}", str(clone))
    shutil.copytree(clone / "jtreg", test_root / "jtreg", dirs_exist_ok=True)
    git(clone, "rm", "-rqf", ".")
    git(clone, "clean", "-fxdq")


def compile_step(test_root: Path, jdk: Path, environment: dict[str, str], script: str = "") -> Path:
    """What build.xml does; return TEST_RESROOT. The `script` may be a path from `test_root` on."""
    place = test_root.parent / "jvmtest" / "jtreg"
    place.mkdir(parents=True)
    for name in ("aqavit.sh", "build.xml", "playlist.xml"):
        shutil.copy(test_root / "jtreg" / name, place)
    script = script or str(test_root / "jtreg" / "aqavit.sh")
    command = ["sh", script, "compile", str(place), str(jdk)]
    subprocess.run(
        command, check=True, env=environment, cwd=test_root, capture_output=True, timeout=900
    )
    return place
