# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a JDK say about itself when it is run?"""

import errno
import re
from pathlib import Path

from jdkmatrix.machine.endings import refusal_in
from jdkmatrix.machine.files import text_of
from jdkmatrix.machine.java_program import WITHOUT_C2
from jdkmatrix.machine.processes import complaint, run_jvm
from jdkmatrix.supply.build import BuildFacts, SourceError

_CONFIGURATION = ("security/java.security", "net.properties")
_START_TIMEOUT_S = 60.0
_DEBUG_VM_8 = re.compile(r"-(fastdebug|debug)$")
_PROPERTY = re.compile(r"^ {4}(\S+) = (.*)$", re.MULTILINE)


def measure(home: Path) -> BuildFacts:
    """Run the JDK at `home` once. Raises SourceError if it does not start or lacks a property."""
    properties = dict(_PROPERTY.findall(_start(home, "-XshowSettings:properties")))
    try:
        return BuildFacts(
            version=properties["java.runtime.version"],
            vendor=properties["java.vendor"],
            vm_name=properties["java.vm.name"],
            vm_version=properties["java.vm.version"],
            arch=properties["os.arch"],
            java_home="jre" if Path(properties["java.home"]).name == "jre" else ".",
            has_jfr=(home / "lib/jfr").is_dir() or (home / "jre/lib/jfr.jar").is_file(),
            has_javac=(home / "bin/javac").is_file() or (home / "bin/javac.exe").is_file(),
            debug_level=properties.get("jdk.debug") or _debug_level_8(properties),
            vendor_signs="; ".join(
                (
                    properties.get("java.vm.vendor", ""),
                    _release_property(home, "IMPLEMENTOR") or "",
                    home.name,
                )
            ),
            c_library=c_library(home),
            release_date=properties.get("java.version.date"),
        )
    except KeyError as missing:
        raise SourceError(f"does not say its {missing.args[0]}") from None


def try_start(home: Path, *options: str) -> None:
    """Start a JVM of the JDK at `home` with these options, for less than 0.1 s of CPU time. Raises
    SourceError.
    """
    _start(home, *WITHOUT_C2, *options)


def _start(home: Path, *options: str) -> str:
    """What a JVM with these options prints with its version. Raises SourceError."""
    try:
        process = run_jvm((java_of(home), *options, "-version"), timeout_s=_START_TIMEOUT_S)
    except OSError as error:
        reason = " (for another processor, or damaged)" if error.errno == errno.ENOEXEC else ""
        raise SourceError(f"does not start: {error.strerror}{reason}") from None
    text = process.errors + process.output
    if process.code != 0:
        reason = refusal_in(text) or complaint(process, "rror")
        raise SourceError(f"does not start: {reason}")
    return text


def java_of(home: Path) -> Path:
    """The `java` program of a JDK, also of one for Windows."""
    plain = home / "bin" / "java"
    return plain if plain.exists() else plain.with_name("java.exe")


def _debug_level_8(properties: dict[str, str]) -> str:
    match = _DEBUG_VM_8.search(properties["java.vm.version"])
    return {None: "release", "debug": "slowdebug"}.get(match and match[1], "fastdebug")


def listed_modules(home: Path) -> list[str] | None:
    """The modules that the image's `release` file lists; None before 9 or without such a list."""
    modules = _release_property(home, "MODULES")
    return None if modules is None else modules.split()


def listed_version(home: Path) -> str | None:
    """The version that the JDK's `release` file has, the more exact one; None without it."""
    runtime_version = _release_property(home, "JAVA_RUNTIME_VERSION")
    return runtime_version or _release_property(home, "JAVA_VERSION")


def c_library(home: Path) -> str | None:
    """What the image's `release` file says it was built for: `gnu`, `musl`; None in older ones."""
    return _release_property(home, "LIBC")


def listed_date(home: Path) -> str | None:
    """The date of the release that the image's `release` file has; None without it."""
    return _release_property(home, "JAVA_VERSION_DATE")


def _release_property(home: Path, key: str) -> str | None:
    """A value of the image's `release` file; None without it."""
    try:
        text = text_of(home / "release", errors="replace")
    except OSError:
        return None
    match = re.search(rf'^{key}="(.*)"$', text, re.MULTILINE)
    return match[1] if match else None


def class_library(home: Path) -> Path | None:
    """The file that holds the JDK's classes: `lib/modules`, or `rt.jar` on 8."""
    for name in ("lib/modules", "jre/lib/rt.jar", "lib/rt.jar"):
        if (home / name).is_file():
            return home / name
    return None


def check_configuration(home: Path) -> None:
    """Refuse a JDK without java.security or net.properties: its JVM would run with other defaults.

    On 8 such a JVM has no elliptic curves, and SSLv3. Debian's packages have links into /etc there,
    which a copy of the JDK alone leaves behind. Raises SourceError.
    """
    library = class_library(home)
    if library is None:
        return
    folder = home / "conf" if library.name == "modules" else library.parent
    for name in _CONFIGURATION:
        path = folder / name
        if not path.exists():
            place = path.relative_to(home)
            links = f" is a link to {path.readlink()}, which" if path.is_symlink() else ""
            raise SourceError(f"its configuration is incomplete: {place}{links} is not there")


def find_home(root: Path, marker: str) -> Path:
    """The folder that has `marker`, such as `bin/java`. Raises SourceError if there is none."""
    depth = len(Path(marker).parts)
    folders = [path.parents[depth - 1] for n in ("", ".exe") for path in root.rglob(marker + n)]
    homes = sorted((path for path in folders if path.name != "jre"), key=lambda p: len(p.parts))
    for home in homes:
        if not home.is_symlink() and home != root / "usr":
            return home
    raise SourceError(f"nothing in it has {marker}")
