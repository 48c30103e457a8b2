# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which licence does a Python package or a POM declare, what does a runtime say of its own, and is
that an open-source one?
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution
from pathlib import Path
from xml.etree import ElementTree

import license_expression as spdx

from jdkmatrix.machine.files import text_of
from jdkmatrix.supply.build import SourceError

NONE_DECLARED = "none"
# Where an install from Maven has the POM that declares its licence, and the runtime.
POM = "declares-licence.pom"
RUNTIME = "root"
_RUNTIME_LICENCES = ("legal/java.base/LICENSE", "LICENSE")
# POMs declare a name in the author's words; these are in use for open-source licences, here by
# their ids in SPDX's list.
OPEN_NAMES = {
    "Apache License, Version 2.0": "Apache-2.0",
    "The Apache License, Version 2.0": "Apache-2.0",
    "The Apache Software License, Version 2.0": "Apache-2.0",
    "GNU LGPL 3": "LGPL-3.0-only",
}
# By the SHA-256 of a file's words, joined by blanks: nothing may be added or left out.
_TEXTS = {
    # OpenJDK's LICENSE from 11 on: GPL 2 with the Classpath exception.
    "83bb9538871910cb3b4ccd0be4bef40db7a20109c49415c28ca298da6c125372": (
        "GPL-2.0-only WITH Classpath-exception-2.0"
    ),
}
_COORDINATE = re.compile(r"[A-Za-z0-9_]+([.+-][A-Za-z0-9_+-]+)*")
_PARENT = ("groupId", "artifactId", "version")
_MOST_PARENTS = 20
# Categories of ScanCode's LicenseDB, whose index license-expression carries.
_OPEN = frozenset({"Copyleft", "Copyleft Limited", "Permissive", "Public Domain"})
_OPEN_CLASSIFIERS = ("License :: OSI Approved :: ", "License :: Public Domain")
_LONGEST = 80


@dataclass(frozen=True)
class Licence:
    """What a package declares, or `none`. Many declare it only for what is around a JDK."""

    text: str
    is_open_source: bool


def check_open_source(licence: Licence, accepted_text: str | None, refusal: str) -> None:
    """Raises SourceError unless a licence is an open-source one, or the user accepts it; its text
    begins with `refusal`.
    """
    if not licence.is_open_source and licence.text != accepted_text:
        raise SourceError(
            f"{refusal}, not known as an open-source one; to accept it, add to its source in "
            f"jdks.yaml: licence-accepted: {licence.text}"
        )


def declared_licence(folder: Path) -> Licence | None:
    """The licence of the wheel unpacked at `folder`; None if that is no wheel.

    From its expression (PEP 639), otherwise its classifiers, otherwise its old free text.
    """
    about = next(iter(sorted(folder.glob("*.dist-info"))), None)
    if about is None:
        return None
    fields = Distribution.at(about).metadata
    if expression := "".join(fields.get_all("License-Expression") or ()):
        return Licence(_short(expression), _is_open_source(expression))
    if licence := _of_classifiers(fields.get_all("Classifier") or ()):
        return licence
    text = "".join(fields.get_all("License") or ()).strip()
    if text in ("", "UNKNOWN"):  # what setuptools wrote for none
        return Licence(NONE_DECLARED, False)
    return Licence(_short(text), _is_open_source(text))


def _of_classifiers(classifiers: Iterable[str]) -> Licence | None:
    licences = [name for name in classifiers if name.startswith("License ::")]
    if not licences:
        return None
    names = " and ".join(name.rpartition(" :: ")[2] for name in licences)
    return Licence(_short(names), all(name.startswith(_OPEN_CLASSIFIERS) for name in licences))


def licence_of(install: Path) -> Licence | None:
    """The licence of a cached install, as `jdks list` shows it; None if its source has none."""
    if (install / POM).is_file():
        return archive_licence(install)
    return declared_licence(install / RUNTIME)


def archive_licence(install: Path) -> Licence | None:
    """The licences of an install from Maven: its POM's and the runtime's; None if it has no file
    of the latter. Open source if both are.
    """
    runtime = _runtime_licence(install / RUNTIME)
    if runtime is None:
        return None
    names = _names_in(_project(install / POM))
    pom_text = " and ".join(names) or NONE_DECLARED
    is_open = bool(names) and all(_is_open_source(OPEN_NAMES.get(name, name)) for name in names)
    text = f"{_short(pom_text)} AND {runtime.text}"
    return Licence(text, is_open and runtime.is_open_source)


def declaring_pom(pom: Path, repository: Path) -> Path | None:
    """The POM that declares the licence of `pom`: itself, or the nearest parent in the folder
    `repository`. None if none of them does.
    """
    for _ in range(_MOST_PARENTS):
        project = _project(pom)
        if _names_in(project):
            return pom
        texts = [project.findtext(f"{{*}}parent/{{*}}{key}", "").strip() for key in _PARENT]
        if not all(map(_COORDINATE.fullmatch, texts)):  # none, or a property
            return None
        group, artifact, version = texts
        folder = repository.joinpath(*group.split("."), artifact, version)
        pom = folder / f"{artifact}-{version}.pom"
    return None


def _project(pom: Path) -> ElementTree.Element:
    try:
        return ElementTree.parse(pom).getroot()
    except (OSError, ElementTree.ParseError):  # Maven itself goes on without a POM
        return ElementTree.Element("project")


def _names_in(project: ElementTree.Element) -> list[str]:
    """The names of the licences that a POM declares."""
    names = project.iterfind("{*}licenses/{*}license/{*}name")
    return [text for name in names if (text := " ".join((name.text or "").split()))]


def _runtime_licence(home: Path) -> Licence | None:
    file = next((home / name for name in _RUNTIME_LICENCES if (home / name).is_file()), None)
    words = text_of(file, errors="replace").split() if file else []
    if not words:
        return None
    sha256 = hashlib.sha256(" ".join(words).encode()).hexdigest()
    if sha256 in _TEXTS:
        return Licence(_TEXTS[sha256], True)
    return Licence(_short(" ".join(words)), False)


@cache  # to read the index costs 0.1 s, and many builds declare the same
def _is_open_source(expression: str) -> bool:
    if expression in OPEN_NAMES.values():  # without the index, so that `jdks list` starts at once
        return True
    try:
        tree = spdx.get_spdx_licensing().parse(expression)
    except spdx.ExpressionError:
        return False
    kinds = {row["spdx_license_key"]: row["category"] for row in spdx.get_license_index()}
    return _holds(tree, kinds)


def _holds(tree: spdx.LicenseExpression | None, kinds: dict[str, str]) -> bool:
    if isinstance(tree, spdx.OR):
        return any(_holds(part, kinds) for part in tree.args)
    if isinstance(tree, spdx.AND):
        return all(_holds(part, kinds) for part in tree.args)
    if isinstance(tree, spdx.LicenseWithExceptionSymbol):
        parts = (tree.license_symbol, tree.exception_symbol)
        return all(_holds(part, kinds) for part in parts)
    return isinstance(tree, spdx.LicenseSymbol) and kinds.get(tree.key) in _OPEN


def _short(text: str) -> str:
    line = text.splitlines()[0].strip()
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
