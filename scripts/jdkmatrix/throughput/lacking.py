# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is to be told of figures that rest on less than was wanted?"""

from collections.abc import Collection, Iterator, Sequence

from jdkmatrix.run.sample_record import BlockRecord
from jdkmatrix.run.throughput_store import ComparisonRecord


def lacking(
    comparison: ComparisonRecord, blocks: Sequence[BlockRecord], arms: Collection[str]
) -> Iterator[str]:
    """What the figures of these arms could not be measured with, each once."""
    if comparison.lacks:
        yield comparison.lacks
    for block in blocks:
        if block.resumed:
            yield f"blocks from {block.block} on were measured later, when the run was resumed"
    told: dict[str, list[int]] = {}
    for block in blocks:
        for sample in block.graded.samples:
            if sample.arm in arms and not sample.counts:
                why = f"{sample.arm}: {sample.void or '; '.join(sample.vetoes)}"
                told.setdefault(why, []).append(block.block)
    for why, numbers in told.items():
        yield f"block {', '.join(map(str, numbers))}: {why}"
