# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Thread dumps with anything changed, lost or put in: each is read, or said to be unreadable."""

import gzip
import random
from pathlib import Path

import pytest
from hypothesis import strategies as st

from jdkmatrix.evidence.digest import Digester
from tests.conftest import FIXTURES
from tests.evidence.shapes import SHAPES
from tests.fuzz import fuzz

pytestmark = pytest.mark.jdk
# Of one JVM that reads them: it takes a second to start.
BATCH = 120
DUMPS = sorted((FIXTURES / "dumps").glob("8*.txt.gz"))
ODD = [
    b"\x00",
    b"\xff\xfe",
    b"\n",
    b"0x",
    b'"',
    b"- locked <0x1>",
    b"9" * 400,
    b"\t" * 999,
    b"\x1b[2J",
    b"<br>&#0;&#x10ffff;&quot;",
    b"> ",
    b'"x" Id=1 BLOCKED on a@1 owned by "',
    b'{"log":"\\u12',
    b"Full thread dump \\n",
]


@pytest.fixture(scope="module")
def contents() -> list[bytes]:
    dumps = [gzip.decompress(path.read_bytes()) for path in DUMPS]
    return [*dumps, *(shape.content for shape in SHAPES.values())]


def damage(content: bytes, chance: random.Random) -> bytes:
    """The same with lines lost, twice or moved, and odd bytes put in."""
    lines = content.splitlines(keepends=True)
    begin = chance.randrange(len(lines))
    lines = lines[begin : begin + chance.randrange(1, 400)] if chance.random() < 0.5 else lines
    for _ in range(chance.randrange(1, 6)):
        index = chance.randrange(len(lines))
        line, odd = lines[index], chance.choice(ODD)
        end = chance.randrange(len(line) + 1)
        lines[index : index + 1] = chance.choice(
            [[], [line, line], [line[:end] + odd + line[end:]], [line[:end]], [odd]]
        ) or [b""]
    return b"".join(lines)


def test_a_number_of_any_length(digester: Digester, contents: list[bytes], tmp_path: Path) -> None:
    for n, line in enumerate([b'"x" #%s daemon', b"   Carrying virtual thread #%s"]):
        # Of another process each, so that neither is read as a part of the other.
        (tmp_path / f"{n}.txt").write_bytes(contents[n] + b"\n" + line % (b"9" * 400) + b"\n")
    assert len(digester.digest([tmp_path / "0.txt", tmp_path / "1.txt"]).recordings) == 2


@fuzz(1, long_inputs=284, seed=st.integers(0, 1 << 32))
def test_damaged_dumps(
    digester: Digester, contents: list[bytes], tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    chance = random.Random(seed)
    folder = tmp_path_factory.mktemp("dumps")
    files = []
    for n in range(BATCH):
        file = folder / f"{n}.txt"
        file.write_bytes(damage(chance.choice(contents), chance))
        files.append(file)
    read = digester.digest(files, files[:5])  # raises MachineError if the program gives up
    assert read.recordings
