# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which known bug throws what a text or a log has?"""

import io
import time
from pathlib import Path

import pytest

from jdkmatrix.evidence.exceptions import stacks_in
from tests.in_process import Capture, matrix

MISMATCH = "javax.net.ssl.SSLException: Tag mismatch!"
LOG = f"""\
2026-11-20 10:00:00 WARN shop.Till - no price
{MISMATCH}
\tat sun.security.ssl.Alert.createSSLException(Alert.java:133)
\tat sun.security.ssl.SSLSocketImpl.readHandshakeRecord(SSLSocketImpl.java:1)
\tat shop.Prices.fetch(Prices.java:12)
Caused by: javax.crypto.AEADBadTagException: Tag mismatch!
\t... 12 more
2026-11-20 10:00:01 ERROR shop.Till - {MISMATCH}
\tat sun.security.ssl.Alert.createSSLException(Alert.java:133)
\tat sun.security.ssl.SSLSocketImpl.readHandshakeRecord(SSLSocketImpl.java:1)
\tat shop.Prices.fetch(Prices.java:12)
Caused by: javax.crypto.AEADBadTagException: Tag mismatch!
\t... 12 more
java.lang.IllegalStateException: closed
\tat shop.Till.pay(Till.java:5)
"""


def test_equal_stacks_of_a_log_are_counted() -> None:
    stacks = stacks_in(LOG.splitlines())
    assert list(stacks.values()) == [2, 1]
    first, second = stacks
    assert first.startswith(MISMATCH) and first.endswith("... 12 more")
    assert second == "java.lang.IllegalStateException: closed\nat shop.Till.pay(Till.java:5)"


def test_an_endless_stack_and_an_endless_log_are_bounded() -> None:
    (stack,) = stacks_in(["a.B: c.StackOverflowError", *["\tat a.B.c(B.java:1)"] * 9999])
    assert stack.count("\n") < 200
    assert len(stacks_in(f"a.BException: {n}" for n in range(9999))) == 2000


def test_a_line_of_dots_takes_no_time() -> None:
    began_s = time.monotonic()
    assert stacks_in(["a." * 500] * 2000) == {}
    assert time.monotonic() - began_s < 20


def test_the_bug_of_a_text_is_named(capsys: Capture) -> None:
    text = "/127.0.0.1:5: GOAWAY received"
    process = matrix(capsys, "diagnose", "--exception", f"java.io.IOException: {text}")
    assert process.returncode == 1
    assert process.stdout.startswith("--exception: probable: JDK-8335181 (1 exception,")
    assert "Fixed in 17.0.16+8..17.0.17+10, 21.0.8+1, 24+11." in process.stdout


def test_a_log_and_standard_input_are_read(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "app.log"
    log.write_text(LOG)
    process = matrix(capsys, "diagnose", "--exception", str(log))
    assert process.returncode == 1
    assert process.stdout.startswith(f"{log}: probable: JDK-8301686 (3 exceptions, 2 different")
    assert "  2 times: javax.net.ssl.SSLException: Tag mismatch!" in process.stdout
    monkeypatch.setattr("sys.stdin", io.StringIO(LOG))
    assert matrix(capsys, "diagnose", "--exception", "-").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--exception", "java.lang.IllegalStateException: closed"], 0, "no known bug throws"),
        (["--exception", "x" * 5000], 0, "no known bug throws"),
        (["--exception", "x", "--json"], 4, "--exception: accepted without --json"),
        (["--seconds", "3", "a.jfr"], 4, "--seconds: accepted with it: --pid PID"),
        (["--pid", "1", "a.jfr"], 4, "accepted: one of files, --pid PID, --exception TEXT"),
        ([], 4, "accepted: one of files, --pid PID, --exception TEXT"),
    ],
)
def test_what_is_no_answer_is_one_line(
    capsys: Capture, arguments: list[str], code: int, says: str
) -> None:
    process = matrix(capsys, "diagnose", *arguments)
    assert process.returncode == code
    (line,) = (process.stdout + process.stderr).splitlines()
    assert says in line
