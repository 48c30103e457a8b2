# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are the comparisons of a run measured, one after the other, each graded as it goes?

Each has its peers, its blocks, then recordings of what is slower.
"""

import math
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.scenarios import Scenario, ScenariosFile
from jdkmatrix.errors import MachineError
from jdkmatrix.evidence.digest import Digester
from jdkmatrix.flow.stopping_rules import FirstLook, StoppingRule, ValidationStoppingRule
from jdkmatrix.grading.graded_comparisons import grade_comparison
from jdkmatrix.grading.recorded_samples import (
    RECORDING_FILE,
    digest_recorded,
    has_jfr,
    keep_record,
    recorded_folder,
    was_read,
)
from jdkmatrix.machine.children import Children
from jdkmatrix.machine.java_program import recording_options
from jdkmatrix.machine.trees import remove_quietly
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.blocks import Arm, arms_of
from jdkmatrix.plan.planned_comparisons import (
    block_s,
    least_s,
    recorded_ms,
    round_s,
    rounds_of,
    share_s,
)
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.sample_record import BlockRecord
from jdkmatrix.records.store import comparison_folder, read_blocks, unread_blocks
from jdkmatrix.run.samples.blocks_in_turn import (
    BlockRunner,
    Comparison,
    Listener,
    arms_left,
)
from jdkmatrix.run.samples.load_programs import LoadPrograms
from jdkmatrix.run.samples.peers import KeptServices, PeerError, Peers
from jdkmatrix.run.samples.sample_jvm import LoadCommand, MidBlockStop, Sampling, ServiceProgram
from jdkmatrix.verdict.ratio import LEAST_BLOCKS
from jdkmatrix.words.shortfalls import without_comparison
from jdkmatrix.words.speed_topic import TIME_WAS_UP


@dataclass
class ComparisonTasks:
    """Measures what `plan` wants, or what is left of it, of these `builds`, by id.

    `folder` is the run's; `store` keeps the plan where it says what a comparison could not do, and
    at the end how many blocks each has, without the controls that were not needed. `budget_s` is a
    limit: a comparison whose two blocks would not end within it, as slow as those before it were,
    does not begin, and says so. Each has two, then as many as it lacks that fit into that time
    beside two blocks of each later one, as slow as those, of equal shares of the time that is left.
    In a validation all have two before one has more, as a build is good only if none is left out.
    Comparisons whose services may stay warm have their blocks in turn.
    """

    plan: ThroughputRecord
    builds: Mapping[str, BuildRecord]
    file: ScenariosFile
    ledger: Ledger
    checkout: Checkout
    folder: Path
    listener: Listener
    programs: LoadPrograms
    digester: Digester
    store: Callable[[ThroughputRecord], None]
    budget_s: float = math.inf
    children: Children = field(default_factory=Children)
    _slowness: float = field(default=1.0, init=False)

    def execute(self) -> None:
        """Run every comparison. After Ctrl-C (KeyboardInterrupt) finished blocks are kept.

        If its peers, its load or the machine fail, a comparison stores what it lacks and ends, and
        the next one begins. One that would be without baseline, or without any other build, as no
        JVM of them starts, does not begin.
        """
        start_s = time.monotonic()
        comparisons = self.plan.comparisons
        for place, comparison in enumerate(comparisons):
            if refusals := without_comparison(comparison, self.builds):
                self._lacks(place, "; ".join(refusals))
        rounds = [
            [place for place in places if not without_comparison(comparisons[place], self.builds)]
            for places in rounds_of(comparisons)
        ]
        rounds = [places for places in rounds if places]
        try:
            if self.plan.validates:
                self._run(rounds, start_s, is_first_look=True)
                rounds = [places for places in rounds if self._has_second_look(places)]
            self._run(rounds, start_s)
            needed_comparisons = [
                comparison.model_copy(update={"blocks": len(self._blocks(comparison))})
                for comparison in self.plan.comparisons
                if self._is_needed(comparison)
            ]
            self.plan = self.plan.model_copy(update={"comparisons": tuple(needed_comparisons)})
            self.store(self.plan)
        except (KeyboardInterrupt, MidBlockStop):
            self.children.stop()
            raise KeyboardInterrupt from None

    def _run(
        self, rounds: Sequence[Sequence[int]], start_s: float, *, is_first_look: bool = False
    ) -> None:
        """Measure these rounds, one after the other; at the first look without the controls, which
        are needed only once something is slower.
        """
        comparisons = self.plan.comparisons
        for number, places in enumerate(rounds):
            left_s = self.budget_s - (time.monotonic() - start_s)
            own_least_s = self._least_s(places)
            needs_s = [self._slowness * self._least_s(later) for later in rounds[number:]]
            share = share_s(needs_s, left_s, equal=self.plan.validates is None)
            controls = [place for place in places if comparisons[place].if_slower]
            if is_first_look and controls:
                continue
            if not all(self._is_needed(comparisons[place]) for place in places):
                continue
            if self._is_too_late(places, needs_s[0], left_s):
                continue
            begin_s, stored_count = time.monotonic(), self._count_blocks(places)
            self._compare(places, time.monotonic() + share, is_first_look=is_first_look)
            block_count = self._count_blocks(places) - stored_count
            more_blocks = block_count - LEAST_BLOCKS * len(places) if own_least_s else block_count
            planned_s = own_least_s + max(0, more_blocks) * block_s(comparisons[places[0]])
            if planned_s and block_count:
                self._slowness = max(1.0, (time.monotonic() - begin_s) / planned_s)

    def _has_second_look(self, places: Sequence[int]) -> bool:
        """Whether a round had a first look, or is of controls, which have none."""
        return self._count_blocks(places) > 0 or any(
            self.plan.comparisons[place].if_slower for place in places
        )

    def _is_too_late(self, places: Sequence[int], needs_s: float, left_s: float) -> bool:
        """Whether a round that has no block has no time for what it needs; its comparisons then say
        so.
        """
        if self._count_blocks(places) or needs_s <= left_s:
            return False
        for place in places:
            self.listener.notice(f"{self.plan.comparisons[place].name}: {TIME_WAS_UP}")
            self._lacks(place, TIME_WAS_UP)
        return True

    def _count_blocks(self, places: Sequence[int]) -> int:
        return sum(len(self._blocks(self.plan.comparisons[place])) for place in places)

    def _least_s(self, places: Sequence[int]) -> float:
        """The least time that a round takes; comparisons with enough blocks take none."""
        comparisons = [self.plan.comparisons[place] for place in places]
        return least_s(
            comparison for comparison in comparisons if len(self._blocks(comparison)) < LEAST_BLOCKS
        )

    def _compare(
        self, places: Sequence[int], ends_s: float, *, is_first_look: bool = False
    ) -> None:
        """Measure the comparisons at these places of the plan, one block of each per round."""
        with KeptServices() as services:
            under_way = {
                place: self._measure(place, places, services, ends_s, is_first_look=is_first_look)
                for place in places
            }
            while under_way:
                for place, blocks in tuple(under_way.items()):
                    if next(blocks, None) is None:
                        del under_way[place]
                services.end()

    def _measure(
        self,
        place: int,
        in_turn: Sequence[int],
        services: KeptServices,
        ends_s: float,
        *,
        is_first_look: bool,
    ) -> Iterator[BlockRecord]:
        """Yield each block of a comparison but the last, after which slower builds are recorded, if
        it is not only the first look.

        One recording of a slower build is enough for all that have their blocks `in_turn`. Errors
        of peers, load or machine are not raised: the plan then says what the comparison lacks.
        """
        comparison = self.plan.comparisons[place]
        round_comparisons = [self.plan.comparisons[index] for index in in_turn]
        folder = comparison_folder(self.folder, comparison)
        blocks = self._blocks(comparison)
        rule = FirstLook() if is_first_look else None
        goal = rule or self._goal(comparison, ends_s, round_s(round_comparisons), len(blocks))
        number_of = f"{place + 1} of {len(self.plan.comparisons)}"
        try:
            if comparison.lacks:
                self._lacks(place, None)
            parts = self._parts(comparison)
            paths = self.programs.peer_class_paths(comparison.scenario.peers)

            def is_over() -> bool:
                enough = goal.is_reached(blocks) and not unread_blocks(self.folder, comparison)
                return enough or not arms_left(parts, blocks)

            def builds_to_record() -> list[str]:
                return [] if is_first_look else self._list_unrecorded(comparison, round_comparisons)

            is_left = not is_over()
            if not is_left and not builds_to_record():
                if not self.plan.validates:
                    self.listener.notice(f"{comparison.name}: already finished")
                return
            self.listener.comparison_started(comparison.name, number_of)
            with Peers(self.programs.java, paths, comparison.scenario, folder / "peers") as peers:
                if is_left:
                    runner = BlockRunner(
                        parts, peers, services, folder, self.children, self.listener
                    )
                    for block in runner.blocks():
                        blocks.append(block)
                        if is_over():
                            break
                        yield block
                        self.listener.comparison_started(comparison.name, number_of)
                self._record(builds_to_record(), comparison, parts.command, peers)
        except (PeerError, MachineError, OSError) as error:
            lacks = error.strerror or str(error) if isinstance(error, OSError) else str(error)
            self.listener.notice(f"{comparison.name}: {lacks}")
            self._lacks(place, lacks)

    def _goal(
        self, comparison: ComparisonRecord, ends_s: float, round_s: float, stored_blocks: int
    ) -> StoppingRule:
        limits = comparison, self.plan.minimum_effect, ends_s, round_s
        if self.plan.validates:
            return ValidationStoppingRule(*limits, max(LEAST_BLOCKS, stored_blocks))
        return StoppingRule(*limits)

    def _parts(self, comparison: ComparisonRecord) -> Comparison:
        """What the blocks consist of. Raises MachineError if the load can't be had."""
        command = load_command(comparison, self.file, self.programs, self._trains(comparison))
        return Comparison(
            name=comparison.name,
            command=command,
            arms=tuple(arm for arm in arms_of(comparison) if not self.builds[arm.build].refusal),
            builds=self.builds,
            seed=self.plan.seed,
            blocks=self.plan.blocks,
        )

    def _trains(self, comparison: ComparisonRecord) -> set[int]:
        builds = (self.builds[comparison.build_of(name)] for name in comparison.builds)
        return {build.train for build in builds if not build.refusal}

    def _record(
        self,
        builds: Sequence[str],
        comparison: ComparisonRecord,
        command: LoadCommand,
        peers: Peers,
    ) -> None:
        """Take one more sample of each of the builds, with a recording.

        That of a service is long enough for its methods to be seen often.
        """
        measure_ms = recorded_ms(comparison.scenario)
        scenario = command.scenario.model_copy(update={"measure_ms": measure_ms})
        command = replace(command, scenario=scenario)
        folder = comparison_folder(self.folder, comparison)
        block = len(self._blocks(comparison))
        places = []
        for build in builds:
            record = self.builds[comparison.build_of(build)]
            place = folder / recorded_folder(build)
            remove_quietly(place)  # left by a run that was interrupted here
            options = self._recording(comparison.scenario, place / RECORDING_FILE)
            if peers.complaint():
                peers.restart()
            arm = Arm("recorded", record.id)
            self.listener.sample_started(arm, block)
            with KeptServices() as services:
                sampling = Sampling(command, peers, services, self.children)
                sample = sampling.take(arm, record, place, options)
            self.listener.sample_ended(sample, block)
            keep_record(place, sample)
            places.append(place)
        digest_recorded(places, self.digester)

    def _recording(self, scenario: Scenario, file: Path) -> list[str]:
        """Options to record where a warm service spends its CPU time, or where a client waits."""
        if scenario.services:
            warm_up_s = scenario.warm_up_ms // 1000
            return recording_options(self.checkout.execution_settings, str(file), warm_up_s)
        return recording_options(self.checkout.recording_settings, str(file))

    def _list_unrecorded(
        self, comparison: ComparisonRecord, round_comparisons: Sequence[ComparisonRecord]
    ) -> list[str]:
        """The slower builds and their baseline, if they have JFR but no recording yet."""
        siblings = [sibling for sibling in round_comparisons if sibling != comparison]
        slower = [
            build
            for build in self._slower(comparison)
            if not any(self._is_recorded(sibling, build) for sibling in siblings)
        ]
        return [
            build
            for build in ((comparison.baseline, *slower) if slower and not comparison.sweep else ())
            if has_jfr(comparison, build, self.builds) and not self._is_recorded(comparison, build)
        ]

    def _is_recorded(self, comparison: ComparisonRecord, build: str) -> bool:
        return was_read(comparison_folder(self.folder, comparison) / recorded_folder(build))

    def _is_needed(self, comparison: ComparisonRecord) -> bool:
        """Whether to measure a comparison. A control only if something is slower: it tells whose
        fault that is.
        """
        return not comparison.if_slower or any(
            self._slower(sibling)
            for sibling in self.plan.comparisons
            if sibling.scenario_name == comparison.scenario_name and not sibling.if_slower
        )

    def _slower(self, comparison: ComparisonRecord) -> list[str]:
        """The builds that are slower in a comparison so far, in time: of counts, no recording
        and no other service tells more.
        """
        blocks = self._blocks(comparison)
        cells = grade_comparison(
            comparison, blocks, self.plan, self.folder, self.ledger, self.builds
        )
        return [cell.build for cell in cells if cell.is_slower_in_time]

    def _blocks(self, comparison: ComparisonRecord) -> list[BlockRecord]:
        """The stored blocks of a comparison."""
        return list(read_blocks(comparison_folder(self.folder, comparison)))

    def _lacks(self, number: int, text: str | None) -> None:
        comparisons = list(self.plan.comparisons)
        comparisons[number] = comparisons[number].model_copy(update={"lacks": text})
        self.plan = self.plan.model_copy(update={"comparisons": tuple(comparisons)})
        self.store(self.plan)


def load_command(
    comparison: ComparisonRecord,
    file: ScenariosFile,
    programs: LoadPrograms,
    trains: Collection[int] = (),
) -> LoadCommand:
    """How its samples are taken on builds of these trains.

    Raises MachineError if the programs for that can't be had.
    """
    driver = comparison.scenario.driver
    client = file.clients[driver or comparison.client]
    service = None
    if driver:
        subject = file.services[comparison.client]
        service = ServiceProgram(
            subject,
            programs.service_class_path(subject),
            programs.java,
            same_collector=len(trains) > 1,
            driver_program=programs.program(client.program) if client.program else None,
            program=programs.program(subject.program) if subject.program else None,
        )
    return LoadCommand(
        scenario_name=comparison.scenario_name,
        scenario=comparison.scenario,
        client=client,
        class_path=programs.class_path(client),
        service=service,
    )
