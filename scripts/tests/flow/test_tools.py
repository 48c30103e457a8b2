# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a run go on without?"""

from dataclasses import replace
from pathlib import Path

import pytest

from jdkmatrix.flow.tools import Tools
from jdkmatrix.paths import Checkout
from tests.flow.run_kit import PLAIN


def test_a_build_that_cannot_be_asked_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path))
    notices: list[str] = []
    tool_jdk = replace(PLAIN, home=Path("/nix"))
    assert Tools(Checkout.current()).ask(PLAIN, tool_jdk, notices.append, defaults=False) == {}
    assert notices == [
        f"{PLAIN.id}: could not be queried: compiling the facts: the tool JDK has no /nix/bin/javac"
    ]
