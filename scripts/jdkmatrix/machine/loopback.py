# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does this machine's loopback interface carry data? Tests and loads need it on 127.0.0.1 alone.

Without it every test fails, on good builds too, so nothing may be graded.
"""

import socket
import struct

from jdkmatrix.errors import MachineError

REMEDY = "bring the loopback interface up"
_ADDRESS = "127.0.0.1"
# The kernel answers by itself, within 1 ms at any load; an interface that is down may not answer.
_TIMEOUT_S = 3.0
_QUESTION, _ANSWER = b"there?", b"here"
# Closed so, a connection leaves no port in TIME_WAIT (see `ports.py`).
_RESET_AT_CLOSE = struct.pack("ii", 1, 0)


class LoopbackError(MachineError):
    """No data goes both ways over a connection on 127.0.0.1."""


def loopback_fault() -> str | None:
    """Why no data goes both ways over a connection on 127.0.0.1; None if it does."""
    try:
        listener = socket.create_server((_ADDRESS, 0))
    except OSError as error:
        return f"no server on {_ADDRESS}: {error}"
    try:
        with listener:
            listener.settimeout(_TIMEOUT_S)
            _exchange(listener)
    except OSError as error:
        return f"no connection over {_ADDRESS}: {error}"
    return None


def check_loopback() -> None:
    """Raises LoopbackError unless data goes both ways over a connection on 127.0.0.1."""
    if fault := loopback_fault():
        raise LoopbackError(f"{fault}; to fix it: {REMEDY}")


def _exchange(listener: socket.socket) -> None:
    """Send a question and its answer over a connection of its own. Raises OSError."""
    with socket.create_connection(listener.getsockname(), _TIMEOUT_S) as client:
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
