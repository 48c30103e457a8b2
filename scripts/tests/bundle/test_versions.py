# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What `java -version` says is the JDK's own word, and nothing of the user's."""

from pathlib import Path

import pytest

from jdkmatrix.bundle.trial import JdksAtHand
from tests.report.conftest import make_build


@pytest.mark.jdk
def test_java_options_of_the_user_are_not_told(
    tool_jdk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A JVM prints them, and a proxy's password may be one of them."""
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Dhttps.proxyPassword=s3cret")
    record = make_build("debian-17").model_copy(
        update={"home": str(tool_jdk), "facts": {"version": "17"}}
    )
    text = JdksAtHand((tool_jdk,)).version_text(record)
    assert "OpenJDK Runtime Environment" in text
    assert "s3cret" not in text
    assert "Picked up" not in text


def test_a_jdk_that_is_gone_is_told(tmp_path: Path) -> None:
    record = make_build("debian-17").model_copy(update={"home": str(tmp_path / "gone")})
    text = JdksAtHand((tmp_path,)).version_text(record)
    assert text.startswith("(This JDK no longer exists.")


@pytest.mark.parametrize("home", ["elsewhere", "jdks/../elsewhere", "jdks/link", "/a\0b"])
def test_no_program_of_another_folder_is_started(tmp_path: Path, home: str) -> None:
    """A record of a run that was made elsewhere names what it likes."""
    java = tmp_path / "elsewhere" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\necho 17 >&2\n")
    java.chmod(0o755)
    (tmp_path / "jdks").mkdir()
    (tmp_path / "jdks" / "link").symlink_to(tmp_path / "elsewhere")
    record = make_build("debian-17").model_copy(
        update={"home": str(tmp_path / home), "facts": {"version": "17"}}
    )
    at_hand = JdksAtHand((tmp_path / "jdks",))
    assert at_hand.java(record) is None
    assert "is outside the kit's cache, and --jdk does not" in at_hand.version_text(record)
    assert not (tmp_path / "started").exists()
    if "\0" not in home:
        assert JdksAtHand((tmp_path / "elsewhere",)).java(record)
        assert (tmp_path / "started").exists()
