# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix ... | head`: the history has the run though nobody reads its results to the end."""

import errno
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest

from jdkmatrix.cli.app import main
from tests.merge.shard_kit import store, store_shards
from tests.report.conftest import make_results


def one_run(place: Path) -> list[Path]:
    store(place / "run", ["17.0.9+9"])
    return [place / "run"]


@pytest.mark.parametrize(
    ("arguments", "stored"),
    [
        ("run", None),
        ("validate debian-8", None),
        ("throughput", None),
        ("merge", store_shards),
        ("report", one_run),
    ],
)
def test_the_history_is_told_before_anything_is_printed(
    arguments: str,
    stored: Callable[[Path], list[Path]] | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def gone(*_: object, **__: object) -> NoReturn:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    command, *rest = arguments.split()
    module = import_module(f"jdkmatrix.cli.{command}")
    made = {"run": "run_matrix", "validate": "validate_build", "throughput": "run_throughput"}
    if stored:
        rest += map(str, stored(tmp_path))
        rest += ["--out", str(tmp_path / "merged")] if command == "merge" else []
    else:
        monkeypatch.setattr(module, made[command], lambda *_, **__: (make_results(), tmp_path))
    printed = "print_throughput" if command == "throughput" else "print_summary"
    monkeypatch.setattr(module, printed, gone)
    monkeypatch.setattr(
        "sys.stdout", SimpleNamespace(write=gone, flush=lambda: None, isatty=lambda: False)
    )
    told: list[object] = []
    monkeypatch.setattr(module, "hand_over", lambda *given: told.append(given))
    assert main([command, *rest]) == 2
    assert len(told) == 1
