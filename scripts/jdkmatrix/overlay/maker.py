# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the user's overlay become classes over one build, kept in the cache, and would the build
load them there?
"""

import hashlib
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from jdkmatrix.errors import MachineError, UsageError, translate_os_errors
from jdkmatrix.machine.files import content_of, text_of
from jdkmatrix.machine.java_program import JavaTool
from jdkmatrix.machine.sealed_folder import made_once
from jdkmatrix.machine.trees import remove_quietly, scratch_folder
from jdkmatrix.overlay.class_files import (
    check_class_versions,
    class_content,
    class_name,
    find_classes,
    package_of,
)
from jdkmatrix.overlay.overlay_request import OverlayRequest
from jdkmatrix.overlay.patching import Patching
from jdkmatrix.overlay.target import copy_packages, modules_of
from jdkmatrix.supply.build import Build, Overlay, overlaid_id

_LAYOUT = "5"
_NOTE = "note.txt"


@dataclass(frozen=True)
class OverlayMaker:
    """Lays overlays over builds. `cache` keeps them, each whole or not at all."""

    patching: Patching
    cache: Path

    def overlaid(self, build: Build, request: OverlayRequest) -> Build:
        """The build with the requested overlay.

        Raises UsageError if that is missing or unreadable, too new for the build, or does not
        apply or compile; MachineError if sources or a compiler can't be had, or writing fails.
        """
        content = _content(request, self.patching.touched_sources(build, request))
        key = hashlib.sha256(f"{_LAYOUT}\0{build.id}\0{build.sha256}\0{content}".encode())
        home = self.cache / f"{request.name}-{key.hexdigest()[:16]}"
        try:
            made_once(home, partial(self._make, build, request))
            note = text_of(home / _NOTE)
        except OSError as error:
            place = error.filename or home
            reason = error.strerror or error
            raise MachineError(f"{request} over {build.id}: {place}: {reason}") from None
        overlay = Overlay(
            name=request.name,
            option=request.option,
            sha256=content,
            java_options=java_options(build.train, home / "classes"),
            note=note,
            intent=request.intent,
            bugs=request.bugs,
        )
        return overlaid(build, overlay)

    def _make(self, build: Build, request: OverlayRequest, whole: Path) -> None:
        make: Callable[[Build, OverlayRequest, Path], str] = (
            self.patching.compile if request.is_patch else self._copy
        )
        (whole / "classes").mkdir()
        note = make(build, request, whole / "classes")
        (whole / _NOTE).write_text(note, encoding="utf-8")

    def _copy(self, build: Build, request: OverlayRequest, classes: Path) -> str:
        with scratch_folder() as scratch:
            folder = request.unpack(scratch)
            check_class_versions(folder, build.train, f"{request} over {build.id}")
            lay_out(folder, classes, build, self.patching.tool, str(request))
        return f"{len(find_classes(classes))} classes as given"


def _content(request: OverlayRequest, sources: Iterable[bytes]) -> str:
    """The SHA-256 of what was given, with the `sources` that it changes.

    Raises UsageError if it does not exist or can't be read.
    """
    digest = hashlib.sha256()
    for path in request.files():
        name = path.relative_to(request.path) if path != request.path else path.name
        with translate_os_errors(UsageError, f"{request}: {name}: cannot be read"):
            content = content_of(path)
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    for content in sources:
        digest.update(f"{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


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
        is_flat = build.train == 8
        folder_name = "" if is_flat else _module_of(module, place, modules, build, subject)
        target = classes / folder_name / place
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


def _module_of(
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


def overlaid(build: Build, overlay: Overlay) -> Build:
    """The build with the overlay; its version stays, and so does what is expected of it."""
    return replace(build, id=overlaid_id(build.id, overlay.name), overlay=overlay)


def java_options(train: int, classes: Path) -> tuple[str, ...]:
    """The options that put `classes` before a JDK's own.

    `classes` holds packages on 8, and a folder for each module from 9 on.
    """
    if train == 8:
        return (f"-Xbootclasspath/p:{classes}",)
    modules = sorted(path for path in classes.iterdir() if path.is_dir())
    return tuple(f"--patch-module={module.name}={module}" for module in modules)
