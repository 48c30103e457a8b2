# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does this machine's loopback interface carry data? Tests and loads need it on 127.0.0.1 alone.

Without it every test fails, on good builds too, so nothing may be graded. A JVM reaches that
address by an IPv6 socket where there is IPv6, so both kinds are tried.
"""

import socket
import struct
from pathlib import Path

from jdkmatrix.errors import MachineError
from jdkmatrix.machine.files import text_of

REMEDY = "bring the loopback interface up"
REMEDY_OF_NAME = "put the line `127.0.0.1 localhost` first into /etc/hosts"
_NAME, _ADDRESS = "localhost", "127.0.0.1"
_ADDRESS_IN_IPV6 = f"::ffff:{_ADDRESS}"
# As the JDK does: without a line in it, its sockets are of IPv4.
_IPV6_INTERFACES = Path("/proc/net/if_inet6")
# The kernel answers by itself, within 1 ms at any load; an interface that is down may not answer.
_TIMEOUT_S = 3.0
_QUESTION, _ANSWER = b"there?", b"here"
# Closed so, a connection leaves no port in TIME_WAIT (see `ports.py`).
_RESET_AT_CLOSE = struct.pack("ii", 1, 0)


class LoopbackError(MachineError):
    """No data goes both ways over a connection on 127.0.0.1."""


def loopback_fault() -> str | None:
    """Why no data goes both ways over a connection on 127.0.0.1, by IPv4 or by the IPv6 sockets of
    a JVM; None if it does.
    """
    kinds = [(socket.AF_INET, _ADDRESS)]
    if _has_ipv6():
        kinds.append((socket.AF_INET6, _ADDRESS_IN_IPV6))
    return next(filter(None, (_fault_of(family, address) for family, address in kinds)), None)


def name_fault() -> str | None:
    """Why the name localhost does not lead where the peers of tests listen; None if it does. A JVM
    takes the first IPv4 address of a name if it has any.
    """
    try:
        rows = socket.getaddrinfo(_NAME, 0, type=socket.SOCK_STREAM)
    except OSError as error:
        return f"no address of the name {_NAME}: {error.strerror}"
    addresses = [str(address[0]) for *_, address in rows]
    first = next((text for text in addresses if "." in text), addresses[0])
    return None if first == _ADDRESS else f"the name {_NAME} is {first}, not {_ADDRESS}"


def _has_ipv6() -> bool:
    try:
        socket.socket(socket.AF_INET6).close()
        return bool(text_of(_IPV6_INTERFACES))
    except OSError:
        return False


def _fault_of(family: socket.AddressFamily, address: str) -> str | None:
    try:
        listener = socket.socket(family)
        if family is socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind((address, 0))
        listener.listen()
    except OSError as error:
        return f"no server on {address}: {error}"
    try:
        with listener:
            listener.settimeout(_TIMEOUT_S)
            _exchange(listener)
    except OSError as error:
        return f"no connection over {address}: {error}"
    return None


def check_loopback() -> None:
    """Raises LoopbackError unless data goes both ways over a connection on 127.0.0.1."""
    if fault := loopback_fault():
        raise LoopbackError(f"{fault}; to fix it: {REMEDY}")


def _exchange(listener: socket.socket) -> None:
    """Send a question and its answer over a connection of its own. Raises OSError."""
    with socket.socket(listener.family) as client:
        client.settimeout(_TIMEOUT_S)
        client.connect(listener.getsockname())
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_AT_CLOSE)
        server, _ = listener.accept()
        with server:
            server.settimeout(_TIMEOUT_S)
            client.sendall(_QUESTION)
            question = server.recv(len(_QUESTION), socket.MSG_WAITALL)
            server.sendall(_ANSWER)
            answer = client.recv(len(_ANSWER), socket.MSG_WAITALL)
            if (question, answer) != (_QUESTION, _ANSWER):
                raise OSError(f"received {question!r} and {answer!r}")
            client.close()  # before the server: whoever closes first would keep the port
