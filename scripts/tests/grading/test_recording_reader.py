# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Recordings are read in batches while cells run; one that can't be read costs its batch alone."""

from collections.abc import Sequence
from pathlib import Path

from jdkmatrix.errors import MachineError
from jdkmatrix.grading.cell_recordings import RecordingReader

HOMES = [Path(f"cells/b/t{n}") for n in range(40)]


def test_a_batch_that_cannot_be_read_costs_its_own_causes() -> None:
    batches: list[Sequence[Path]] = []
    failures: list[str] = []

    def read(homes: Sequence[Path]) -> None:
        batches.append(homes)
        if HOMES[20] in homes:
            raise MachineError("the digest: not done after 600 s")

    reader = RecordingReader(read, failures.append)
    for home in HOMES[:20]:
        reader.add(home)
    reader.finish(HOMES[20:])
    reader.close()
    assert [home for batch in batches for home in batch] == HOMES
    assert [len(batch) for batch in batches] == [16, 16, 8]
    assert failures == [
        "no causes of t16 and 15 others: their recordings cannot be read: "
        "the digest: not done after 600 s"
    ]


def test_nothing_is_read_of_nothing() -> None:
    batches: list[Sequence[Path]] = []
    reader = RecordingReader(batches.append, print)
    reader.finish([])
    reader.close()
    assert not batches
