# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a JDK refused whose configuration was left behind?"""

from pathlib import Path

import pytest

from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.jdk_facts import check_configuration

LIBRARIES = {"lib/modules": "conf", "jre/lib/rt.jar": "jre/lib", "lib/rt.jar": "lib"}


def jdk(home: Path, library: str) -> Path:
    """A JDK, or a JRE of 8, as far as its classes and configuration; the latter's folder."""
    folder = home / LIBRARIES[library]
    for path in (home / library, folder / "security/java.security", folder / "net.properties"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return folder


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_whole_one_passes(tmp_path: Path, library: str) -> None:
    jdk(tmp_path, library)
    check_configuration(tmp_path)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", ["security/java.security", "net.properties"])
def test_a_file_that_is_missing_is_named(tmp_path: Path, library: str, name: str) -> None:
    folder = jdk(tmp_path, library)
    (folder / name).unlink()
    place = f"{LIBRARIES[library]}/{name}"
    with pytest.raises(SourceError, match=f"incomplete: {place} is not there$"):
        check_configuration(tmp_path)


def test_a_link_to_nothing_is_named_with_its_target(tmp_path: Path) -> None:
    """So is each file of a Debian JDK 8 that was copied without /etc/java-8-openjdk."""
    file = jdk(tmp_path, "jre/lib/rt.jar") / "security/java.security"
    file.unlink()
    file.symlink_to("/etc/java-8-nowhere/java.security")
    says = (
        "^its configuration is incomplete: jre/lib/security/java.security is a link to "
        "/etc/java-8-nowhere/java.security, which is not there$"
    )
    with pytest.raises(SourceError, match=says):
        check_configuration(tmp_path)
