# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are the comparisons of a run measured, one after the other, each graded as it goes on?

Peers, blocks, then recordings of what is slower.
"""

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.scenarios import ScenariosFile
from jdkmatrix.errors import MachineError
from jdkmatrix.evidence.digest import Digester
from jdkmatrix.grading.graded_comparisons import comparison_is_settled, grade_comparison
from jdkmatrix.grading.judged_build import blocks_wanted
from jdkmatrix.grading.recorded_samples import (
    RECORDING_FILE,
    digest_recorded,
    has_jfr,
    keep_record,
    recorded_folder,
    was_read,
)
from jdkmatrix.machine.children import Children, Ended
from jdkmatrix.machine.recording_options import recording_options
from jdkmatrix.plan.blocks import Arm, arms_of, original
from jdkmatrix.plan.planned_comparisons import block_s, least_s
from jdkmatrix.plan.workloads import version_of
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.sample_record import BlockRecord
from jdkmatrix.records.store import comparison_folder, read_blocks
from jdkmatrix.run.samples.blocks_in_turn import (
    BlockRunner,
    Comparison,
    Interrupted,
    Listener,
    arms_left,
)
from jdkmatrix.run.samples.load_programs import LoadPrograms
from jdkmatrix.run.samples.peers import PeerError, Peers
from jdkmatrix.run.samples.sample_jvm import LoadCommand, ServiceProgram, run_sample
from jdkmatrix.verdict.ratio import LEAST_BLOCKS
from jdkmatrix.vocabulary import SpeedGrade


@dataclass
class ComparisonTasks:
    """Measures what `plan` wants, or what is left of it, of these `builds`, by id.

    `folder` is the run's, `recording_settings` a `.jfc` file; `store` keeps the plan where it says
    what a comparison could not do. With `budget_s` a comparison ends once its figures are decided:
    it has two blocks at least, then as many as its figures lack that fit into that time beside two
    blocks of each later one.
    """

    plan: ThroughputRecord
    builds: Mapping[str, BuildRecord]
    file: ScenariosFile
    ledger: Ledger
    recording_settings: Path
    folder: Path
    listener: Listener
    store: Callable[[ThroughputRecord], None]
    budget_s: float | None = None
    children: Children = field(default_factory=Children)

    def execute(self, programs: LoadPrograms, digester: Digester) -> None:
        """Run every comparison. After Ctrl-C (KeyboardInterrupt) finished blocks are kept.

        One that peers, load or machine fail ends, says what it lacks, and the next one begins.
        """
        began = time.monotonic()
        comparisons = self.plan.comparisons
        try:
            for number, comparison in enumerate(comparisons):
                most_s = None
                if self.budget_s is not None:
                    spent_s = time.monotonic() - began
                    most_s = self.budget_s - spent_s - least_s(comparisons[number + 1 :])
                number_of = f"{number + 1} of {len(comparisons)}"
                self.listener.comparison_started(comparison.name, number_of)
                self._compare(number, comparison, programs, digester, most_s)
        except (KeyboardInterrupt, Interrupted):
            self.children.stop()
            raise KeyboardInterrupt from None

    def _compare(
        self,
        number: int,
        comparison: ComparisonRecord,
        programs: LoadPrograms,
        digester: Digester,
        most_s: float | None,
    ) -> None:
        folder = comparison_folder(self.folder, comparison)
        goal = _Goal(comparison, self.plan.minimum_effect, most_s)
        try:
            if comparison.lacks:
                self._lacks(number, None)
            parts = self._parts(comparison, programs)
            paths = programs.peer_class_paths(comparison.scenario.peers)
            blocks = list(read_blocks(folder))
            is_left = arms_left(parts, blocks) and not goal.is_reached(blocks)
            if not is_left and not self._unrecorded(comparison):
                self.listener.notice(f"{comparison.name}: finished before")
                return
            with Peers(programs.java, paths, comparison.scenario, folder / "peers") as peers:
                if is_left:
                    runner = BlockRunner(parts, peers, folder, self.children, self.listener)
                    for block in runner.blocks():
                        blocks.append(block)
                        if goal.is_reached(blocks):
                            break
                self._record_slower(comparison, parts.command, peers, digester)
        except (PeerError, MachineError, OSError) as error:
            lacks = error.strerror or str(error) if isinstance(error, OSError) else str(error)
            self.listener.notice(f"{comparison.name}: {lacks}")
            self._lacks(number, lacks)

    def _parts(self, comparison: ComparisonRecord, programs: LoadPrograms) -> Comparison:
        """What its blocks consist of. Raises MachineError if the load can't be had."""
        command = load_command(comparison, self.file, programs)
        return Comparison(
            name=comparison.name,
            command=command,
            arms=arms_of(comparison.builds, comparison.baseline),
            builds=self.builds,
            seed=self.plan.seed,
            blocks=self.plan.blocks,
        )

    def _record_slower(
        self,
        comparison: ComparisonRecord,
        command: LoadCommand,
        peers: Peers,
        digester: Digester,
    ) -> None:
        """One more sample with a recording of each slower build, and of the baseline."""
        folder = comparison_folder(self.folder, comparison)
        block = sum(1 for _ in read_blocks(folder))
        places = []
        for build in self._unrecorded(comparison):
            record = self.builds[original(build)]
            place = folder / recorded_folder(build)
            shutil.rmtree(place, ignore_errors=True)  # of a run that was interrupted here
            options = recording_options(self.recording_settings, str(place / RECORDING_FILE))
            if peers.complaint():
                peers.restart()
            arm = Arm("recorded", record.id)
            self.listener.sample_started(arm, block)
            ended, sample = run_sample(command, arm, record, peers, place, self.children, options)
            if ended is Ended.INTERRUPTED:
                raise Interrupted
            self.listener.sample_ended(sample, block)
            keep_record(place, sample)
            places.append(place)
        digest_recorded(places, digester)

    def _unrecorded(self, comparison: ComparisonRecord) -> list[str]:
        """The slower builds and their baseline, but for those whose recordings are there."""
        folder = comparison_folder(self.folder, comparison)
        blocks = list(read_blocks(folder))
        graded = grade_comparison(
            comparison, blocks, self.plan, self.folder, self.ledger, self.builds
        )
        slower = [one.build for one in graded if one.grade is SpeedGrade.SLOWER]
        builds = [comparison.baseline, *slower] if slower and not comparison.sweep else []
        return [
            build
            for build in builds
            if has_jfr(build, self.builds) and not was_read(folder / recorded_folder(build))
        ]

    def _lacks(self, number: int, text: str | None) -> None:
        comparisons = list(self.plan.comparisons)
        comparisons[number] = comparisons[number].model_copy(update={"lacks": text})
        self.plan = self.plan.model_copy(update={"comparisons": tuple(comparisons)})
        self.store(self.plan)


def load_command(
    comparison: ComparisonRecord, file: ScenariosFile, programs: LoadPrograms
) -> LoadCommand:
    """How its samples are taken. Raises MachineError if its programs can't be had."""
    driver = comparison.scenario.driver
    client = file.clients[driver or comparison.client]
    service = None
    if driver:
        measured = file.services[comparison.client]
        service = ServiceProgram(
            measured,
            programs.service_class_path(measured),
            programs.java,
            same_collector=len({version_of(build).train for build in comparison.builds}) > 1,
            driver_program=programs.program(client.program) if client.program else None,
            program=programs.program(measured.program) if measured.program else None,
        )
    return LoadCommand(
        scenario_name=comparison.scenario_name,
        scenario=comparison.scenario,
        client=client,
        class_path=programs.class_path(client),
        service=service,
    )


class _Goal:
    """When has a comparison blocks enough? In a validation, which has `most_s` for it, there are
    two looks at the most, as each is one more chance to err.
    """

    def __init__(
        self, comparison: ComparisonRecord, minimum_effect: float, most_s: float | None
    ) -> None:
        self._comparison = comparison
        self._minimum_effect = minimum_effect
        self._most_s = most_s
        self._began = time.monotonic()
        self._blocks = LEAST_BLOCKS

    def is_reached(self, blocks: Sequence[BlockRecord]) -> bool:
        """Are these enough? None never are."""
        if not blocks:
            return False
        comparison, effect = self._comparison, self._minimum_effect
        if self._most_s is None:
            return comparison_is_settled(comparison, blocks, effect)
        if len(blocks) == LEAST_BLOCKS:
            believed, decided = blocks_wanted(comparison, blocks, effect)
            left_s = self._most_s - (time.monotonic() - self._began)
            that_fit = len(blocks) + int(max(0, left_s) / block_s(comparison))
            self._blocks = max(believed, min(decided or 0, that_fit))
        return len(blocks) >= self._blocks
