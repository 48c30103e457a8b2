# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Recordings with bytes changed, lost or twice: each is read, or a line says why it cannot be."""

import random
import resource
from pathlib import Path

import pytest
from hypothesis import strategies as st

from jdkmatrix.evidence.digest import Digester
from tests.fuzz import LONGEST_S, fuzz

pytestmark = pytest.mark.jdk
# Of one JVM that reads them: it takes a second to start.
BATCH = 80
LONGEST_LINE = 300
# Of a chunk's header: size, pools, metadata, start, ticks, and flags (jdk.jfr's format 2.1).
HEADER_BYTES = 68
ODD = [b"\x00", b"\xff", b"\x80" * 9, b"\xff" * 8, b"FLR\x00", b"\x7f" + b"\xff" * 7, b"\x01" * 300]


def damage(content: bytes, chance: random.Random) -> bytes:
    """The same, cut, or with some of its bytes others, gone, or twice, often of its header."""
    content = content[: chance.randrange(len(content))] if chance.random() < 0.2 else content
    for _ in range(chance.choice([1, 1, 2, 5, 50])):
        index = chance.randrange(HEADER_BYTES if chance.random() < 0.3 else len(content) or 1)
        length = chance.choice([0, 1, 1, 8, 200])
        patch = chance.choice([*ODD, chance.randbytes(8), content[index : index + 2 * length]])
        content = content[:index] + patch + content[index + length :]
    return content


@fuzz(1, long_inputs=425, seed=st.integers(0, 1 << 32))
def test_damaged_recordings(
    digester: Digester, recording: Path, tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    chance = random.Random(seed)
    whole, folder = recording.read_bytes(), tmp_path_factory.mktemp("recordings")
    files = []
    for n in range(BATCH):
        file = folder / f"{n}.jfr"
        file.write_bytes(damage(whole, chance))
        files.append(file)
    start_usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    read = digester.digest(files).recordings  # raises MachineError if the program gives up
    end_usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert end_usage.ru_utime - start_usage.ru_utime < BATCH * LONGEST_S
    assert {Path(unit.file) for unit in read} == set(files)
    errors = [unit.error for unit in read if unit.error]
    assert all("\n" not in error and len(error) < LONGEST_LINE for error in errors)
    assert not [error for error in errors if "java." in error]
