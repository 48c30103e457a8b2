# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does `--offline` open no socket, and start nothing that would?

An audit hook (PEP 578) forbids sockets, pip, apt and Maven in a process of its own.
"""

import json
from collections.abc import Callable
from subprocess import Popen

import pytest

from tests.supply.supply_kit import Shop, from_wheel, jdks_of

pytestmark = pytest.mark.slow

TIMEOUT_S = 120
GUARD = """
import os, sys
def forbid(event, arguments):
    if event.startswith("socket.") and event != "socket.gethostname":
        sys.stderr.write(f"FORBIDDEN {event} {arguments}\\n")
        os._exit(77)
    if event == "subprocess.Popen":
        command = " ".join(map(os.fspath, arguments[1]))
        if any(word in command for word in ("pip", "apt", "mvn", "curl")):
            sys.stderr.write(f"FORBIDDEN {command}\\n")
            os._exit(78)
sys.addaudithook(forbid)
"""
SUPPLY = """
import json
from pathlib import Path
from tests.supply.supply_kit import ProgressLog, jdks_of
from jdkmatrix.supply.supplier import Supplier
jdks = jdks_of(*json.loads({entries!r}))
supplier = Supplier(jdks, Path({lock!r}), Path({cache!r}), {offline}, ProgressLog())
for outcome in supplier.supply(jdks.builds):
    print(outcome if not hasattr(outcome, "id") else outcome.id)
"""
COMMAND = """
from jdkmatrix.cli.app import main
sys.exit(main({arguments!r}))
"""
ENTRIES: list[dict[str, object]] = [
    from_wheel("temurin-17.0.3+7", "1.0"),
    {
        "id": "temurin-17.0.7+7",
        "sources": [
            {"source": "adoptium", "release": "jdk-17.0.7+7"},
            {"source": "url", "url": "http://127.0.0.1:9/x.tar.gz", "sha256": "0" * 64},
            {"source": "debian", "suite": "sid", "packages": ["openjdk-17-jre-headless"]},
        ],
    },
]
Run = Callable[[str], "Popen[str]"]


def code(shop: Shop, *, offline: bool) -> str:
    places = {"lock": str(shop.lock), "cache": str(shop.cache)}
    return GUARD + SUPPLY.format(entries=json.dumps(ENTRIES), offline=offline, **places)


def test_no_source_opens_a_socket_or_starts_a_client(shop: Shop, in_process: Run) -> None:
    shop.offer("1.0", "17.0.3+7")
    jdks = jdks_of(ENTRIES[0])
    shop.supplier(jdks).supply(jdks.builds)
    run = in_process(code(shop, offline=True))
    output, errors = run.communicate(timeout=TIMEOUT_S)
    assert (run.returncode, errors) == (0, "")
    cached_line, missing = output.splitlines()
    assert cached_line == "temurin-17.0.3+7"
    assert missing.count("not in jdks.lock") == missing.count("and offline") == 3


def test_the_guard_sees_a_socket(shop: Shop, in_process: Run) -> None:
    run = in_process(code(shop, offline=False))
    _, errors = run.communicate(timeout=TIMEOUT_S)
    assert run.returncode in (77, 78)
    assert errors.startswith("FORBIDDEN")


@pytest.mark.parametrize(
    "arguments",
    [["jdks", "list"], ["jdks", "verify", "temurin-17.0.3+7"], ["jdks", "prune", "--dry-run"]],
    ids=" ".join,
)
def test_commands_that_look_only_open_none(in_process: Run, arguments: list[str]) -> None:
    run = in_process(GUARD + COMMAND.format(arguments=arguments))
    _, errors = run.communicate(timeout=TIMEOUT_S)
    assert "FORBIDDEN" not in errors
    assert run.returncode in (0, 3), errors
