# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which builds does a run have, and under which ids, as the supply delivers them?"""

from collections.abc import Iterator
from dataclasses import dataclass

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.machine.java_program import JavaTool
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.build_ids import RunIds
from jdkmatrix.plan.planned_cells import PlannedTest
from jdkmatrix.plan.selection import Selection
from jdkmatrix.supply.build import Build, NamedBuild, Unavailable
from jdkmatrix.supply.compiler import compilable
from jdkmatrix.supply.supplier import Supplier


@dataclass(frozen=True)
class Arrival:
    """The build at a place of a selection, or why there is none, and the tests to run on it. With
    an overlay there may be a second one: the same build without it, to compare with.
    """

    place: int
    outcome: Build | Unavailable
    tests: tuple[PlannedTest, ...]


class Arrivals:
    """The builds of a selection; those of a shard have the ids that they have in the whole.

    The JDKs of `--jdk` are inspected at construction. Raises UsageError for a path that is no JDK.
    """

    def __init__(
        self, checkout: Checkout, whole: Selection, supplier: Supplier, *, needs_compiler: bool
    ) -> None:
        self._checkout = checkout
        self._supplier = supplier
        self._needs_compiler = needs_compiler
        self._ids = RunIds(whole.entries, tuple(supplier.local(path) for path in whole.local))
        self._in_order = tuple(self._ids.local())
        self._whole = whole

    @property
    def local_builds(self) -> list[NamedBuild]:
        """The JDKs of `--jdk`, in its order."""
        return [build.identity for build in self._in_order]

    def deliver(self, selection: Selection) -> Iterator[Arrival]:
        """Yield each build of the whole or of its shard once it is known; those of `--jdk` first.

        Raises UsageError for the first build that the overlay does not fit.
        """
        places = iter(range(len(selection.entries), len(selection.specs)))
        for path, build in zip(self._whole.local, self._in_order, strict=True):
            if path in selection.local:
                yield from self._variants(selection, next(places), build)
        place_of = {build_entry.id: place for place, build_entry in enumerate(selection.entries)}
        for outcome in self._supplier.stream_outcomes(selection.entries):
            place = place_of[outcome.entry_id]
            yield from self._variants(selection, place, self._ids.identify(outcome))

    def _variants(
        self, selection: Selection, place: int, outcome: Build | Unavailable
    ) -> Iterator[Arrival]:
        if self._needs_compiler and isinstance(outcome, Build):  # a user's suite
            outcome = compilable(outcome, self._supplier, selection.catalog.jdks)
        tests = selection.shares[place]
        if isinstance(outcome, Unavailable) or selection.overlay is None:
            yield Arrival(place, outcome, tests[None])
            return
        if selection.speed or tests[None]:
            yield Arrival(place, outcome, tests[None])
        if not (selection.speed or tests[selection.overlay]):  # those are another shard's
            return
        from jdkmatrix.overlay.maker import OverlayMaker  # few runs need it
        from jdkmatrix.overlay.patching import Patching

        tool = JavaTool.of_checkout(self._checkout, self._supplier.tool_jdk().home)
        patching = Patching(self._supplier, selection.catalog, tool)
        maker = OverlayMaker(patching, cache_root() / "overlays")
        yield Arrival(place, maker.overlaid(outcome, selection.overlay), tests[selection.overlay])
