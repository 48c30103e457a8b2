# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do the stages of a throughput run follow one another?

supply -> (peers, blocks, grade, recordings of what is slower) for each comparison in turn.
"""

import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.errors import MachineError
from jdkmatrix.evidence.digest import Digester
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.blocks import Arm, arms_of, original
from jdkmatrix.run.comparison import (
    BlockRunner,
    Comparison,
    Interrupted,
    Listener,
    arms_left,
)
from jdkmatrix.run.peers import PeerError, Peers
from jdkmatrix.run.process import Children, Ended
from jdkmatrix.run.record import BuildRecord
from jdkmatrix.run.recording import recording_options
from jdkmatrix.run.sample_record import BlockRecord
from jdkmatrix.run.samples import LoadCommand, run_sample
from jdkmatrix.run.throughput_store import (
    ComparisonRecord,
    ThroughputRecord,
    comparison_folder,
    read_blocks,
    write_plan,
)
from jdkmatrix.throughput.assemble import comparison_is_settled, grade_comparison
from jdkmatrix.throughput.evidence import (
    RECORDING_FILE,
    digest_recorded,
    has_jfr,
    keep_record,
    recorded_folder,
    was_read,
)
from jdkmatrix.throughput.load_programs import LoadPrograms
from jdkmatrix.throughput.plan import block_s, least_s
from jdkmatrix.throughput.selection import ThroughputSelection
from jdkmatrix.throughput.validation import blocks_wanted
from jdkmatrix.verdict.ratio import LEAST_BLOCKS, MINIMUM_EFFECT, SpeedGrade


@dataclass(frozen=True)
class ThroughputOptions:
    """How to measure. With `budget_s` a comparison ends once its figures are decided.

    It has two blocks at least, then as many as its figures lack that fit into that time beside two
    blocks of each later one.

    `validates` is the build that the run judges, and its baseline.
    """

    blocks: int
    seed: int
    minimum_effect: float = MINIMUM_EFFECT
    budget_s: float | None = None
    validates: tuple[str, str] | None = None


class ThroughputRun:
    """Runs the comparisons of a plan in a run's folder, or what is left of them, in turn."""

    def __init__(
        self,
        checkout: Checkout,
        selection: ThroughputSelection,
        options: ThroughputOptions,
        builds: Mapping[str, BuildRecord],
        folder: Path,
        listener: Listener,
        plan: ThroughputRecord,
    ) -> None:
        self._checkout = checkout
        self._selection = selection
        self._options = options
        self._builds = builds
        self._folder = folder
        self._listener = listener
        self._children = Children()
        self._record = plan
        write_plan(folder, self._record)

    @property
    def comparisons(self) -> tuple[ComparisonRecord, ...]:
        """What is compared."""
        return self._record.comparisons

    def execute(self, programs: LoadPrograms, digester: Digester) -> None:
        """Run every comparison. After Ctrl-C (KeyboardInterrupt) finished blocks are kept.

        One that peers, load or machine fail ends, says what it lacks, and the next one begins.
        """
        began = time.monotonic()
        try:
            for number, comparison in enumerate(self.comparisons):
                most_s = None
                if self._options.budget_s is not None:
                    later = self.comparisons[number + 1 :]
                    spent_s = time.monotonic() - began
                    most_s = self._options.budget_s - spent_s - least_s(later)
                number_of = f"{number + 1} of {len(self.comparisons)}"
                self._listener.comparison_started(comparison.name, number_of)
                self._compare(number, comparison, programs, digester, most_s)
        except (KeyboardInterrupt, Interrupted):
            self._children.stop()
            raise KeyboardInterrupt from None

    def _compare(
        self,
        number: int,
        comparison: ComparisonRecord,
        programs: LoadPrograms,
        digester: Digester,
        most_s: float | None,
    ) -> None:
        folder = comparison_folder(self._folder, comparison)
        began = time.monotonic()
        minimum_effect = self._options.minimum_effect

        goal = LEAST_BLOCKS

        def settled(blocks: Sequence[BlockRecord]) -> bool:
            """In a validation: two looks at the most, as each is one more chance to err."""
            nonlocal goal
            if most_s is None:
                return comparison_is_settled(comparison, blocks, minimum_effect)
            if len(blocks) == LEAST_BLOCKS:
                believed, decided = blocks_wanted(comparison, blocks, minimum_effect)
                left_s = most_s - (time.monotonic() - began)
                that_fit = len(blocks) + int(max(0, left_s) / block_s(comparison))
                goal = max(believed, min(decided or 0, that_fit))
            return len(blocks) >= goal

        try:
            if comparison.lacks:
                self._lacks(number, None)
            plan = self._plan(comparison, programs)
            kinds = sorted({host.peer for host in comparison.scenario.hosts.values()})
            paths = programs.peer_class_paths(kinds)
            is_left = arms_left(plan, list(read_blocks(folder)), settled)
            if not is_left and not self._unrecorded(comparison):
                self._listener.notice(f"{comparison.name}: finished before")
                return
            with Peers(programs.java, paths, comparison.scenario, folder / "peers") as peers:
                BlockRunner(plan, peers, folder, self._children, self._listener).run(settled)
                self._record_slower(comparison, plan.command, peers, digester)
        except (PeerError, MachineError, OSError) as error:
            lacks = error.strerror or str(error) if isinstance(error, OSError) else str(error)
            self._listener.notice(f"{comparison.name}: {lacks}")
            self._lacks(number, lacks)

    def _plan(self, comparison: ComparisonRecord, programs: LoadPrograms) -> Comparison:
        """What its blocks consist of. Raises MachineError if the load can't be had."""
        client = self._selection.file.clients[comparison.client]
        command = LoadCommand(
            scenario_name=comparison.scenario_name,
            scenario=comparison.scenario,
            client_name=comparison.client,
            client=client,
            class_path=programs.class_path(client),
        )
        return Comparison(
            name=comparison.name,
            command=command,
            arms=arms_of(comparison.builds, comparison.baseline),
            builds=self._builds,
            seed=self._options.seed,
            blocks=self._options.blocks,
        )

    def _record_slower(
        self,
        comparison: ComparisonRecord,
        command: LoadCommand,
        peers: Peers,
        digester: Digester,
    ) -> None:
        """One more sample with a recording of each slower build, and of the baseline."""
        folder = comparison_folder(self._folder, comparison)
        block = sum(1 for _ in read_blocks(folder))
        places = []
        for build in self._unrecorded(comparison):
            record = self._builds[original(build)]
            place = folder / recorded_folder(build)
            shutil.rmtree(place, ignore_errors=True)  # of a run that was interrupted here
            settings = self._checkout.recording_settings
            options = recording_options(settings, str(place / RECORDING_FILE))
            if peers.complaint():
                peers.restart()
            arm = Arm("recorded", record.id)
            self._listener.sample_started(arm, block)
            ended, sample = run_sample(command, arm, record, peers, place, self._children, options)
            if ended is Ended.INTERRUPTED:
                raise Interrupted
            self._listener.sample_ended(sample, block)
            keep_record(place, sample)
            places.append(place)
        digest_recorded(places, digester)

    def _unrecorded(self, comparison: ComparisonRecord) -> list[str]:
        """The slower builds and their baseline, but for those whose recordings are there."""
        folder = comparison_folder(self._folder, comparison)
        blocks = list(read_blocks(folder))
        graded = grade_comparison(
            comparison, blocks, self._record, self._folder, self._selection.ledger, self._builds
        )
        slower = [one.build for one in graded if one.grade is SpeedGrade.SLOWER]
        builds = [comparison.baseline, *slower] if slower and not comparison.sweep else []
        return [
            build
            for build in builds
            if has_jfr(build, self._builds) and not was_read(folder / recorded_folder(build))
        ]

    def _lacks(self, number: int, text: str | None) -> None:
        comparisons = list(self._record.comparisons)
        comparisons[number] = comparisons[number].model_copy(update={"lacks": text})
        self._record = self._record.model_copy(update={"comparisons": tuple(comparisons)})
        write_plan(self._folder, self._record)
