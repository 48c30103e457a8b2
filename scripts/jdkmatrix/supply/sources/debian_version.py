# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which JDK version does a Debian package version stand for, and which of two is older?"""

import re

from jdkmatrix.machine.processes import complaint, run
from jdkmatrix.supply.sources.source import SourceError

_COMPARE_TIMEOUT_S = 60.0
_JDK_8 = re.compile(r"8u(?P<update>\d+)-(?:ga|b(?P<build>\d+))")
_JDK_9 = re.compile(r"(?P<numbers>\d+(?:\.\d+)*)(?:(?P<ea>~)|\+)(?P<build>\d+)(?(ea)ea)")


def jdk_version_of(package_version: str) -> str:
    """The JDK version in a package version; if it follows no known scheme, all but the epoch.

    `11.0.33~8ea-1` is `11.0.33-ea+8`, `17.0.21+9-1~deb12u1` is `17.0.21+9`, `8u504-ga-1` is
    `8u504-ga`.
    """
    bare = package_version.rpartition(":")[2]
    if match := _JDK_8.match(bare):
        return match[0]
    if match := _JDK_9.match(bare):
        middle = "-ea+" if match["ea"] else "+"
        return f"{match['numbers']}{middle}{match['build']}"
    return bare


def is_older(package_version: str, other_version: str) -> bool:
    """Whether a package version is older than another, by dpkg's order. Raises SourceError."""
    command = ["dpkg", "--compare-versions", package_version, "lt", other_version]
    process = run(command, timeout_s=_COMPARE_TIMEOUT_S)
    if process.code not in (0, 1):
        raise SourceError(f"{package_version}: {complaint(process, 'dpkg:')}")
    return process.code == 0
