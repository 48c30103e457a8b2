# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does `doctor` find what is lacking, and does each mend name it?"""

import os
import platform
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from jdkmatrix import bootstrap
from jdkmatrix.bootstrap import environment_home
from jdkmatrix.cli import doctor
from jdkmatrix.cli.app import main
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.supplier import Supplier

JARS = "jars of throughput and validate"
TIMEOUT_S = 60


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one folder of the PATH, empty; the cache is empty too."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path / "cache"))
    return folder


def install(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)


def told(capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    code = main(["doctor"])
    return code, capsys.readouterr().out.splitlines()


def test_without_any_maven_the_jars_are_missing(
    tools: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = told(capsys)
    assert code == 2
    (n,) = [n for n, line in enumerate(lines) if JARS in line]
    assert lines[n].startswith("missing")
    assert lines[n + 1].strip().startswith("to fix it: put Maven's mvn on the PATH, or get")


def test_either_maven_will_do(tools: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(tools, "apt-get", "dpkg-deb", "gpgv")
    _, lines = told(capsys)
    assert f"ok      {JARS}: scripts/matrix jdks fetch gets them by Debian's maven" in lines
    install(tools, "mvn")
    _, lines = told(capsys)
    assert f"ok      {JARS}: scripts/matrix jdks fetch gets them by {tools / 'mvn'}" in lines


def no_server(*_: object) -> socket.socket:
    raise OSError(99, "Cannot assign requested address")


FULL = SimpleNamespace(free=0)
WRITABLE = "or make it writable"
FAULTS = [
    (platform, "libc_ver", lambda: ("", ""), ", no glibc", "the sources wheel and debian give "),
    (shutil, "disk_usage", lambda _: FULL, "0 MiB free for {cache}", "free 3300 MiB, or set "),
    (shutil, "disk_usage", lambda _: FULL, "0 MiB free for {reports}", "free 400 MiB, or set "),
    (os, "access", lambda *_: False, "{cache} can be written", f"create {{cache}}, {WRITABLE}"),
    (os, "access", lambda *_: False, "{reports} can be written", f"create {{reports}}, {WRITABLE}"),
    (
        socket,
        "create_server",
        no_server,
        "no server on 127.0.0.1: [Errno 99] Cannot assign requested address",
        "bring the loopback interface up",
    ),
    (
        socket,
        "create_connection",
        no_server,
        "no connection over 127.0.0.1: [Errno 99] Cannot assign requested address",
        "bring the loopback interface up",
    ),
]


@pytest.mark.parametrize(
    ("module", "function", "fault", "what", "mend"), FAULTS, ids=[what for *_, what, _ in FAULTS]
)
def test_a_fault_of_the_machine_is_missing_and_its_mend_beside_it(
    module: ModuleType,
    function: str,
    fault: Any,
    what: str,
    mend: str,
    tools: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folders = {"cache": tools.with_name("cache"), "reports": Checkout.here().reports}
    install(tools, "apt-get", "dpkg-deb", "gpgv")
    monkeypatch.setattr(module, function, fault)
    code, lines = told(capsys)
    assert code == 2
    (n,) = [n for n, line in enumerate(lines) if line.endswith(what.format(**folders))]
    assert lines[n].startswith("missing ")
    assert lines[n + 1].strip().startswith(f"to fix it: {mend.format(**folders)}")


def alone(checkout: Path, tools: Path) -> tuple[int, list[str]]:
    """The answer of a Python that sees no package, as `scripts/matrix` gives it."""
    command = [sys.executable, "-S", str(checkout / "scripts" / "matrix"), "doctor"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert ended.stderr == ""
    assert not tools.with_name("cache").exists()
    return ended.returncode, ended.stdout.splitlines()


def test_it_answers_without_an_environment(root: Path, tools: Path) -> None:
    install(tools, "apt-get", "dpkg-deb", "gpgv")
    code, lines = alone(root, tools)
    assert [line for line in lines if line.startswith("missing")] == []
    assert code == 0
    label = "Python packages of the kit: the first command installs them by "
    assert [line for line in lines if line.startswith(f"ok      {label}")]
    assert f"ok      {JARS}: scripts/matrix jdks fetch gets them by Debian's maven" in lines
    assert lines[-2] == "nothing missing"
    assert lines[-1].startswith("not checked without the Python environment: jdks.yaml")


def test_its_whole_answer_says_where_the_packages_are(
    tools: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "is_ready", lambda _: True)
    home = environment_home(Checkout.here().requirements)
    _, lines = told(capsys)
    assert f"ok      Python packages of the kit: {home}" in lines
    assert [line for line in lines if line.startswith("not checked")] == []


def test_what_no_command_can_start_with_is_missing(
    root: Path, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = tools.with_name("a b")
    monkeypatch.setenv("JDKMATRIX_CACHE", str(cut))
    code, lines = alone(root, tools)
    assert code == 2
    n = lines.index(f"missing {cut}: the path of the cache has a space")
    assert lines[n + 1] == "        to fix it: set JDKMATRIX_CACHE to a path without one"


def test_nothing_to_install_packages_with_is_missing(
    tools: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "_pip_wheel", lambda: None)
    monkeypatch.setattr(bootstrap, "_has_own_pip", lambda: False)
    _, lines = told(capsys)
    n = lines.index("missing Python packages of the kit: no pip")
    assert lines[n + 1] == "        to fix it: install python3-venv or pip"
    install(tools, "apt-get")
    _, lines = told(capsys)
    assert (
        "ok      Python packages of the kit: the first command installs them by "
        f"{tools / 'apt-get'} download python3-pip-whl"
    ) in lines


@pytest.mark.jdk
def test_cached_jars_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    checkout = Checkout.here()
    where = Supplier.of(checkout, offline=False).jars(checkout).fetched()
    _, lines = told(capsys)
    assert f"ok      {JARS} {where}" in lines
