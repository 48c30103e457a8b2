# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What each test stands on is checked before the first cell, and named with its remedy."""

import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.errors import MachineError
from jdkmatrix.machine import clock, footing, loopback
from jdkmatrix.machine.footing import check_footing, faults_of_limits


@contextmanager
def lower_limit(kind: int, limit: int) -> Iterator[None]:
    """A lower limit of this process."""
    former = resource.getrlimit(kind)
    resource.setrlimit(kind, (limit, former[1]))
    try:
        yield
    finally:
        resource.setrlimit(kind, former)


def test_this_machine_has_it_all(tmp_path: Path) -> None:
    check_footing([tmp_path / "to" / "come"])


def test_a_disk_without_room_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = shutil.disk_usage(tmp_path)._replace(free=3 << 20)
    monkeypatch.setattr("shutil.disk_usage", lambda path: full)
    place = tmp_path / "to" / "come"
    with pytest.raises(MachineError) as error:
        check_footing([place])
    assert str(error.value) == f"3 MiB free for {place}; to fix it: free 16 MiB"


def test_a_name_that_leads_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(footing, "name_fault", lambda: "the name localhost is ::1, not 127.0.0.1")
    with pytest.raises(MachineError) as error:
        check_footing([])
    remedy = "put the line `127.0.0.1 localhost` first into /etc/hosts"
    assert str(error.value) == f"the name localhost is ::1, not 127.0.0.1; to fix it: {remedy}"


def test_too_few_files() -> None:
    with lower_limit(resource.RLIMIT_NOFILE, 30):
        (fault,) = faults_of_limits(())
    assert fault.text.endswith(" files can be opened, a cell takes 48")
    assert fault.remedy == "allow more open files (ulimit -n)"


@pytest.mark.parametrize(("name", "text"), [("file", "is a file, not the device"), ("none", "")])
def test_the_null_device_is_none(
    name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr("os.devnull", str(tmp_path / name))
    (fault,) = faults_of_limits(())
    assert fault.text == f"{tmp_path / name}" + (
        f" {text}" if text else ": No such file or directory"
    )


def test_without_proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(footing, "_OWN_PROCESS", tmp_path / "self")
    (fault,) = faults_of_limits(())
    assert fault.text.startswith("/proc is not mounted")


def test_a_clock_without_pace_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 5.0)
    (fault,) = faults_of_limits(())
    assert fault.text.endswith(" ms the monotonic clock goes on by 0 ms")
    assert fault.remedy == clock.REMEDY


def test_too_few_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("_thread.start_new_thread", refuse)
    (fault,) = faults_of_limits(())
    assert fault.text == "0 threads can be started, a cell takes 64"


def test_too_few_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda kind: (1 << 30, 1 << 30))
    (fault,) = faults_of_limits(())
    assert fault.text == "1024 MiB of addresses, a JVM reserves 2048"


def test_without_a_temporary_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> str:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr("tempfile.gettempdir", refuse)
    (fault,) = faults_of_limits(())
    assert fault.text == "no temporary folder can be written"


def test_a_run_ends_with_a_line_before_it_has_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lack = footing.Fault("7 threads can be started, a cell takes 64", "allow more")
    monkeypatch.setattr(footing, "faults_of_limits", lambda folders: iter([lack]))
    out = tmp_path / "run"
    arguments = ["run", "--offline", "--build", "temurin-17.0.9+9", "--out", str(out)]
    assert main(arguments) == 2
    assert capsys.readouterr().err == f"matrix: {lack.text}; to fix it: {lack.remedy}\n"
    assert not out.exists()


def test_the_sockets_of_a_jvm_are_tried_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address that no interface has, in place of IPv4's within IPv6."""
    monkeypatch.setattr(loopback, "_ADDRESS_IN_IPV6", "::ffff:192.0.2.1")
    if not loopback._has_ipv6():
        pytest.skip("this machine has none of IPv6")
    assert str(loopback.loopback_fault()).startswith("no server on ::ffff:192.0.2.1: ")


def test_without_ipv6_a_jvm_uses_ipv4(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "if_inet6").touch()
    monkeypatch.setattr(loopback, "_IPV6_INTERFACES", tmp_path / "if_inet6")
    monkeypatch.setattr(loopback, "_ADDRESS_IN_IPV6", "::ffff:192.0.2.1")
    assert loopback.loopback_fault() is None
