# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What must be said about figures that rest on less than was wanted?"""

from collections.abc import Iterator, Sequence

from jdkmatrix.records.comparison_record import ComparisonRecord
from jdkmatrix.records.sample_record import BlockRecord
from jdkmatrix.run.samples.blocks_in_turn import is_hopeless


def list_early_ends(
    comparison: ComparisonRecord, blocks: Sequence[BlockRecord], arms: Sequence[str]
) -> Iterator[str]:
    """Why the comparison of these arms ended before it had all that it needs, each reason once."""
    if comparison.lacks:
        yield comparison.lacks
    for arm in arms:
        hopeless = [block for block in blocks if is_hopeless([block], arm)]
        for block in hopeless[:1]:
            *_, reason = _faults(block, (arm,))
            yield f"left out from block {block.block} on: {reason}"


def shortfalls(
    comparison: ComparisonRecord, blocks: Sequence[BlockRecord], arms: Sequence[str]
) -> Iterator[str]:
    """What impaired the measurement of these arms, each reason once.

    A fault counts even if the block went well when it was repeated: a handshake that fails now and
    then is a fault of the build.
    """
    yield from list_early_ends(comparison, blocks, arms)
    for block in blocks:
        if block.resumed:
            yield f"blocks from {block.block} on were measured later, when the run was resumed"
    blocks_by_reason: dict[str, list[str]] = {}
    for block in blocks:
        for reason, tries in _faults(block, arms).items():
            suffix = f" (try {', '.join(map(str, tries))})" if len(block.attempts) > 1 else ""
            blocks_by_reason.setdefault(reason, []).append(f"{block.block}{suffix}")
    for reason, places in blocks_by_reason.items():
        yield f"block {', '.join(places)}: {reason}"


def _faults(block: BlockRecord, arms: Sequence[str]) -> dict[str, list[int]]:
    """The tries at a block in which a sample of these arms does not count, by reason."""
    tries_by_reason: dict[str, list[int]] = {}
    for number, attempt in enumerate(block.attempts, 1):
        for sample in attempt.samples:
            if sample.arm in arms and not sample.counts:
                reason = f"{sample.arm}: {sample.void or '; '.join(sample.vetoes)}"
                tries_by_reason.setdefault(reason, []).append(number)
    return tries_by_reason
