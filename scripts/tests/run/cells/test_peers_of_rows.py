# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A peer that is too old, does not run or is killed costs its rows, which are an `error`: it says
nothing of the JDK under test. They are `lacking` only where the machine has nothing to fetch the
peer with. A peer that speaks no protocol that this JDK has on shows no refusal."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.errors import LackingError, MachineError
from jdkmatrix.evidence.rows import Row, read_rows
from jdkmatrix.machine.children import Children
from jdkmatrix.paths import Checkout
from jdkmatrix.run.cells.compiled_tests import othervm_of
from jdkmatrix.run.cells.othervm import OtherVm
from jdkmatrix.supply.supplier import Supplier
from jdkmatrix.vocabulary import Status
from tests.run.cells.test_runner import BUILD, task_of

pytestmark = [pytest.mark.jdk, pytest.mark.network]

TEST = "interop/QuickRows.java"
SELFTEST = "selftest/ErrorIsOfItsRowAlone.java"
WITHIN_S = 300


@pytest.fixture(scope="module")
def supplier(jdks: JdksFile, root: Path) -> Supplier:
    return Supplier(jdks, root / "jdks.lock", cache_root())


@pytest.fixture(scope="module")
def runner(supplier: Supplier, tool_jdk: Path, root: Path) -> OtherVm:
    checkout = Checkout(root)
    jars = supplier.jars(checkout).class_path
    return othervm_of(checkout, (TEST, SELFTEST), tool_jdk, 1.0, jars, supplier.program)


@dataclasses.dataclass
class OtherPeers:
    """Runs rows whose peers are others than the kit's."""

    runner: OtherVm
    jdk: Path
    folder: Path

    def rows(
        self, pattern: str, off: Mapping[str, str] | None = None, **peers: Path
    ) -> tuple[Row, ...]:
        """Those that `pattern` finds; `peers` are properties of the suite, those in `off`
        of the JDK under test.
        """
        test = self.runner.tests[TEST]
        properties = {
            **test.properties,
            **(off or {}),
            "rows.only": pattern,
            **{f"interop.peer.{name}": str(path) for name, path in peers.items()},
        }
        variant = dataclasses.replace(test, properties=properties)
        runner = dataclasses.replace(self.runner, tests={TEST: variant})
        build = BUILD.model_copy(update={"home": str(self.jdk)})
        cell = self.folder / "cell"
        runner.run(task_of(build, TEST), cell, Children())
        return read_rows(cell)

    def script(self, text: str, name: str = "program") -> Path:
        """A program that is these lines of shell."""
        file = self.folder / name
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
        return file


@pytest.fixture
def asker(runner: OtherVm, tool_jdk: Path, tmp_path: Path) -> OtherPeers:
    return OtherPeers(runner, tool_jdk, tmp_path)


# Of client and server; the JDK under test has what they are about.
ROWS = "/(full|resumed|client-cert)/TLSv1.3/any/[^/]*/[^X/]*/[^/]*/openssl/"
OF_GNUTLS = "/full/TLSv1.3/.*/gnutls-cli/"
RETRIES = "/hrr/.*/SSL(Socket|Engine)/openssl/"
OF_PROTOCOLS = "^client/(full|refuse-[a-z]*)/TLSv1[.][23]/.*/any/SSLSocket/jsse/"


def select_rows(rows: tuple[Row, ...], pattern: str) -> list[Row]:
    return [row for row in rows if re.search(pattern, row.row)]


@pytest.fixture(scope="module")
def by_own(
    runner: OtherVm, tool_jdk: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Row, ...]:
    """The rows that all is well with, by the kit's own peers."""
    asker = OtherPeers(runner, tool_jdk, tmp_path_factory.mktemp("own"))
    return asker.rows(f"{ROWS}|{OF_GNUTLS}|{RETRIES}|{OF_PROTOCOLS}")


@pytest.mark.parametrize(
    ("openssl", "words", "gnutls", "of_gnutls"),
    [
        (
            "echo OpenSSL 1.1.1w  11 Sep 2023",
            "OpenSSL 1.1 is too old: 3.2 is needed",
            "echo LibreSSL 3.9.2",
            "no gnutls-cli, but LibreSSL 3.9.2",
        ),
        (
            None,
            "openssl does not run: Cannot run program",
            "echo 'libssl.so.3: cannot open it' >&2; exit 127",
            "libssl.so.3: cannot open it",
        ),
    ],
)
def test_one_that_is_none_is_told_and_not_asked(
    asker: OtherPeers, openssl: str | None, words: str, gnutls: str, of_gnutls: str
) -> None:
    program = asker.script(openssl) if openssl else asker.folder / "none"
    gnutls_script = asker.script(gnutls, "other")
    rows = asker.rows(f"{ROWS}|{OF_GNUTLS}", None, openssl=program, **{"gnutls-cli": gnutls_script})
    assert {row.status.value for row in rows} == {"error"}
    for pattern, phrase in ((ROWS, words), (OF_GNUTLS, of_gnutls)):
        (text,) = {row.said for row in select_rows(rows, pattern)}
        assert phrase in text


HARDENED = """openssl_conf = all
[all]
ssl_conf = ssl
[ssl]
system_default = least
[least]
CipherString = DEFAULT:@SECLEVEL=3
Groups = P-521
"""


def test_what_the_machine_forbids_its_programs_does_not_count(
    asker: OtherPeers, by_own: tuple[Row, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (
        ("OPENSSL_CONF", HARDENED),
        ("GNUTLS_SYSTEM_PRIORITY_FILE", "[overrides]\ndisabled-version = tls1.3\n"),
    ):
        file = asker.folder / name
        file.write_text(text)
        monkeypatch.setenv(name, str(file))
    rows = asker.rows(f"{ROWS}|{OF_GNUTLS}")
    usual = select_rows(by_own, f"{ROWS}|{OF_GNUTLS}")
    assert [(row.row, row.status) for row in rows] == [(row.row, row.status) for row in usual]


@pytest.mark.parametrize(("error", "status"), [(MachineError, "error"), (LackingError, "lacking")])
def test_one_that_cannot_be_had_is_lacking_only_without_a_tool_to_get_it(
    asker: OtherPeers, root: Path, error: type[MachineError], status: str
) -> None:
    def missing(name: str) -> Path:
        raise error(f"{name}: not to be had")

    checkout, tool_jdk = Checkout(root), asker.runner.tool_java_home
    jars = missing_jars(asker.runner, error)
    runner = othervm_of(checkout, (TEST,), tool_jdk, 1.0, jars, missing)
    rows = dataclasses.replace(asker, runner=runner).rows(f"{OF_GNUTLS}|{OF_CONSCRYPT}")
    assert {(peer_of(row), row.status.value, row.said) for row in rows} == {
        ("gnutls-cli", status, "gnutls-cli: not to be had"),
        ("conscrypt", status, "interop: not to be had"),
    }


OF_CONSCRYPT = "^server/full/TLSv1.3/.*/SSLSocket/conscrypt/"


def peer_of(row: Row) -> str:
    return row.row.split("/")[-2]


def missing_jars(runner: OtherVm, error: type[MachineError]) -> Callable[[str], Sequence[Path]]:
    """Those of TestNG alone."""

    def jars(name: str) -> Sequence[Path]:
        if name == "testng":
            return runner.tests[TEST].jars
        raise error(f"{name}: not to be had")

    return jars


BEGUN = 'exec 3<&0; "{openssl}" "$@" <&3 & p=$!'
KILL = "kill -9 $p; kill -9 $$"
# A body of 16,383 bytes is the end of what it prints.
PART = """mkfifo out.$$; exec 3<&0; "{openssl}" "$@" <&3 >out.$$ 2>&1 & p=$!
dd bs=1 count=12000 <out.$$ 2>&-"""


@pytest.mark.parametrize(
    ("kill_code", "some_may_pass"),
    [
        (f"{BEGUN}; {KILL}", False),
        (f"{BEGUN}; sleep 0.2; {KILL}", True),
        (f"{PART}; {KILL}", True),
    ],
)
def test_one_that_is_killed_costs_its_rows(
    asker: OtherPeers, supplier: Supplier, kill_code: str, some_may_pass: bool
) -> None:
    """At once, once it may have said that it listens, and in the midst of what it says."""
    openssl = supplier.program("openssl")
    kill_code = kill_code.replace("{openssl}", str(openssl))
    script = asker.script(f'[ "$1" = version ] && exec "{openssl}" version\n{kill_code}')
    rows = asker.rows(ROWS, openssl=script)
    assert len(rows) > 5
    complete = [row for row in rows if row.status.value == "passed"]  # before it was killed
    assert len(complete) < (len(rows) if some_may_pass else 1)
    assert {row.said for row in rows if row not in complete} <= {"a peer was killed by signal 9"}
    assert {row.status.value for row in rows} <= {"error", "passed"}


def test_the_same_rows_pass_by_the_kits_own(by_own: tuple[Row, ...]) -> None:
    assert len(select_rows(by_own, ROWS)) > 5
    assert select_rows(by_own, OF_GNUTLS)
    rows = select_rows(by_own, f"{ROWS}|{OF_GNUTLS}")
    assert {row.status.value for row in rows} == {"passed"}


OFF = {"jdk.tls.client.protocols": "TLSv1.2"}


def test_without_its_protocol_a_client_refuses_nobody(
    asker: OtherPeers, by_own: tuple[Row, ...]
) -> None:
    """As those of 8u272 to 8u345, which have TLS 1.3 off by default: the alert then says
    nothing of the certificate. That it is off, the rows show that must work.
    """
    ends = {("TLSv1.3", "full", "passed"), ("TLSv1.3", "refuse", "passed")}
    assert ends_of(select_rows(by_own, OF_PROTOCOLS)) == {*ends, *OF_TLS12}
    ends = {("TLSv1.3", "full", "failed"), ("TLSv1.3", "refuse", "unsupported")}
    assert ends_of(asker.rows(OF_PROTOCOLS, OFF)) == {*ends, *OF_TLS12}


OF_TLS12 = {("TLSv1.2", "full", "passed"), ("TLSv1.2", "refuse", "passed")}


def ends_of(rows: Iterable[Row]) -> set[tuple[str, str, str]]:
    """How they ended, by protocol and feature."""
    return {
        (protocol, feature.partition("-")[0], row.status.value)
        for row in rows
        for _, feature, protocol, *_ in (row.row.split("/"),)
    }


WITHOUT_GROUPS = """for word; do
    shift
    case $word in -groups) skip=1 ;; *) [ "$skip" ] && skip= || set -- "$@" "$word" ;; esac
done
exec "{openssl}" "$@\""""


def test_a_row_of_a_retry_fails_where_there_was_none(asker: OtherPeers, supplier: Supplier) -> None:
    """By a peer that has the groups that everybody has, and takes the first share."""
    script = WITHOUT_GROUPS.replace("{openssl}", str(supplier.program("openssl")))
    rows = asker.rows(RETRIES, openssl=asker.script(script))
    assert rows
    assert {row.status.value for row in rows} == {"failed"}
    assert all(row.said.startswith("IOException: retried is false, not true") for row in rows)


def test_it_passes_where_there_was_one(by_own: tuple[Row, ...]) -> None:
    rows = select_rows(by_own, RETRIES)
    assert rows
    assert {row.status.value for row in rows} == {"passed"}


# The JVM of the peers gets what comes in line by line, and is killed as the third row begins.
KILLED_AT_THE_THIRD = """#!/bin/sh
mkfifo in.$$
"{java}" "$@" <in.$$ & jvm=$!
exec 3>in.$$
served=0
while IFS= read -r line; do
    case $line in serve*) served=$((served + 1)) ;; esac
    [ $served = 3 ] && break
    echo "$line" >&3
done
kill -9 $jvm
"""


# One that is to work and those where it refuses: a peer that died is no reason to.
OF_A_CLIENT = "^client/(full|refuse-certificate)/TLSv1.3/any/[a-z]*/any/SSLSocket/jsse/"


def test_their_jvm_that_is_killed_costs_its_row(asker: OtherPeers, tool_jdk: Path) -> None:
    java = asker.folder / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(KILLED_AT_THE_THIRD.format(java=tool_jdk / "bin" / "java"))
    java.chmod(0o755)
    rows = asker.rows(OF_A_CLIENT, jdk=asker.folder / "jdk")
    assert len(rows) == 7
    for number, row in enumerate(rows, 1):
        assert row.status.value == ("passed" if number % 3 else "error"), row
    assert {row.said for row in rows[2::3]} == {"the peer's JVM died: see peer.log"}


# Makes the keys, connects to nobody and says that it was refused.
COMES_NOT = """#!/bin/sh
"{java}" "$@" </dev/null
while read -r line; do
    echo "failed SSLHandshakeException: Received fatal alert: handshake_failure"
done
"""


def test_what_a_peer_says_is_no_refusal_of_the_jdks(asker: OtherPeers, tool_jdk: Path) -> None:
    java = asker.folder / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(COMES_NOT.format(java=tool_jdk / "bin" / "java"))
    java.chmod(0o755)
    (row, *_) = asker.rows("^server/refuse-suite/", jdk=asker.folder / "jdk")
    assert row.status.value == "failed"
    assert row.said == (
        "not refused for handshake_failure|no cipher suites in common: Refused: SocketException: "
        "Socket closed | the peer: SSLHandshakeException: Received fatal alert: handshake_failure"
    )


# Ends when it is ready; after that it is not again, three times; then it is not there.
STARTS_ONCE = """#!/bin/sh
[ -e "$0.3" ] && rm "$0"
for n in 3 2 1; do [ -e "$0.$n" ] && touch "$0.$((n + 1))" && echo not && exec cat >/dev/null; done
touch "$0.1"
"{java}" "$@" </dev/null
"""


def test_their_jvm_that_does_not_start_again_costs_its_rows(
    asker: OtherPeers, tool_jdk: Path
) -> None:
    home = asker.folder / "jdk"
    java = home / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(STARTS_ONCE.format(java=tool_jdk / "bin" / "java"))
    java.chmod(0o755)
    rows = asker.rows("^client/full/TLSv1.3.*/jsse/", jdk=home)
    assert len(rows) > 5
    assert {row.status.value for row in rows} == {"error"}
    # The first may meet the one that has not yet ended.
    unready, absent = f"the peer on {home} did not start", "the peer does not run: Cannot run"
    texts = [
        unready if row.said.startswith(unready) else row.said[: len(absent)] for row in rows[1:]
    ]
    assert texts[:2] == [unready, unready]
    assert set(texts[3:]) == {absent}


def test_without_the_jvm_of_the_peers_it_says_why_no_row_was_run(
    runner: OtherVm, tool_jdk: Path, tmp_path: Path
) -> None:
    java = tmp_path / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text("#!/bin/sh\necho 'libjvm.so: cannot open it' >&2; exit 127\n")
    java.chmod(0o755)
    test = runner.tests[TEST]
    properties = {**test.properties, "interop.peer.jdk": str(tmp_path / "jdk")}
    dead = dataclasses.replace(
        runner, tests={TEST: dataclasses.replace(test, properties=properties)}
    )
    build = BUILD.model_copy(update={"home": str(tool_jdk)})
    cell = tmp_path / "cell"
    execution = dead.run(task_of(build, TEST), cell, Children())
    assert execution.status_text == (
        "Failed. Execution failed: main threw java.lang.AssertionError: "
        "start failed: PeerProcess$Lacking: the peer's JVM died: see peer.log"
    )
    assert (cell / "peer.log").read_text() == "libjvm.so: cannot open it\n"


def test_an_error_that_the_jdk_throws_costs_its_row_alone(
    runner: OtherVm, tool_jdk: Path, tmp_path: Path
) -> None:
    build = BUILD.model_copy(update={"home": str(tool_jdk)})
    execution = runner.run(task_of(build, SELFTEST), tmp_path, Children())
    assert execution.status is Status.PASSED, execution.status_text
