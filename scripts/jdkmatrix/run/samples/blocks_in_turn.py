# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are a comparison's blocks run: every arm once, faulty blocks again, none kept in part?"""

import os
import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Protocol

from jdkmatrix.machine.children import Children
from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.machine.files import text_of, write_atomically
from jdkmatrix.machine.loopback import check_loopback
from jdkmatrix.machine.ports import can_run_out, wait_for_ports
from jdkmatrix.machine.withheld import IDLE, machine_ticks
from jdkmatrix.plan.blocks import BASELINE, CONTROL, Arm, block_order
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.sample_record import AttemptRecord, BlockRecord, MachineState, SampleRecord
from jdkmatrix.records.store import block_file, read_blocks
from jdkmatrix.run.samples.peers import KeptServices, Peers
from jdkmatrix.run.samples.sample_jvm import LoadCommand, Sampling
from jdkmatrix.run.samples.turns import Schedule, Turns

# The most attempts at a block, made while it has a void or vetoed sample.
MOST_ATTEMPTS = 3
SETTLING_FOLDER = "block-00-settling"
_UNFINISHED = "unfinished-"
_STAT = Path("/proc/stat")
_GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
_STEAL = 7


class MachineWatch:
    """Watches all cores from its construction to `state`."""

    def __init__(self, stat: Path = _STAT) -> None:
        self._stat = stat
        self._start_s = time.monotonic()
        self._first_ticks = machine_ticks(stat)

    def state(self) -> MachineState:
        """The machine since the watch began; shares are 0 if the system does not say."""
        ticks = [
            new - old for new, old in zip(machine_ticks(self._stat), self._first_ticks, strict=True)
        ]
        whole = max(sum(ticks), 1)
        busy = sum(ticks) - sum(ticks[IDLE])
        return MachineState(
            cores=usable_cores(),
            governor=_governor(),
            load_1min=round(os.getloadavg()[0], 2),
            steal_share=round(ticks[_STEAL] / whole, 4),
            busy_share=round(busy / whole, 4),
            seconds=round(time.monotonic() - self._start_s, 3),
        )


def _governor() -> str | None:
    try:
        return text_of(_GOVERNOR).strip()
    except OSError:
        return None


class Listener(Protocol):
    """What is told of the progress of comparisons."""

    def comparison_started(self, name: str, number_of: str) -> None:
        """A comparison begins; `number_of` is `1 of 4`."""

    def sample_started(self, arm: Arm, block: int) -> None:
        """A sample begins."""

    def sample_ended(self, sample: SampleRecord, block: int) -> None:
        """A sample has ended."""

    def notice(self, text: str) -> None:
        """Something that the user should know."""


@dataclass(frozen=True)
class Comparison:
    """What is compared; `name` is `<scenario>/<client>/<baseline>`."""

    name: str
    command: LoadCommand
    arms: tuple[Arm, ...]
    builds: Mapping[str, BuildRecord]
    seed: int
    blocks: int


@dataclass(frozen=True)
class BlockRunner:
    """Runs the blocks of one comparison; `folder` holds its records and samples."""

    comparison: Comparison
    peers: Peers
    services: KeptServices
    folder: Path
    children: Children
    listener: Listener

    def blocks(self) -> Iterator[BlockRecord]:
        """Yield the blocks that are left, each run when the caller asks for it, and stored.

        Raises PeerError if the peers do not start again, MachineError if client ports or the
        loopback interface are lacking, MidBlockStop after `children.stop()`.
        """
        blocks = list(read_blocks(self.folder))
        self._set_aside(blocks)
        finished_before = len(blocks)
        arms = arms_left(self.comparison, blocks)
        ports = self._settle(arms[0]) if arms and self._must_settle() else None
        while arms:
            numbers = {block.block for block in blocks}
            number = next(n for n in count(1) if n not in numbers)  # also that of a damaged one
            block = self._block(arms, number, ports)
            ports = _most_ports(ports, block)
            if blocks and len(blocks) == finished_before:
                block = block.model_copy(update={"resumed": True})
            text = block.model_dump_json(by_alias=True, indent=1)
            write_atomically(self.folder / block_file(block.block), text)
            blocks.append(block)
            for arm in [arm for arm in arms if is_hopeless([block], arm.name)]:
                notice = f"{self.comparison.name}: {arm.name} is left out: {_reason(block, arm)}"
                self.listener.notice(notice)
            yield block
            arms = arms_left(self.comparison, blocks)
            if arms and not block.attempts[-1].complete:
                self.peers.restart()

    def _set_aside(self, blocks: Sequence[BlockRecord]) -> None:
        """Move samples of a block that an earlier run did not finish out of the way.

        A block's samples must follow one another, so these can't be part of it any more.
        """
        samples = [
            sample for block in blocks for attempt in block.attempts for sample in attempt.samples
        ]
        names = {sample.folder for sample in samples}
        paths = [path for path in self.folder.glob("block-*/") if path.name not in names]
        if paths:
            number = sum(1 for _ in self.folder.glob(f"{_UNFINISHED}*/")) + 1
            new_folder = self.folder / f"{_UNFINISHED}{number}"
            new_folder.mkdir()
            for path in paths:
                path.rename(new_folder / path.name)

    def _must_settle(self) -> bool:
        """Must a sample that is not graded come first?

        In turns, all arms of a block warm the peers up and find them alike. What is left to learn
        is how many ports a sample takes, where they can run out.
        """
        scenario = self.comparison.command.scenario
        return not (scenario.turn_ms or scenario.services) or can_run_out()

    def _settle(self, arm: Arm) -> int | None:
        """Run a sample that is not graded: peers still compile while the first one runs.

        Return how many client ports it took in its window, None if it does not tell. Its services
        end with it; if kept, the baseline's would be warmer than those of the other arms.
        """
        wait_for_ports(None, self.listener.notice)
        self.listener.sample_started(arm, 0)
        self._mend_peers()
        with KeptServices() as services:
            sample = replace(self, services=services)._sample(arm, SETTLING_FOLDER)
        self.listener.sample_ended(sample, 0)
        return sample.client_ports

    def _block(self, arms: Sequence[Arm], number: int, ports: int | None) -> BlockRecord:
        attempts: list[AttemptRecord] = []
        while len(attempts) < MOST_ATTEMPTS and not (attempts and attempts[-1].complete):
            if attempts:  # a peer that still lives may be at fault
                self.peers.restart()
            attempts.append(self._attempt(arms, number, len(attempts) + 1, ports))
            check_loopback()  # or an interface that went down would count against an arm
            if not attempts[-1].complete:
                self.services.end()
        return BlockRecord(schema=1, block=number, attempts=tuple(attempts))

    def _attempt(
        self, arms: Sequence[Arm], number: int, attempt: int, ports: int | None
    ) -> AttemptRecord:
        """Run the arms once; `ports` is how many client ports a sample takes in its window."""
        watch = MachineWatch()
        order = block_order(arms, self.comparison.seed, self.comparison.name, number, attempt)
        folders = {arm: f"block-{number:02}-{attempt}-{arm.name}" for arm in order}
        run = self._in_turns if self.comparison.command.scenario.turn_ms else self._one_by_one
        scenario = self.comparison.command.scenario
        windows = 1 + scenario.warm_up_ms / scenario.measure_ms  # in the warm-up it connects too
        samples = run(folders, number, None if ports is None else round(ports * windows))
        return AttemptRecord(samples=tuple(samples), machine=watch.state())

    def _one_by_one(
        self, folders: Mapping[Arm, str], number: int, ports: int | None
    ) -> list[SampleRecord]:
        samples: list[SampleRecord] = []
        for arm, folder in folders.items():
            wait_for_ports(ports, self.listener.notice)
            samples += self._at_once({arm: folder}, number)
            self.services.end()  # it would keep its heap and timers beside the next arm
        return samples

    def _in_turns(
        self, folders: Mapping[Arm, str], number: int, ports: int | None
    ) -> list[SampleRecord]:
        """Run all arms of the block at once; one at a time works."""
        wait_for_ports(None if ports is None else ports * len(folders), self.listener.notice)
        return self._at_once(folders, number)

    def _at_once(self, folders: Mapping[Arm, str], number: int) -> list[SampleRecord]:
        under_way: list[Future[SampleRecord]] = []
        samples: list[SampleRecord] = []
        self._mend_peers()
        with (
            ThreadPoolExecutor(len(folders), thread_name_prefix="sample") as pool,
            Turns(self._schedule(folders)) as turns,
        ):
            try:
                for arm, folder in folders.items():
                    self.listener.sample_started(arm, number)
                    future = pool.submit(self._sample, arm, folder, turns.address, len(folders))
                    under_way.append(future)
                    turns.admit(future.done)
                turns.give(random.Random(f"{self.comparison.seed}/{'/'.join(folders.values())}"))
                for future in under_way:
                    samples.append(future.result().model_copy(update={"warm_up": turns.warm_up}))
                    self.listener.sample_ended(samples[-1], number)
            except KeyboardInterrupt:
                self.children.stop()  # or leaving `with` would wait for every sample
                raise
        return samples

    def _schedule(self, arms: Iterable[Arm]) -> Schedule:
        scenario = self.comparison.command.scenario
        turn_ms = scenario.turn_ms or 0
        if scenario.warm_up_again_ms and self.services.are_warm([arm.name for arm in arms]):
            return Schedule(turn_ms, scenario.warm_up_again_ms, scenario.measure_ms)
        requests = scenario.warm_up_requests or 0
        return Schedule(turn_ms, scenario.warm_up_ms, scenario.measure_ms, requests)

    def _mend_peers(self) -> None:
        if self.peers.complaint():  # one died in the sample before
            self.peers.restart()

    def _sample(
        self, arm: Arm, folder_name: str, turns: str | None = None, turn_takers: int = 1
    ) -> SampleRecord:
        folder = self.folder / folder_name
        build = self.comparison.builds[arm.build]
        command = self.comparison.command
        sampling = Sampling(command, self.peers, self.services, self.children, turns, turn_takers)
        return sampling.take(arm, build, folder)


def arms_left(comparison: Comparison, blocks: Sequence[BlockRecord]) -> tuple[Arm, ...]:
    """The arms of the next block, none if the comparison has had all its blocks.

    An arm is left out once a block has no attempt in which its sample counts; without baseline or
    control the comparison ends.
    """
    arms = tuple(arm for arm in comparison.arms if not is_hopeless(blocks, arm.name))
    names = {arm.name for arm in arms}
    return arms if len(blocks) < comparison.blocks and {BASELINE, CONTROL} < names else ()


def _most_ports(earlier_ports: int | None, block: BlockRecord) -> int | None:
    """The most client ports that any sample is known to have taken; None if that is unknown."""
    samples = [sample for attempt in block.attempts for sample in attempt.samples]
    ports = [sample.client_ports for sample in samples if sample.client_ports is not None]
    return max(ports if earlier_ports is None else [earlier_ports, *ports], default=None)


def is_hopeless(blocks: Sequence[BlockRecord], arm_name: str) -> bool:
    """Is there a block with no attempt in which the arm's sample counts?"""
    return any(
        not any(
            sample.counts and sample.arm == arm_name
            for attempt in block.attempts
            for sample in attempt.samples
        )
        for block in blocks
    )


def _reason(block: BlockRecord, arm: Arm) -> str:
    for sample in block.attempts[-1].samples:
        if sample.arm == arm.name:
            return sample.void or "; ".join(sample.vetoes)
    return "it was not run"
