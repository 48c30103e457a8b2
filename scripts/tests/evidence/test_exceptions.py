# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which known bug throws what a text or a log has?"""

import gzip
import io
import json
import time
from pathlib import Path

import pytest

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.evidence.exceptions import stacks_in
from jdkmatrix.machine.files import MOST_LINE_CHARACTERS, lines_of
from jdkmatrix.report.console.thrown import bugs_thrown
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


STACK = LOG.splitlines()[1:7]


def put_before(*prefixes: str) -> str:
    """The stack behind columns, of which one is of another program."""
    return "".join(f"{prefixes[0]}{line}\n" + "".join(prefixes[1:]) for line in STACK)


WRAPPED = {
    "a game server's log": put_before("[13:07:05] [Craft Scheduler Thread - 92/WARN]: "),
    "time stamps": "".join(f"2026-11-20T10:00:0{n}.{n}9Z {line}\n" for n, line in enumerate(STACK)),
    "Compose": put_before("api-1  | "),
    "Compose, with another service": put_before("api-1  | ", "db-1   | checkpoint\n"),
    "a build tool": put_before("[ERROR] "),
    "a CI server": put_before("[10:00:01]W:\t [Step 1/3] "),
    "quote marks": put_before("> "),
    "journald": put_before("Nov 20 10:00:01 shop java[4711]: "),
    "Docker's JSON": "".join(
        json.dumps({"log": f"{line}\n", "time": n}) + "\n" for n, line in enumerate(STACK)
    ),
    "JSON of a logger": json.dumps(
        {"message": "no price", "error": {"stack_trace": "\n".join(STACK)}}
    ),
    "JSON, a list of its lines": json.dumps({"message": "no price", "error.stack_trace": STACK}),
    "JSON of several lines": json.dumps([{"message": "\n".join(STACK), "level": "x"}], indent=1),
    "JSON of several lines, with a list": json.dumps({"stack_trace": STACK}, indent=1),
    "line ends that are written": f"ERROR {json.dumps(chr(10).join(STACK))[1:-1]}",
    "HTML": "".join(f"{line.strip()}<br>\n" for line in STACK),
    "the cause first": "\n".join([*STACK[4:], f"Wrapped by: {STACK[0]}", *STACK[1:4]]),
}


@pytest.mark.parametrize("name", WRAPPED)
def test_a_stack_is_read_behind_whatever_stands_before_its_lines(name: str, ledger: Ledger) -> None:
    stacks = stacks_in(WRAPPED[name].splitlines())
    (stack,) = [stack for stack in stacks if MISMATCH in stack]
    assert "\nat sun.security.ssl.SSLSocketImpl.readHandshakeRecord(SSLSocketImpl.java:1)" in stack
    assert bugs_thrown({stack: 1}, ledger)


@pytest.mark.parametrize(
    ("class_field", "method_field"), [("class", "method"), ("declaringClass", "methodName")]
)
def test_an_exception_in_fields_of_json_is_read(class_field: str, method_field: str) -> None:
    frame = {class_field: "shop.Till", method_field: "pay", "line": 5}
    failure = {"name": "a.BException", "message": "x", "frames": [frame]}
    cause = {"exception_class": "c.DError", "stacktrace": ["c.D.e(D.java:7)"]}
    (stack,) = stacks_in([json.dumps({"message": "no", "thrown": {**failure, "cause": cause}})])
    assert stack == "a.BException: x\nat shop.Till.pay()\nCaused by: c.DError\nat c.D.e(D.java:7)"


def test_lines_of_others_do_not_go_on_for_ever() -> None:
    """Nor does an exception of another program vanish among them."""
    between = ["db-1 | checkpoint"] * 60
    first, second = stacks_in(
        [
            f"api-1 | {MISMATCH}",
            "api-1 | \tat a.B.c(B.java:1)",
            *between,
            "api-1 | \tat a.B.d(B.java:2)",
            "db-1 | x.YException: z",
            "db-1 | \tat x.Y.z(Y.java:1)",
        ]
    )
    assert first == f"{MISMATCH}\nat a.B.c(B.java:1)"
    assert second == "x.YException: z\nat x.Y.z(Y.java:1)"


@pytest.mark.parametrize(
    "content",
    [LOG.encode("utf-16"), gzip.compress(LOG.encode()), LOG.replace("\n", "\r\n").encode()],
)
def test_a_log_is_read_in_whatever_encoding(
    tmp_path: Path, content: bytes, capsys: Capture
) -> None:
    (tmp_path / "log").write_bytes(content)
    process = matrix(capsys, "diagnose", "--exception", str(tmp_path / "log"))
    assert process.returncode == 1
    assert ": probable: JDK-8301686 (3 exceptions, 2 different" in process.stdout


def test_a_cut_gzip_is_one_line(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "log").write_bytes(gzip.compress(LOG.encode())[:60])
    process = matrix(capsys, "diagnose", "--exception", str(tmp_path / "log"))
    assert process.returncode == 4
    assert process.stderr.count("\n") == 1 and "a damaged gzip file" in process.stderr


def test_a_line_without_an_end_is_cut(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"x" * (MOST_LINE_CHARACTERS + 5))
    assert [len(line) for line in lines_of(tmp_path / "log")] == [MOST_LINE_CHARACTERS, 5]


def test_a_line_of_dots_takes_no_time() -> None:
    began_s = time.monotonic()
    assert stacks_in(["a." * 500] * 2000) == {}
    assert time.monotonic() - began_s < 20


def test_the_bug_of_a_text_is_named(capsys: Capture) -> None:
    text = "/127.0.0.1:5: GOAWAY received"
    process = matrix(capsys, "diagnose", "--exception", f"java.io.IOException: {text}")
    assert process.returncode == 1
    assert process.stdout.startswith("--exception: probable: JDK-8335181 (1 exception,")
    assert "Fixed in 17.0.16..17.0.17+10, 21.0.8+1, 24+11." in process.stdout


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
