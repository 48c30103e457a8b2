# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A mistake in jdks.yaml or the ledger is one line: file, line, key, what is accepted."""

from collections.abc import Callable
from pathlib import Path

import pytest

from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.errors import ExitCode, UsageError

JDKS_MISTAKES = [
    (
        "source: wheel, package",
        "source: wheell, package",
        "'wheell'",
        "'wheel', 'maven', 'debian', 'adoptium', 'url', 'local'",
    ),
    ("version: 17.0.3.0", "verion: 17.0.3.0", "unknown key 'verion'", "source, package, version"),
    (", version: 17.0.3.0", "", "missing key 'version'", "sources[0]"),
    ("id: debian-26", "id: debian-21", "duplicate id 'debian-21'", "].id"),
    ("id: debian-26", "id: debian-nil", "not a JDK version: 'nil'", "accepted: 8u412-b08"),
    ("id: debian-26", "id: twentysix", "not a build id", "accepted: vendor-version"),
    ("schema: 1", "schema: 2", "schema: input should be 1", "not 2"),
    (
        "  - debian-8\n",
        "  - debian-9\n",
        "no build 'debian-9'",
        "did you mean debian-8?",
    ),
    ("jdk: debian-17", "jdk: debian-18", "no build 'debian-18'", "tools.jdk"),
    ("suite: bullseye", "suite: [a]", "suite: input should be a valid string", "not ['a']"),
    ("default:", "default: [", "expected the node content", ""),
    ("schema: 1", "schema: 1\nschema: 1", "duplicate key", ""),
]
LEDGER_MISTAKES = [
    ("11.0.21+1", "eleven", "not a JDK version: 'eleven'", "accepted: 8u412-b08"),
    ("17: 17.0.7+1", "17: 16+1", "tag 16+1 does not belong to train 17", ""),
    ("id: JDK-8293562", "id: 8293562", "string", "bugs[0].id"),
    ("needs: [tls13", "needs: [tls14", "no condition 'tls14-by-default-for-clients'", "accepted"),
    ("    broken: TLS 1.3 is not to be had\n", "", "asked and broken together", "conditions[0]"),
    ("    asked: {fact: jfr}\n", "", "asked and broken together", "conditions[4]"),
    ("since: {8: 8u292", "since-in-full-jdk: {8: 8u292", "with since-in-full-jdk or", "asked"),
    ("(9)\n\nbugs", "(9)\n    module: java.naming\n\nbugs", "with since-in-full-jdk or", "asked"),
    ("usable_protocols, has: TLSv1.3", "usable_protocols", "with has for a list", "a yes or no"),
    ("fact: jfr", "fact: jfr, has: jfr", "with has for a list", "without for a yes or no"),
    ("component:", "compnent:", "unknown key 'compnent'", "component"),
    (
        "    needs-of:\n",
        "    needs-of:\n      a: []\n",
        "not a test of JDK-8293562",
        "one of its tests",
    ),
    ("{waiter} waited", "{Waiter} waited", "accepted in braces: the name of a fact", "close_ms"),
    ("{waiter} waited", "{waiter waited", "accepted in braces: the name of a fact", "close_ms"),
    ("of another host\n", "of another host.\n", "cause[2].says", "without a full stop"),
    ("{timeout_ms} was", "{timeout_ms} ms was", "without a unit", "a duration"),
    (
        "- test: keepalive/Early",
        "- test: keepalive/Late",
        "not a test of JDK-8293562",
        "one of its tests",
    ),
    (
        "    links:",
        "    introduced: {11: 12+1}\n    links:",
        "12+1 does not belong to train 11",
        "",
    ),
    (
        "[http/ExpectContinueRequestTimesOut.java]",
        "[keepalive/DisconnectWaitsForSilentPeer.java]",
        "DisconnectWaitsForSilentPeer.java is a test of JDK-8293562",
        "tests[0]",
    ),
    ("keepalive/Requests", "keepalive/Request5", "no test keepalive/Request5", "beside"),
]


def error_line(path: Path, load: Callable[[Path], object]) -> str:
    with pytest.raises(UsageError) as error:
        load(path)
    assert error.value.exit_code == ExitCode.USAGE
    return str(error.value)


@pytest.mark.parametrize(("right", "wrong", "says", "remedy"), JDKS_MISTAKES)
def test_jdks_yaml(
    root: Path, tmp_path: Path, right: str, wrong: str, says: str, remedy: str
) -> None:
    text = (root / "jdks.yaml").read_text()
    assert right in text
    path = tmp_path / "jdks.yaml"
    path.write_text(text.replace(right, wrong, 1))
    line = error_line(path, load_jdks)
    assert says in line
    assert remedy in line
    assert "\n" not in line
    expected_line = text[: text.index(right)].count("\n") + wrong.count("\n") + 1
    if right.endswith("\n"):
        expected_line -= 1
    number = int(line.removeprefix(f"{path}:").split(":")[0])
    assert abs(number - expected_line) <= 1, line


@pytest.mark.parametrize(("right", "wrong", "says", "remedy"), LEDGER_MISTAKES)
def test_ledger(root: Path, tmp_path: Path, right: str, wrong: str, says: str, remedy: str) -> None:
    text = (root / "test" / "bugs.yaml").read_text()
    assert right in text
    path = tmp_path / "bugs.yaml"
    path.write_text(text.replace(right, wrong, 1))
    line = error_line(path, load_ledger)
    assert line.startswith(f"{path}:")
    assert says in line
    assert remedy in line
    assert "\n" not in line


def test_missing_and_unreadable(tmp_path: Path) -> None:
    assert "no such file" in error_line(tmp_path / "jdks.yaml", load_jdks)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    assert "cannot be read" in error_line(tmp_path / "binary", load_jdks)
    (tmp_path / "bell").write_text("default: [debian-8\a]\n")
    assert error_line(tmp_path / "bell", load_jdks) == (
        f"{tmp_path}/bell: not YAML: unacceptable character #x0007: "
        "special characters are not allowed"
    )
    (tmp_path / "list").write_text("- a\n")
    assert "should be a valid dictionary" in error_line(tmp_path / "list", load_jdks)
