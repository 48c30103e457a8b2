# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`has`: mistakes in one line; on real builds, affected and fixed."""

import errno
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from rich.console import Console

from jdkmatrix.cli import has_change
from jdkmatrix.cli.app import main
from jdkmatrix.cli.has import measure
from jdkmatrix.cli.options import changes_of
from jdkmatrix.config.known_changes import KnownChange
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.errors import ExitCode, MachineError
from jdkmatrix.flow.flow import RunOptions
from jdkmatrix.paths import Checkout
from jdkmatrix.records.request import Request
from jdkmatrix.report.console.display import Display
from jdkmatrix.supply.build import Unavailable
from jdkmatrix.supply.runtime_facts import Defaults
from tests.flow.run_kit import PLAIN, PlayedTools, Stage, StandInSupplier

# A change that the ledger leaves out is answered by what the JDK does.
LEFT_OUT = next(
    entry.id
    for entry in load_ledger(Checkout.current().ledger).left_out
    if entry.id and not changes_of(entry.id)
)

MISTAKES = [
    ("has", "Missing argument 'BUG'"),
    ("has 8293562", "has 8293562: accepted: one of --jdk PATH and --build ID"),
    ("has 8293562 --jdk / --build debian-8", "accepted: one of --jdk PATH and --build ID"),
    ("has 123 --build debian-8", "has 123: not in the ledger; accepted: JDK-8293562"),
    (f"has {LEFT_OUT} --build debian-8", f"has {LEFT_OUT}: has no reproducer: "),
    ("has 8293562 --build nix", "--build nix: no such build; accepted: debian-8"),
    ("has 8293562 --build temurin-17*", "--build temurin-17*: no such build; accepted: debian-8"),
    ("has 8293562 --jdk /nix", "--jdk /nix: no such folder"),
    ("has 8256660 --jdk /nix", "--jdk /nix: no such folder"),
]


@pytest.mark.parametrize(("line", "message"), MISTAKES, ids=[line for line, _ in MISTAKES])
def test_a_mistake_is_one_line(line: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == ExitCode.USAGE
    (stderr_line,) = capsys.readouterr().err.splitlines()[-1:]
    assert message in stderr_line


class HasNone(StandInSupplier):
    """No source has the build."""

    def stream_outcomes(self, _: Iterable[object]) -> Iterator[Any]:
        yield Unavailable(PLAIN.entry_id, (("wheel", "gone"),))


def no_room(*_: object, **__: object) -> NoReturn:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    ("stage", "reason"),
    [
        (
            Stage(supplier=HasNone()),
            f"no cell could be run: {PLAIN.id}: wheel: gone",
        ),
        (Stage(run=no_room), "not every reproducer was run"),
    ],
    ids=["no build", "no room"],
)
def test_it_cannot_say_why(stage: Stage, reason: str, tmp_path: Path) -> None:
    request = Request(builds=(PLAIN.id,), bugs=("JDK-8293562",))
    options = RunOptions(jobs=1, out=tmp_path / "run")
    with pytest.raises(MachineError) as error:
        measure(PlayedTools(stage), request, options, Display(Console(quiet=True)))
    assert str(error.value) == f"has JDK-8293562: cannot say: {reason}"


@pytest.mark.jdk
@pytest.mark.network
@pytest.mark.parametrize(
    ("build", "code", "presence"),
    [("temurin-11.0.13+8", ExitCode.SURPRISE, "affected"), ("debian-11.0.24+8", 0, "fixed")],
)
def test_a_fix_is_found_by_running(
    build: str, code: int, presence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["has", "8270317", "--build", build, "--json", "--out", str(tmp_path / "run")]
    assert main(arguments) == code
    answer = json.loads(capsys.readouterr().out)
    assert (answer["presence"], answer["build"]) == (presence, build)


@pytest.mark.jdk
@pytest.mark.network
@pytest.mark.parametrize(
    ("build", "code", "state"),
    [("debian-17", ExitCode.SURPRISE, "DTLSv1.0"), ("temurin-17.0.9+9", ExitCode.OK, "none")],
)
def test_a_change_is_seen_in_what_a_build_does(
    build: str, code: int, state: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["has", "8256660", "--build", build, "--json"]) == code
    answer = json.loads(capsys.readouterr().out)
    assert (answer["bug"], answer["presence"]) == ("JDK-8256660", "present" if code else "absent")
    algorithm, row = (sign["state"] for sign in answer["signs"])
    assert algorithm == state
    assert row.endswith("[DTLSv1.2]" if code else "[DTLSv1.2, DTLSv1.0]")


@pytest.mark.parametrize(
    ("kind", "code", "line"),
    [
        ("added", ExitCode.SURPRISE, "changed: algorithms: RC4: RC4"),
        ("removed", ExitCode.OK, "as before: algorithms: RC4: RC4"),
        ("reordered", ExitCode.MACHINE, "tells nothing: algorithms: RC4: not to be seen in one"),
    ],
)
def test_the_answer_of_a_change_has_a_code_and_what_says_so(
    kind: str,
    code: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    texts = {"from": "x", "to": "y"} if kind == "reordered" else {}
    pattern = {"aspect": "algorithms", "item": "RC4", "kind": kind, **texts}
    change = KnownChange.model_validate(
        {
            "bug": "JDK-8000000",
            "title": "No RC4",
            "since": {17: "17.0.12+7"},
            "changes": [pattern],
            "restore": "-Drc4=true",
        }
    )
    defaults = Defaults(version="17.0.12+7", vendor="x", aspects={"algorithms": {"RC4": ""}})
    monkeypatch.setattr(has_change, "read_defaults", lambda *_, **__: defaults)
    options: dict[str, Any] = {"jdk": "jdk-17", "build": None, "offline": True, "out": None}
    checkout = Checkout.current()
    assert has_change.answer_changes(checkout, [change], as_json=False, **options) == code
    lines = capsys.readouterr().out
    assert line in lines
    assert ("-Drc4=true" in lines) is (code == ExitCode.SURPRISE)
