# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are a bug's cells put into words, for the fields that JBS and AQAvit ask for?"""

from collections.abc import Iterable, Iterator, Mapping

from jdkmatrix.bundle.material import Material
from jdkmatrix.config import version
from jdkmatrix.config.ledger import Bug, jbs_page
from jdkmatrix.config.tags import FirstTag
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.paths import test_name
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.results.document import CellResult
from jdkmatrix.vocabulary import Expectation, Grade, Outcome

# What a control leaves out; the kit's own words on a case are in test/README.md.
_OMISSIONS = {
    "tls12": "with TLS 1.2 at most on the client (-Dhttps.protocols=TLSv1.2)",
    "no-read-timeout": "without a read timeout (a read from a dead peer then never ends)",
}
_NO_VERDICT = (Grade.ERROR, Grade.BROKE, Grade.INCONCLUSIVE, Grade.FLAKY)
_JBS = "bugs.openjdk.org/browse/"
_LEGACY_TRAIN = 8
# `java File.java` (JEP 330).
_RUNS_SOURCES = 11
_RELEASE_NUMBERS = 4
_FREQUENCIES = ((1.0, "Always"), (0.5, "Often"), (0.0, "Occasionally"))


def output_of(cell: CellResult, *, with_facts: bool = False) -> str:
    """What the reproducer printed about its subject: figures with bounds, the verdict."""
    subject = cell.subject
    if subject is None:
        return f"{cell.outcome}: {cell.reason}"
    lines = [
        f"{figure.name} = {figure.value} {figure.unit} (bound {figure.bound})"
        for figure in subject.figures
    ]
    if with_facts:
        lines += [f"  {name}: {_fact(fact)}" for name, fact in subject.facts.items()]
    return "\n".join((*lines, f"{subject.outcome}: {subject.reason}"))


def frequency(material: Material) -> str:
    """JBS's word on how often the bug shows, with the counts behind it."""
    cells = [cell for cell in material.of_test if _is_judged(cell, material)]
    runs = [outcome for cell in cells for outcome in verdicts_of(cell)]
    if not runs:
        return "not known: no run on an affected build"
    reproductions = runs.count(Outcome.REPRODUCED)
    if not reproductions:
        return f"Never, in {len(runs)} runs on builds that are affected according to the ledger"
    spread = "one per build" if len(runs) == len(cells) else f"on {len(cells)} builds"
    return how_often(reproductions, len(runs), f"runs on affected builds, {spread}")


def how_often(failures: int, run_count: int, noun: str) -> str:
    """`Often (3 of 5 runs on ...)`: JBS's word, with the counts behind it."""
    word = next(word for share, word in _FREQUENCIES if failures / run_count >= share)
    return f"{word} ({failures} of {run_count} {noun})"


def _is_judged(cell: CellResult, material: Material) -> bool:
    """Whether it says, on a build that is affected, whether the bug shows."""
    if not cell.shows_bug and cell.outcome is not Outcome.NOT_REPRODUCED:
        return False
    return cell.expectation is Expectation.AFFECTED or cell.build in material.affected_builds


def verdicts_of(cell: CellResult) -> list[Outcome]:
    """The outcomes of a cell's attempts that are verdicts."""
    verdicts = (Outcome.REPRODUCED, Outcome.NOT_REPRODUCED)
    outcomes = [attempt.outcome for attempt in cell.attempts] or [cell.outcome]
    return [outcome for outcome in outcomes if outcome in verdicts]


def _first_tags(tags: Mapping[int, FirstTag]) -> str:
    return ", ".join(
        f"{train}: {tag.present_in}"
        if tag.absent_in is None
        else f"{train}: after {tag.absent_in}, at the latest {tag.present_in}"
        for train, tag in sorted(tags.items())
    )


def workaround(header: str | None, bug: Bug, worst: CellResult | None) -> str:
    """What the reproducer's header says on it, or the ledger; else what those controls of the cell
    left out that did not show the symptom.
    """
    if header:
        return header
    if bug.workaround:
        return f"{bug.workaround[0].upper()}{bug.workaround[1:].rstrip('.')}."
    cases = worst.evidence.cases if worst else ()
    helpful = [
        _OMISSIONS[case.case]
        for case in cases
        if case.case in _OMISSIONS and case.outcome is Outcome.NOT_REPRODUCED
    ]
    if worst is None or not helpful:
        return "Not known."
    place = f"On {worst.build} the symptom did not show {', nor '.join(helpful)}."
    return f"None is known that leaves everything else unchanged. {place}"


def steps(name: str, train: int, with_controls: str) -> tuple[str, ...]:
    """How the file of a reproducer is run that is meant for that `train` or later, and what its end
    says. `with_controls` is the file with its controls, if the attached one has the subject alone.
    """
    run = f"on JDK {max(train, _RUNS_SOURCES)} or later"
    if train < _RUNS_SOURCES:
        run += f"; on any JDK since {train}: javac {name}.java, then java {name}"
    run += "."
    if not with_controls:
        return (
            run,
            "It ends within a minute, uses loopback only, and exits with 0 if the bug does not",
            "show, with 1 if it does, and with 125 if there is no verdict, as git bisect run",
            "expects. It is also a jtreg test.",
        )
    return (
        run,
        "It uses loopback only. If the bug shows, it throws a RuntimeException; any other",
        "exception says why there is no verdict. It is also a jtreg test. For git bisect run,",
        f"which wants 125 without a verdict, take {with_controls}.",
    )


def fixed_in(bug: Bug) -> str:
    """The first build tags with the fix, by train."""
    return _first_tags(bug.fixed)


def notes(material: Material) -> Iterator[str]:
    """What the reporter must know first: no verdict on a build, or a conflict with the ledger."""
    name = test_name(material.test)
    if not material.results.complete:
        yield "The run is not complete: not every cell of its plan was run."
    for build in material.results.builds:
        if build.replaced:
            yield f"{build.id}: {build.replaced}"
    no_verdict = [f"{c.build} ({c.grade})" for c in material.of_test if c.grade in _NO_VERDICT]
    if no_verdict:
        yield f"No verdict of {name} on {', '.join(no_verdict)}."
    conflicts = (
        ("It shows", material.surprising),
        (f"{name} does not show it", material.missed_cells),
    )
    for claim, cells in conflicts:
        for cell in cells:
            reason = cell.confirmation or "One attempt, not confirmed."
            yield f"{claim} on {cell.build}, where the ledger says {cell.expectation}: {reason}"


def jbs_versions(builds: Iterable[BuildRecord]) -> str:
    """The builds' versions as JBS lists them, without builds that were changed."""
    plain = (record for record in builds if not (record.overlay or record.altered))
    return ", ".join(dict.fromkeys(jbs_version(version.parse(record.version)) for record in plain))


def jbs_version(build: JdkVersion) -> str:
    """A version as JBS lists it: 11.0.13 for 11.0.13+8, or 8u504.

    What comes after a release's fourth number (JEP 322) counts its vendor's builds.
    """
    if build.train == _LEGACY_TRAIN:
        return build.release
    numbers = list(build.numbers[:_RELEASE_NUMBERS])
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return ".".join(map(str, numbers))


def links(bug: Bug) -> str:
    """Its links in JBS's words; an unreported bug was caused by the change whose id it has, if it
    is known.
    """
    ids = [link.rpartition("/")[2] for link in bug.links if _JBS in link]
    relations = [bug_id for bug_id in ids if bug_id != bug.id]
    causes = [f"caused by {bug.id}"] if bug.unreported and jbs_page(bug.id) else []
    return "; ".join((*causes, *(f"relates to {bug_id}" for bug_id in relations)))


def regression(material: Material) -> str:
    """Answers AQAvit's question: did an earlier build do better, and which brought the bug?"""
    builds = [cell.build for cell in material.of_test if cell.grade is Grade.REGRESSION]
    if material.worst and material.worst.build in builds:
        return f"yes: it shows again on {', '.join(builds)}, where it was fixed"
    tags = material.bug.introduced
    if tags is None:
        return "no: the bug was always there, as far as is known"
    return f"yes, since the change that came with {_first_tags(tags)}"


def _fact(fact: object) -> str:
    if isinstance(fact, list):
        return f"[{', '.join(map(str, fact))}]"
    return str(fact).lower() if isinstance(fact, bool) else str(fact)
