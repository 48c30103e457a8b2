# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a loopback interface that is down noticed, and by each command that runs something?

Each program here runs in a network namespace of its own, whose interface is down at first.
"""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from jdkmatrix.machine.loopback import loopback_fault, name_fault

UNSHARE = ("unshare", "--map-root-user", "--net")
# At a load of 60 a Python program starts in 100 s.
TIMEOUT_S = 600
# A bare Debian has no ip(8). The number is SIOCSIFFLAGS of <linux/sockios.h>, 1 is IFF_UP.
DOWN_AND_UP = """
import fcntl, socket, struct
from pathlib import Path
from jdkmatrix.machine.loopback import loopback_fault
from jdkmatrix.machine.ports import in_time_wait

def set_up(is_up):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", is_up))

print(loopback_fault())
set_up(1)
for _ in range(5):
    print(loopback_fault())
print(in_time_wait(Path("/proc/self")), "in TIME_WAIT")
set_up(0)
print(loopback_fault())
"""
EACH_COMMAND = """
import sys
from pathlib import Path
import jdkmatrix.flow.tools
from jdkmatrix.cli.app import main
folder = Path(sys.argv[1])
jdkmatrix.flow.tools.PLACE = folder  # another run may measure on this machine
for command in sys.argv[2:]:
    print(main([*command.split(), "--offline", "--out", str(folder / "run")]), command)
"""
COMMANDS = [
    "run --build temurin-17.0.9+9 --test interop/QuickRows.java",
    "throughput --scenario neighbour --build temurin-17.0.* --blocks 2",
    "validate debian-17",
    "has 8293562 --build debian-17",
    "bisect 8293562 --train 17",
    "planted close-under-lock-17",
]


def run_in_namespace(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """How a Python program ended; skips the test where a namespace is refused."""
    try:
        subprocess.run([*UNSHARE, "true"], check=True, capture_output=True, timeout=TIMEOUT_S)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no network namespace for a test here: {error}")
    return subprocess.run(
        [*UNSHARE, sys.executable, "-c", program, *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        cwd=Path(__file__).parents[2],
    )


def test_here_it_works() -> None:
    assert loopback_fault() is None
    assert name_fault() is None


@pytest.mark.parametrize(
    ("addresses", "fault"),
    [
        (["127.0.0.1"], None),
        (["::1", "127.0.0.1", "192.0.2.1"], None),  # a JVM takes IPv4 first
        (["::1"], "the name localhost is ::1, not 127.0.0.1"),
        (["::1", "192.0.2.1", "127.0.0.1"], "the name localhost is 192.0.2.1, not 127.0.0.1"),
        ([], "no address of the name localhost: Name or service not known"),
    ],
)
def test_where_the_name_leads(
    monkeypatch: pytest.MonkeyPatch, addresses: list[str], fault: str | None
) -> None:
    def getaddrinfo(*_: object, **__: object) -> list[tuple[object, ...]]:
        if not addresses:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(0, 0, 0, "", (address, 0)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    assert name_fault() == fault


def test_it_is_noticed_whenever_it_goes_and_no_port_is_used_up() -> None:
    *lines, last = run_in_namespace(DOWN_AND_UP).stdout.splitlines()
    assert lines == [
        "no connection over 127.0.0.1: [Errno 101] Network is unreachable",
        *["None"] * 5,
        "0 in TIME_WAIT",
    ]
    assert last.startswith("no connection over 127.0.0.1: ")


@pytest.mark.slow
def test_nothing_is_run_without_it(tmp_path: Path) -> None:
    process = run_in_namespace(EACH_COMMAND, str(tmp_path), *COMMANDS)
    assert process.stdout.splitlines() == [f"2 {command}" for command in COMMANDS]
    line = (
        "matrix: no connection over 127.0.0.1: [Errno 101] Network is unreachable;"
        " to fix it: bring the loopback interface up"
    )
    assert process.stderr.splitlines() == [line] * len(COMMANDS)
    assert not (tmp_path / "run").exists()
