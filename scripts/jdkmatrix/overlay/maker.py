# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the user's overlay become classes over one build, kept in the cache?"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.machine.bounded import content_of, text_of
from jdkmatrix.machine.scratch import scratch_folder
from jdkmatrix.machine.sealed_folder import made_once
from jdkmatrix.overlay.class_files import check_class_versions, find_classes
from jdkmatrix.overlay.classes import lay_out
from jdkmatrix.overlay.overlaid import java_options, overlaid
from jdkmatrix.overlay.overlay_request import OverlayRequest
from jdkmatrix.overlay.patching import Patching
from jdkmatrix.supply.build import Build, Overlay

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
        try:
            content = content_of(path)
            digest.update(f"{name}\0{len(content)}\0".encode())
            digest.update(content)
        except OSError as error:
            raise UsageError(f"{request}: {name}: cannot be read: {error.strerror}") from None
    for content in sources:
        digest.update(f"{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()
