# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""One run at a time on a machine, with client ports enough, and facts of what went on."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from jdkmatrix.errors import MachineError
from jdkmatrix.machine.ports import Ports, can_run_out, client_ports, in_time_wait, wait_for_ports
from jdkmatrix.machine.run_lock import measuring_alone
from jdkmatrix.run.samples.blocks_in_turn import MachineWatch

HOLD = """
import sys
from pathlib import Path
from jdkmatrix.machine import run_lock
with run_lock.measuring_alone("of another checkout", Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_the_lock_is_the_machines_whatever_tmpdir_says(tmp_path: Path) -> None:
    """By its place alone: a real run may hold it."""
    output = subprocess.check_output(
        [sys.executable, "-c", "from jdkmatrix.machine.run_lock import PLACE; print(PLACE)"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        cwd=Path(__file__).parents[2],
        text=True,
    )
    assert output == "/tmp\n"


def test_one_run_at_a_time_and_one_line_says_who(tmp_path: Path) -> None:
    scripts = str(Path(__file__).parents[2])
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=scripts,
    )
    assert holder.stdout and holder.stdin
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(MachineError) as error, measuring_alone("of this one", tmp_path):
        pass
    assert str(error.value) == (
        "another run is measuring on this machine: "
        f"pid {holder.pid}, of another checkout; wait until it ends, as --wait does"
    )
    holders: list[str] = []

    def wait(name: str) -> None:
        holders.append(name)
        if len(holders) == 2:
            holder.kill()
            holder.wait()

    with measuring_alone("of one that waits", tmp_path, wait):
        pass
    assert holders == [f"pid {holder.pid}, of another checkout"] * 2
    holder.kill()  # as by kill -9: the system frees the lock
    holder.wait()
    holder.stdin.close()
    holder.stdout.close()
    with measuring_alone("of this one", tmp_path):
        pass


def test_the_lock_file_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with measuring_alone("of somebody else", tmp_path):
        pass
    real = os.open

    def open_protected(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:  # fs.protected_regular, for a file of somebody else in /tmp
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", open_protected)
    with measuring_alone("of this one", tmp_path):
        pass


def test_a_new_lock_file_is_for_all_users_and_an_old_one_as_its_owner_left_it(
    tmp_path: Path,
) -> None:
    umask = os.umask(0o077)
    try:
        with measuring_alone("of this one", tmp_path):
            pass
    finally:
        os.umask(umask)
    (lock,) = tmp_path.iterdir()
    assert lock.stat().st_mode & 0o777 == 0o666
    lock.chmod(0o640)
    with measuring_alone("of this one", tmp_path):
        pass
    assert lock.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to, None])
def test_what_others_put_in_its_place_is_not_touched(
    tmp_path: Path, link: Callable[[Path, Path], None] | None
) -> None:
    precious = tmp_path / "precious"
    precious.write_text("do not lose\n")
    precious.chmod(0o600)
    lock = tmp_path / "jdkmatrix-throughput.lock"
    if link:
        link(lock, precious)
    else:
        os.mkfifo(lock)
    with (
        pytest.raises(MachineError, match=r"jdkmatrix-throughput\.lock: cannot be opened: "),
        measuring_alone("of this one", tmp_path),
    ):
        pass
    assert precious.read_text() == "do not lose\n"
    assert precious.stat().st_mode & 0o777 == 0o600


def fake_proc(folder: Path, reuse: str, waiting: int) -> Path:
    for name in ("sys/net/ipv4", "net"):
        (folder / name).mkdir(parents=True)
    (folder / "sys/net/ipv4/ip_local_port_range").write_text("32768\t60999\n")
    (folder / "sys/net/ipv4/tcp_tw_reuse").write_text(f"{reuse}\n")
    line = " 0: 0100007F:8000 0100007F:1151 {} 00000000:00000000\n"
    text = "  sl  local_address rem_address   st tx_queue\n"
    text += line.format("01") * 3 + line.format("06") * waiting
    (folder / "net/tcp").write_text(text)
    return folder


@pytest.mark.parametrize(("reuse", "is_reused", "waiting"), [("0", False, 100), ("2", True, 0)])
def test_ports_in_time_wait(tmp_path: Path, reuse: str, is_reused: bool, waiting: int) -> None:
    """Where they are reused nobody counts them, though they are there."""
    proc = fake_proc(tmp_path, reuse, 100)
    ports = client_ports(proc)
    assert ports == Ports(28232, waiting, is_reused)
    assert ports.free == 28232 - waiting
    assert in_time_wait(proc) == 100


def test_the_shipped_proc_can_be_read() -> None:
    ports = client_ports()
    assert ports is None or ports.total > 0
    assert ports is None or in_time_wait(Path("/proc")) >= 0
    assert client_ports(Path("/nowhere")) is None


def test_a_sample_waits_until_there_are_ports_enough() -> None:
    waiting = iter([20_000, 15_000, 5_000])
    slept: list[float] = []
    notices: list[str] = []
    wait_for_ports(
        15_000, notices.append, lambda: Ports(28_000, next(waiting), False), slept.append
    )
    assert len(slept) == 2
    assert notices == [
        "waiting for ports: 28000 client ports, 20000 in TIME_WAIT; the load needs 18750"
    ]


def waited_for_earlier(waiting: list[int], is_reused: bool = False) -> tuple[int, list[str]]:
    """How often it slept, and what it told, where so many are in TIME_WAIT at each look."""
    counts = iter(waiting)
    slept: list[float] = []
    notices: list[str] = []
    wait_for_ports(
        None, notices.append, lambda: Ports(28_000, next(counts), is_reused), slept.append
    )
    return len(slept), notices


def test_where_nobody_knows_how_many_those_of_earlier_samples_are_waited_for() -> None:
    notices = "waiting for ports: 28000 client ports, 20000 in TIME_WAIT"
    assert waited_for_earlier([20_000, 15_000, 2_000]) == (2, [notices])
    assert waited_for_earlier([2_000]) == (0, [])
    assert waited_for_earlier([20_000], is_reused=True) == (0, [])


def test_ports_of_others_are_not_waited_for_in_vain() -> None:
    slept, _ = waited_for_earlier([20_000] * 100)
    assert 60 <= slept <= 63


@pytest.mark.parametrize("connections", [30_000, 20_000])
def test_a_machine_without_them(connections: int) -> None:
    with pytest.raises(MachineError, match=r"to fix it: widen net\.ipv4\.ip_local_port_range"):
        wait_for_ports(
            connections, lambda _: None, lambda: Ports(28_000, 20_000, False), lambda _: None
        )


@pytest.mark.parametrize(
    ("ports", "expected_answer"),
    [(Ports(28_000, 0, False), True), (Ports(28_000, 0, True), False), (None, False)],
)
def test_ports_can_run_out_where_none_is_reused(ports: Ports | None, expected_answer: bool) -> None:
    assert can_run_out(lambda: ports) is expected_answer


def test_ports_that_are_reused_do_not_run_out() -> None:
    wait_for_ports(
        1_000_000, lambda _: None, lambda: Ports(28_000, 20_000, True), lambda _: pytest.fail()
    )


def test_the_machines_own_state_can_be_read() -> None:
    state = MachineWatch().state()
    assert state.cores >= 1
    assert 0 <= state.busy_share <= 1
    assert 0 <= state.steal_share <= 1


@pytest.mark.parametrize(
    ("old", "new", "shares"),
    [
        # Waits for a disk are idle; what guests take, the ninth, is in user already.
        ("100 0 0 100 0 0 0 0 0 0", "130 0 0 150 10 0 0 10 20 0", (0.4, 0.1)),
        ("100 0 0 100 0 0 0 0 0 0", "110 10 10 150 0 10 10 0 0 0", (0.5, 0.0)),
        ("100 0 0 100", "125 0 0 175", (0.25, 0.0)),  # before Linux 2.5.41
        ("100 0 0 100 0 0 0 0 0 0", "100 0 0 100 0 0 0 0 0 0", (0.0, 0.0)),
        (None, None, (0.0, 0.0)),
    ],
    ids=["idle, waiting, stolen", "all kinds of work", "few fields", "no time", "not told"],
)
def test_shares_of_the_cores_time(
    tmp_path: Path, old: str | None, new: str | None, shares: tuple[float, float]
) -> None:
    stat = tmp_path / "stat"

    def tell(ticks: str | None) -> None:
        if ticks:
            stat.write_text(f"cpu  {ticks}\ncpu0 9 9 9 9 9 9 9 9 9 9\nctxt 99\n")

    tell(old)
    watch = MachineWatch(stat)
    tell(new)
    state = watch.state()
    assert (state.busy_share, state.steal_share) == shares
