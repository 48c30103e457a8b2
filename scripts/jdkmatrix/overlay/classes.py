# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where do the given classes of an overlay belong in a build?"""

import shutil
from pathlib import Path

from jdkmatrix.errors import UsageError
from jdkmatrix.java_program import JavaProgram
from jdkmatrix.overlay.class_files import find_classes, package_of
from jdkmatrix.overlay.target import copy_packages
from jdkmatrix.supply.build import Build


def lay_out(
    given: Path, classes: Path, build: Build, reader: JavaProgram, java: Path, what: str
) -> None:
    """Copy the classes under `given` into `classes`, below their modules from 9 on.

    They may lie below modules already (`java.base/sun/...`), on 8 too. Raises UsageError for a
    package that no module of the build has.
    """
    places = {path: _without_module(path) for path in find_classes(given)}
    packages = {package_of(place) for _, place in places.values()}
    scratch = classes.with_name("target")
    modules = copy_packages(build, packages, scratch, reader, java)
    shutil.rmtree(scratch, ignore_errors=True)
    for path, (stated, place) in places.items():
        module = "" if build.train == 8 else stated or modules.get(package_of(place))
        if module is None:
            raise UsageError(
                f"{what}: {build.id} has no package {package_of(place)}; accepted: classes of the "
                "JDK's packages, or a folder for each module (java.base/...)"
            )
        target = classes / module / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(given / path, target)


def _without_module(path: Path) -> tuple[str, Path]:
    """A module's folder has a dot in its name, a package's never."""
    if "." in path.parts[0]:
        return path.parts[0], Path(*path.parts[1:])
    return "", path
