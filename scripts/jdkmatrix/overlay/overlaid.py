# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a build become with an overlay?"""

from dataclasses import replace
from pathlib import Path

from jdkmatrix.supply.build import Build, Overlay


def overlaid_id(build_id: str, name: str) -> str:
    """The id of a build with an overlay; no other build has it."""
    return f"{build_id}+overlay-{name}"


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
