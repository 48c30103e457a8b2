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
from jdkmatrix.cli import machine_checks
from jdkmatrix.cli.app import main
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.supplier import Supplier
from tests.supply.supply_kit import full_jdk, starts

JARS = "jars of throughput, validate and :interop"
TIMEOUT_S = 60


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one folder of the PATH, empty; the cache is empty too, and nobody has put a JDK on this
    machine: each that is there would be started.
    """
    monkeypatch.delenv("JAVA_HOME", raising=False)
    for module in ("jdkmatrix.supply.tool_jdk", "jdkmatrix.supply.discovery"):
        monkeypatch.setattr(f"{module}.discover_jdks", lambda *_: ())
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path / "cache"))
    return folder


def install(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)


def install_apt(folder: Path) -> None:
    """An apt with a mirror of Debian's, whose keys this machine has."""
    install(folder, "dpkg-deb", "gpgv", "apt-config")
    target = r"Component: main\nLabel: Debian\nRepo-URI: http://mirror.example/debian/\n"
    (folder / "apt-get").write_text(f"#!/bin/sh\nprintf '{target}'\n")
    (folder / "apt-get").chmod(0o755)


@pytest.fixture(autouse=True)
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine has the keys of Debian's archive."""
    file = tmp_path / "keys.gpg"
    file.touch()
    monkeypatch.setattr("jdkmatrix.supply.sources.mirror.KEYRINGS", (file,))


def run_doctor(capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    code = main(["doctor"])
    return code, capsys.readouterr().out.splitlines()


def test_without_any_maven_the_jars_are_missing(
    tools: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, lines = run_doctor(capsys)
    lack = "no mvn on this machine's PATH, and no apt-get and no dpkg-deb on this machine"
    n = lines.index(f"lacking {JARS}: {lack}")
    assert lines[n + 1] == "        to fix it: put Maven's mvn on the PATH"


def test_either_maven_will_do(tools: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install_apt(tools)
    _, lines = run_doctor(capsys)
    assert f"ok      {JARS}: scripts/matrix jdks fetch gets them by Debian's maven" in lines
    install(tools, "mvn")
    _, lines = run_doctor(capsys)
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
        socket.socket,
        "bind",
        no_server,
        "no server on 127.0.0.1: [Errno 99] Cannot assign requested address",
        "bring the loopback interface up",
    ),
    (
        socket.socket,
        "connect",
        no_server,
        "no connection over 127.0.0.1: [Errno 99] Cannot assign requested address",
        "bring the loopback interface up",
    ),
]


@pytest.mark.parametrize(
    ("module", "function", "fault", "subject", "mend"),
    FAULTS,
    ids=[subject for *_, subject, _ in FAULTS],
)
def test_a_fault_of_the_machine_is_missing_and_its_mend_beside_it(
    module: ModuleType | type,
    function: str,
    fault: Any,
    subject: str,
    mend: str,
    tools: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folders = {"cache": tools.with_name("cache"), "reports": Checkout.current().reports}
    install_apt(tools)
    monkeypatch.setattr(module, function, fault)
    code, lines = run_doctor(capsys)
    assert code == 2
    (n,) = [n for n, line in enumerate(lines) if line.endswith(subject.format(**folders))]
    assert lines[n].startswith("missing ")
    assert lines[n + 1].strip().startswith(f"to fix it: {mend.format(**folders)}")


def alone(checkout: Path, tools: Path) -> tuple[int, list[str]]:
    """The answer of a Python that sees no package, as `scripts/matrix` gives it."""
    command = [sys.executable, "-S", str(checkout / "scripts" / "matrix"), "doctor"]
    process = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert process.stderr == ""
    assert not tools.with_name("cache").exists()
    return process.returncode, process.stdout.splitlines()


def test_it_answers_without_an_environment(root: Path, tools: Path) -> None:
    install_apt(tools)
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
    monkeypatch.setattr(machine_checks, "is_ready", lambda _: True)
    home = environment_home(Checkout.current().requirements)
    _, lines = run_doctor(capsys)
    assert f"ok      Python packages of the kit: {home}" in lines
    assert [line for line in lines if line.startswith("not checked")] == []


def test_what_no_command_can_start_with_is_missing(
    root: Path, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tools.with_name("a b")
    monkeypatch.setenv("JDKMATRIX_CACHE", str(cache))
    code, lines = alone(root, tools)
    assert code == 2
    n = lines.index(f"missing {cache}: the path of the cache has a space")
    assert lines[n + 1] == "        to fix it: set JDKMATRIX_CACHE to a path without one"


def test_nothing_to_install_packages_with_is_missing(
    tools: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "WHEELS_OF_DEBIAN", tools / "no wheels")
    monkeypatch.setitem(sys.modules, "ensurepip", None)  # an import fails, as without the package
    python = tools / "python3"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    _, lines = run_doctor(capsys)
    n = lines.index("missing Python packages of the kit: no pip")
    assert lines[n + 1] == "        to fix it: install python3-venv or pip"
    install(tools, "apt-get")
    _, lines = run_doctor(capsys)
    assert (
        "ok      Python packages of the kit: the first command installs them by "
        f"{tools / 'apt-get'} download python3-pip-whl"
    ) in lines


JDK = "a JDK of 17 or later with javac and Flight Recorder"
SOURCES = "builds of the source debian, jtreg, h2load, HAProxy, OpenSSL, GnuTLS"


def test_a_machine_without_apt_needs_a_jdk_and_lacks_the_rest(
    tools: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, lines = run_doctor(capsys)
    assert code == 2
    n = lines.index("missing tool JDK: none here, and no apt-get and no dpkg-deb on this machine")
    assert lines[n + 1] == f"        to fix it: set JAVA_HOME to {JDK}"
    assert f"lacking {SOURCES}: no apt-get and no dpkg-deb on this machine" in lines
    home = full_jdk(tools.with_name("jdk"))
    (tools / "cat").symlink_to("/bin/cat")  # for its `java`
    monkeypatch.setenv("JAVA_HOME", str(home))
    code, lines = run_doctor(capsys)
    assert f"ok      tool JDK: debian-17.0.9+9, {home} (JAVA_HOME)" in lines
    assert (code, lines[-1]) == (0, "nothing missing")
    monkeypatch.setenv("JAVA_HOME", "/nix")
    code, lines = run_doctor(capsys)
    assert code == 2
    n = lines.index("lacking not used as the tool JDK: JAVA_HOME /nix: no such folder")
    assert lines[n + 1] == f"        to fix it: name {JDK}"


def test_with_apt_everything_can_be_fetched(
    tools: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install_apt(tools)
    code, lines = run_doctor(capsys)
    assert (code, [line for line in lines if line.startswith("lacking")]) == (0, [])
    assert "ok      tool JDK: none here; the first command fetches Debian's by apt-get" in lines
    assert f"ok      {SOURCES}: by {tools / 'apt-get'}" in lines


def test_before_there_is_an_environment_a_jdk_is_told_by_its_files(
    root: Path, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = full_jdk(tools.with_name("jdk"))
    monkeypatch.setenv("JAVA_HOME", str(home))
    _, lines = alone(root, tools)
    assert f"ok      tool JDK: {home} (JAVA_HOME), not started" in lines
    assert starts(home) == 0


@pytest.mark.jdk
def test_cached_jars_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    checkout = Checkout.current()
    jars = Supplier.of_checkout(checkout, offline=False).jars(checkout).fetch()
    _, lines = run_doctor(capsys)
    assert f"ok      {JARS} {jars}" in lines
