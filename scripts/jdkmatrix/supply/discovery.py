# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which JDKs does this machine already have, and who put them there? None of them is started."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from jdkmatrix.machine.files import open_plain

# Where package managers put JDKs: Debian's and Fedora's, macOS's.
_OF_SYSTEM = (Path("/usr/lib/jvm"), Path("/Library/Java/JavaVirtualMachines"))
# The oldest train of a JDK that compiles all of the kit's programs, and what such a JDK must have.
OLDEST_TOOL_TRAIN = 17
TOOL_JDK = f"a JDK of {OLDEST_TOOL_TRAIN} or later with javac and Flight Recorder"
_VERSION = re.compile(r'^JAVA_VERSION="(?:1\.)?(\d+)', re.MULTILINE)
_GRADLE_PATHS = "org.gradle.java.installations.paths"
_MOST_BYTES = 1 << 20  # of a configuration file; nobody's is larger


@dataclass(frozen=True)
class DiscoveredJdk:
    """A JDK's home, with links resolved, and what names it: `SDKMAN`, `JAVA_HOME`."""

    home: Path
    named_by: tuple[str, ...]


def discover_jdks(
    user_home: Path,
    environment: Mapping[str, str],
    notice: Callable[[str], None],
    of_system: tuple[Path, ...] = _OF_SYSTEM,
) -> tuple[DiscoveredJdk, ...]:
    """Each JDK once, in the order in which they were found.

    `notice` is called for a place that exists but can't be read.
    """
    named_by: dict[Path, list[str]] = {}
    for name, list_homes in _ways(user_home, environment, of_system).items():
        try:
            for home in list_homes():
                names = named_by.setdefault(home.resolve(), [])
                if name not in names:
                    names.append(name)
        except (OSError, ElementTree.ParseError, UnicodeDecodeError, RuntimeError) as error:
            notice(f"{name}: can't be read: {error}")
    return tuple(DiscoveredJdk(home, tuple(names)) for home, names in named_by.items())


def why_no_tool_jdk(home: Path) -> str | None:
    """Why the JDK at `home` cannot be the tool JDK, by what can be seen without starting it."""
    with suppress(OSError, ValueError):  # ValueError: a number of thousands of digits
        version = _VERSION.search(_text(home / "release", errors="replace"))
        if version and int(version[1]) < OLDEST_TOOL_TRAIN:
            return f"it is of train {version[1]}"
    return None if (home / "bin" / "javac").is_file() else "it has no javac"


def _ways(
    user_home: Path, environment: Mapping[str, str], of_system: tuple[Path, ...]
) -> dict[str, Callable[[], Iterator[Path]]]:
    """The tools and places that may have JDKs, and how to list those."""

    def folder_of(variable: str, *default_parts: str) -> Path:
        return Path(environment.get(variable) or user_home.joinpath(*default_parts))

    gradle = folder_of("GRADLE_USER_HOME", ".gradle")
    share = folder_of("XDG_DATA_HOME", ".local", "share")
    mise = Path(environment.get("MISE_DATA_DIR") or share / "mise")
    java_home = environment.get("JAVA_HOME")
    return {
        "JAVA_HOME": lambda: _home_at(Path(java_home)) if java_home else iter(()),
        "system": lambda: (home for folder in of_system for home in _homes_below(folder)),
        "SDKMAN": lambda: _homes_below(folder_of("SDKMAN_DIR", ".sdkman") / "candidates" / "java"),
        "asdf": lambda: _homes_below(folder_of("ASDF_DATA_DIR", ".asdf") / "installs" / "java"),
        "mise": lambda: _homes_below(mise / "installs" / "java"),
        "jenv": lambda: _homes_below(folder_of("JENV_ROOT", ".jenv") / "versions"),
        "IntelliJ": lambda: _homes_below(user_home / ".jdks"),
        "Gradle": lambda: _homes_below(gradle / "jdks", is_nested=True),
        "gradle.properties": lambda: _of_gradle(gradle / "gradle.properties"),
        "toolchains.xml": lambda: _of_maven(user_home / ".m2" / "toolchains.xml"),
    }


def _homes_below(folder: Path, *, is_nested: bool = False) -> Iterator[Path]:
    """The JDKs in a folder; with `is_nested` also one level below, where Gradle unpacks them."""
    if not folder.is_dir():
        return
    for child in sorted(folder.iterdir()):
        homes = list(_home_at(child))
        yield from homes
        if is_nested and not homes:
            yield from _homes_below(child)


def _home_at(folder: Path) -> Iterator[Path]:
    for home in (folder, folder / "Contents" / "Home"):
        if (home / "bin" / "java").is_file():
            yield home
            return


def _of_gradle(properties: Path) -> Iterator[Path]:
    for line in _text(properties).splitlines():
        key, _, paths = line.partition("=")
        if key.strip() == _GRADLE_PATHS:
            for path in filter(None, paths.split(",")):
                yield from _home_at(Path(path.strip()))


def _of_maven(toolchains: Path) -> Iterator[Path]:
    text = _text(toolchains)
    if not text.strip():
        return
    for element in ElementTree.fromstring(text).iter():  # expat limits the cost of entities
        if element.tag.rpartition("}")[2] == "jdkHome" and element.text:
            yield from _home_at(Path(element.text.strip()))


def _text(file: Path, errors: str = "strict") -> str:
    """The text of a file; empty if there is none."""
    if not file.is_file():
        return ""
    with open_plain(file) as stream:
        return stream.read(_MOST_BYTES).decode("utf-8", errors)
