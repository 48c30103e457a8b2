# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Tools of the machine speak English, and may name every path, whatever the user's locale is."""

import os
from pathlib import Path

import pytest

from jdkmatrix.machine.children import ChildEnd, Children
from jdkmatrix.machine.processes import end, run, run_jvm, start_java


def test_the_locale_of_a_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("LANGUAGE", "de")
    process = run(("sh", "-c", 'echo "$LC_ALL ${LANGUAGE-unset}"'), timeout_s=10)
    assert process.output == "C.UTF-8 unset\n"


def test_a_jvm_that_fails_leaves_nothing_where_the_kit_was_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "caller").mkdir()
    (tmp_path / "log").mkdir()
    monkeypatch.chdir(tmp_path / "caller")
    fails = ("sh", "-c", "touch hs_err_pid1.log; exit 1")
    assert run_jvm(fails, timeout_s=10).code == 1
    peer = start_java(fails, tmp_path / "log" / "peer.log")
    end([peer], 10)
    assert Children().run(fails, tmp_path / "log" / "load.log", {}, 10) == (ChildEnd.FINISHED, 1)
    assert not list((tmp_path / "caller").iterdir())


def test_all_are_asked_to_end_before_one_is_waited_for(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    last = start_java(
        ("sh", "-c", f"cat; cat {fifo}"), tmp_path / "last.log"
    )  # ends after the other
    first = start_java(("sh", "-c", f"cat > {fifo}"), tmp_path / "first.log")
    end([last, first], 20)
    assert (last.code, first.code) == (0, 0)
