# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What `java -version` says is the JDK's own word, and nothing of the user's."""

from pathlib import Path

import pytest

from jdkmatrix.bundle.versions import version_text
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
    text = version_text(record)
    assert "OpenJDK Runtime Environment" in text
    assert "s3cret" not in text
    assert "Picked up" not in text


def test_a_path_that_is_none_is_a_jdk_that_is_gone() -> None:
    record = make_build("debian-17").model_copy(update={"home": "/a\0b"})
    assert version_text(record).startswith("(This JDK is not there any more.")
