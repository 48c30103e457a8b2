# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a run measure its comparisons, within the time that it has?"""

import math
import time
from collections import defaultdict

from jdkmatrix.errors import LackingError
from jdkmatrix.flow.comparison_tasks import ComparisonTasks, load_command
from jdkmatrix.flow.under_way import UnderWay
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.provenance import machine_record


class Measuring:
    """The comparisons of one run, which had gone on for `before_s` when it was stopped.

    The load of a validation is fetched and compiled at construction, before minutes are spent on
    reproducers; its own minutes count from then. Comparisons for which this machine lacks what
    fetches their load are left out. Raises MachineError if the tool JDK or that load can't be had;
    in other runs the comparison says what it lacks.
    """

    def __init__(self, run: UnderWay, before_s: float) -> None:
        supplier = run.choice.supplier
        self._run = run
        self._tool_jdk = supplier.tool_jdk()
        self._programs = run.tools.load_programs(supplier, self._tool_jdk)
        assert run.selection.speed
        self._file = run.selection.speed.file
        plan = self._with_loads(self._plan) if self._plan.validates else self._plan
        run.tool_jdk()  # recorded last: if the load can't be had, the run stays as it was
        run.store(speed=plan)
        machine = machine_record()  # before the kit itself makes it busy
        if plan.comparisons:
            run.display.header([("load before", machine.load_1min)])
        if plan.comparisons and machine.load_1min > machine.cores:
            busy = f"load {machine.load_1min} on {machine.cores} cores"
            run.display.notice(f"the machine is busy ({busy}); expect wide intervals")
        self._start_s = time.monotonic() - before_s

    @property
    def _plan(self) -> ThroughputRecord:
        assert self._run.record.speed
        return self._run.record.speed

    def _with_loads(self, plan: ThroughputRecord) -> ThroughputRecord:
        """Fetch and compile the load of each comparison; return the plan without the others."""
        runnable, lacks = [], defaultdict[str, list[ComparisonRecord]](list)
        for comparison in plan.comparisons:
            try:
                load_command(comparison, self._file, self._programs)
                self._programs.peer_class_paths(comparison.scenario.peers)
                runnable.append(comparison)
            except LackingError as lack:
                lacks[str(lack)].append(comparison)
        left_out = []
        for reason, comparisons in lacks.items():
            names = ", ".join(f"{load.scenario_name} with {load.client}" for load in comparisons)
            subject = f"speed of {names}" if runnable else "speed"
            left_out.append(f"{subject}: this machine lacks what it needs: {reason}")
            self._run.display.notice(f"not looked at: {left_out[-1]}")
        update = {"comparisons": tuple(runnable), "left_out": (*plan.left_out, *left_out)}
        return plan.model_copy(update=update)

    def execute(self) -> bool:
        """Measure what is left; False after Ctrl-C, which keeps finished blocks."""
        run, plan = self._run, self._plan
        speed_request = run.record.request.speed
        assert speed_request
        if not plan.comparisons:
            return True
        budget_s = math.inf
        if speed_request.minutes is not None:
            left_s = 60 * speed_request.minutes - (time.monotonic() - self._start_s)
            budget_s = max(0, left_s)
        run.display.header(
            [
                ("comparisons", len(plan.comparisons)),
                ("blocks", f"at most {plan.blocks} of each, seed {plan.seed}"),
                *([] if budget_s == math.inf else [("time", f"{budget_s:.0f} s for all of them")]),
            ]
        )
        run.display.measuring_begun(budget_s)
        tasks = ComparisonTasks(
            plan=plan,
            builds=run.builds,
            file=self._file,
            ledger=run.rulebook.ledger,
            checkout=run.tools.checkout,
            folder=run.folder.path,
            listener=run.display,
            programs=self._programs,
            digester=run.tools.digester(self._tool_jdk),
            store=lambda new_plan: run.store(speed=new_plan),
            budget_s=budget_s,
        )
        try:
            tasks.execute()
        except KeyboardInterrupt:
            run.display.notice("interrupted; finished blocks are kept")
            return False
        return True
