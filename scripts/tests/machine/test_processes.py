# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Tools of the machine speak English, and may name every path, whatever the user's locale is."""

import pytest

from jdkmatrix.machine.processes import run


def test_the_locale_of_a_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("LANGUAGE", "de")
    ended = run(("sh", "-c", 'echo "$LC_ALL ${LANGUAGE-unset}"'), timeout_s=10)
    assert ended.output == "C.UTF-8 unset\n"
