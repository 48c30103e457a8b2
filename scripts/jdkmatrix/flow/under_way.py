# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is known of a run in progress? Kept on disk as it changes; for one thread."""

from dataclasses import dataclass, field

from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.flow.arrivals import Arrival
from jdkmatrix.flow.chosen import ResolvedRequest
from jdkmatrix.flow.tools import Tools
from jdkmatrix.paths import shown_path
from jdkmatrix.plan.selection import Selection
from jdkmatrix.records.builds import build_record, describe_replacement
from jdkmatrix.records.record import BuildRecord, PlannedCell, RunRecord, UnavailableRecord
from jdkmatrix.records.store import RunFolder
from jdkmatrix.report.console.display import Display
from jdkmatrix.supply.build import Build, Unavailable


@dataclass
class UnderWay:
    """One run. `record` is a new one, or the one that a resumed run has stored: what is not
    supplied or run anew stays as it was.

    `missing` are the places in the selection whose builds can't be had.
    """

    tools: Tools
    choice: ResolvedRequest
    folder: RunFolder
    display: Display
    record: RunRecord
    rulebook: Rulebook
    missing: set[int] = field(default_factory=set)
    _available: dict[str, tuple[Arrival, BuildRecord]] = field(default_factory=dict)
    _unavailable: list[UnavailableRecord] = field(default_factory=list)
    _names_tool_jdk: bool = False

    def __post_init__(self) -> None:
        """Keep what was stored of available builds until they are looked at again."""
        stored_builds = {build.id: build for build in self.record.builds}
        for arrival in self.choice.all_arrivals or ():
            if isinstance(arrival.outcome, Build) and (
                build := stored_builds.get(arrival.outcome.id)
            ):
                self._available[build.id] = arrival, build

    @property
    def selection(self) -> Selection:
        """What is run on which builds."""
        return self.choice.selection

    @property
    def builds(self) -> dict[str, BuildRecord]:
        """The available builds by id, in the order of the selection."""
        return {build.id: build for _, build in self._in_order()}

    def _in_order(self) -> list[tuple[Arrival, BuildRecord]]:
        return sorted(self._available.values(), key=lambda pair: pair[0].place)

    def add_build(self, arrival: Arrival) -> BuildRecord | None:
        """Store a build with what it says of itself, and report where it is not as promised. None
        if it can't be had.

        Raises UsageError if its JVM starts, but not with the user's options of java.
        """
        jdk = arrival.outcome
        if isinstance(jdk, Unavailable):
            self._add_missing(arrival.place, jdk)
            return None
        tool_jdk, is_validation = self.tool_jdk(), self.record.request.validates
        java_options = self.record.request.java_options
        if java_options:
            self.tools.check_options(jdk, java_options)
        answers = self.tools.ask(jdk, tool_jdk, self.display.notice, defaults=is_validation)
        build = build_record(jdk).model_copy(update={**answers, "java_options": java_options})
        from jdkmatrix.grading.build_faults import faults_of  # what is compiled need not wait

        for fault in faults_of((build,), (), self.rulebook.ledger):
            self.display.notice(f"{fault.kind}: {fault.build}: {fault.sentence}")
        if jdk.altered:
            self.display.notice(f"{build.id}: {jdk.altered}")
        self._available[build.id] = arrival, build
        self.store()
        return build

    def _add_missing(self, place: int, outcome: Unavailable) -> None:
        record = UnavailableRecord(entry=outcome.entry_id, reasons=outcome.reasons)
        self._unavailable.append(record)
        self.missing.add(place)
        self.display.notice(f"{record.entry} is unavailable: {record.text}")
        self.store()

    @property
    def confirms(self) -> bool:
        """Whether cells that are not as expected are run again."""
        return self.record.request.confirm and not self.record.request.suite

    def tool_jdk(self) -> Build:
        """The tool JDK, which is recorded and printed when it is first asked for. Raises
        MachineError.
        """
        tool_jdk = self.choice.supplier.tool_jdk()
        if not self._names_tool_jdk:
            self._names_tool_jdk = True
            source = tool_jdk.source
            update = {"tool_jdk": tool_jdk.id, "tool_jdk_source": source}
            self.store(kit=self.record.kit.model_copy(update=update))
            origin = source if tool_jdk.artifacts else f"{source}: {shown_path(tool_jdk.home)}"
            self.display.header([("tool JDK", f"{tool_jdk.id} ({origin})")])
        return tool_jdk

    def find_replaced(self) -> None:
        """Note which of the user's own JDKs were replaced since the run began."""
        for arrival, build in self._in_order():
            if isinstance(arrival.outcome, Build) and (
                sentence := describe_replacement(arrival.outcome)
            ):
                new_record = build.model_copy(update={"replaced": sentence})
                self._available[build.id] = arrival, new_record

    def store(self, **changes: object) -> None:
        """Write the run's record as it is now, with these changes. Raises MachineError."""
        pairs = self._in_order()
        update = {
            "builds": tuple(build for _, build in pairs),
            "unavailable": tuple(self._unavailable),
            "cells": tuple(
                PlannedCell(build=build.id, test=test.path)
                for arrival, build in pairs
                for test in arrival.tests
            ),
        }
        self.record = self.record.model_copy(update={**update, **changes})
        self.folder.write_run(self.record)
