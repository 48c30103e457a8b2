# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What must be said about figures that rest on less than was wanted?"""

from collections.abc import Iterator, Mapping, Sequence

from jdkmatrix.records.comparison_record import ComparisonRecord
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.sample_record import BlockRecord
from jdkmatrix.run.samples.blocks_in_turn import is_hopeless


def without_comparison(
    comparison: ComparisonRecord, builds: Mapping[str, BuildRecord]
) -> tuple[str, ...]:
    """Why a comparison cannot be: no JVM starts of its baseline, or of all its other builds. Empty
    if it can. `builds` are the run's, by id.
    """
    refusals = _refusals(comparison, comparison.builds, builds)
    if comparison.baseline in refusals:
        return (refusals[comparison.baseline],)
    is_alone = len(refusals) == len(comparison.builds) - 1
    return tuple(refusals.values()) if is_alone else ()


def list_early_ends(
    comparison: ComparisonRecord,
    blocks: Sequence[BlockRecord],
    arms: Sequence[str],
    builds: Mapping[str, BuildRecord],
) -> Iterator[str]:
    """Why the comparison of these arms ended before it had all that it needs, each reason once."""
    if comparison.lacks:
        yield comparison.lacks
    refusals = _refusals(comparison, arms, builds)
    yield from (text for text in refusals.values() if text not in (comparison.lacks or ""))
    for arm in arms if not refusals else ():
        hopeless = [block for block in blocks if is_hopeless([block], arm)]
        for block in hopeless[:1]:
            *_, reason = _faults(block, (arm,))
            yield f"left out from block {block.block} on: {reason}"


def shortfalls(
    comparison: ComparisonRecord,
    blocks: Sequence[BlockRecord],
    arms: Sequence[str],
    builds: Mapping[str, BuildRecord],
) -> Iterator[str]:
    """What impaired the measurement of these arms, each reason once.

    A fault counts even if the block went well when it was repeated: a handshake that fails now and
    then is a fault of the build.
    """
    yield from list_early_ends(comparison, blocks, arms, builds)
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
    yield from dict.fromkeys(
        f"{sample.build}: {text}"
        for block in blocks
        for sample in block.graded_attempt.samples
        if sample.arm in arms
        for text in sample.count_gaps
    )
    yield from dict.fromkeys(_list_cold(blocks, arms))


def _list_cold(blocks: Sequence[BlockRecord], arms: Sequence[str]) -> Iterator[str]:
    """The samples whose warm-up ended before it had done its work."""
    for block in blocks:
        for sample in block.graded_attempt.samples:
            warm_up = sample.warm_up
            if warm_up is None or sample.arm not in arms or not sample.counts:
                continue
            text = f"block {block.block}: code that is not compiled yet may have been measured"
            if not warm_up.was_given:
                yield (
                    f"{text}: of {warm_up.planned_s:.3g} s to warm up, the machine gave "
                    f"{warm_up.given_s:.3g} in {warm_up.passed_s:.3g} s"
                )
            elif (sample.warm_up_requests or 0) < warm_up.least_requests:
                yield (
                    f"{text}: {sample.build} warmed up with {sample.warm_up_requests or 0:,} "
                    f"requests, not with {warm_up.least_requests:,}"
                )


def _refusals(
    comparison: ComparisonRecord, names: Sequence[str], builds: Mapping[str, BuildRecord]
) -> dict[str, str]:
    """Why no JVM starts, by the names of the builds and copies of which none does."""
    named_builds = {name: builds.get(comparison.build_of(name)) for name in names}
    return {
        name: f"{build.id}: {build.refusal}"
        for name, build in named_builds.items()
        if build and build.refusal
    }


def _faults(block: BlockRecord, arms: Sequence[str]) -> dict[str, list[int]]:
    """The tries at a block in which a sample of these arms does not count, by reason."""
    tries_by_reason: dict[str, list[int]] = {}
    for number, attempt in enumerate(block.attempts, 1):
        for sample in attempt.samples:
            if sample.arm in arms and not sample.counts:
                reason = f"{sample.arm}: {sample.void or '; '.join(sample.vetoes)}"
                tries_by_reason.setdefault(reason, []).append(number)
    return tries_by_reason
