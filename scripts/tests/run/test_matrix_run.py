# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is kept of a run that is ended, or broken, in the middle? Without Java."""

from pathlib import Path
from typing import Any, NoReturn

import pytest

from jdkmatrix import matrix_run
from jdkmatrix.run import cells
from jdkmatrix.run.record import Request
from tests.run.run_kit import TESTS, play, resume, run, stored
from tests.run.test_resume import PLAIN

REQUEST = Request(builds=(PLAIN.id,), tests=TESTS)


def test_ctrl_c_while_recordings_are_read_leaves_them_to_a_resumed_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    play(monkeypatch)
    monkeypatch.setattr(matrix_run, "digest_recordings", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, REQUEST)
    assert stored(tmp_path).finished is None
    read: list[Any] = []
    monkeypatch.setattr(matrix_run, "digest_recordings", lambda *given: read.append(given[0]))
    monkeypatch.setattr(cells, "run_test", interrupt)  # no cell is run again
    assert resume(tmp_path).complete
    assert [cell.test for cell in read[0]] == [*TESTS]
    assert stored(tmp_path).finished
