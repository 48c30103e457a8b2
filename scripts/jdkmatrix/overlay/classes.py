# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where do an overlay's given classes belong in a build, and would it load them there?"""

import shutil
from collections.abc import Mapping
from pathlib import Path

from jdkmatrix.errors import UsageError
from jdkmatrix.machine.java_tool import JavaTool
from jdkmatrix.machine.trees import remove_quietly
from jdkmatrix.overlay.class_files import class_content, class_name, find_classes, package_of
from jdkmatrix.overlay.target import copy_packages, modules_of
from jdkmatrix.supply.build import Build


def lay_out(folder: Path, classes: Path, build: Build, tool: JavaTool, subject: str) -> None:
    """Copy the classes under `folder` into `classes`, below their modules from 9 on.

    They may be below modules already (`java.base/sun/...`), on 8 too. A class that the JVM silently
    ignores would be graded as if it were in force. So this raises UsageError for a class that is
    not where its name says, a package that no module of the build has, a stated module that the
    build lacks or that is not the package's, and if no class is of a package of the build.
    """
    places = {path: _place(folder, path, subject) for path in find_classes(folder)}
    packages = sorted({package_of(place) for _, place in places.values()})
    named_modules = {module for module, _ in places.values() if module}
    if build.train > 8 and named_modules:
        _check_modules(named_modules, build, subject)
    scratch = classes.with_name("target")
    modules = copy_packages(build, packages, scratch, tool)
    remove_quietly(scratch)
    if not modules:
        raise _no_package(packages[0], build, subject)
    for path, (module, place) in places.items():
        module_folder = "" if build.train == 8 else _module(module, place, modules, build, subject)
        target = classes / module_folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / path, target)


def _place(folder: Path, path: Path, subject: str) -> tuple[str, Path]:
    """The module that a class file states by its folder, if any, and its place in the module."""
    try:
        name = class_name(class_content(folder, path, subject))
    except ValueError:
        raise UsageError(f"{subject}: {path} is not a class file") from None
    place = Path(f"{name}.class")
    module, _, rest = path.as_posix().partition("/")
    if path == place:
        return "", place
    # A module's folder has a dot in its name, a package's never.
    if "." in module and rest == place.as_posix():
        return module, place
    raise UsageError(
        f"{subject}: {path} is the class {name.replace('/', '.')}; accepted: at {place}, or there "
        "in a folder for its module (java.base/...)"
    )


def _check_modules(named_modules: set[str], build: Build, subject: str) -> None:
    unknown = sorted(named_modules - modules_of(build))
    if unknown:
        raise UsageError(
            f"{subject}: {build.id} has no module {unknown[0]}; accepted: a folder for each of its "
            "modules (java.base/...), or packages alone"
        )


def _module(
    named_module: str, place: Path, modules: Mapping[str, str], build: Build, subject: str
) -> str:
    """The module that a class goes into. `modules` has the module of each package of the build."""
    package = package_of(place)
    package_module = modules.get(package)
    if not named_module and package_module is None:
        raise _no_package(package, build, subject)
    if named_module and package_module not in (None, named_module):
        raise UsageError(
            f"{subject}: {named_module}/{place}: accepted: below {package_module}, which has "
            f"{package} in {build.id}"
        )
    return named_module or str(package_module)


def _no_package(package: str, build: Build, subject: str) -> UsageError:
    has_no = f"has no package {package}" if package else "has no classes outside of packages"
    return UsageError(
        f"{subject}: {build.id} {has_no}; accepted: classes of the JDK's packages, or a folder for "
        "each module (java.base/...)"
    )
