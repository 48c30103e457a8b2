# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does `results.json` say of throughput: graded ratios, their samples, the law's points?"""

from typing import Any

from pydantic import Field, model_validator

from jdkmatrix.config.clients import Scalar
from jdkmatrix.evidence.digest import FlameFrame
from jdkmatrix.records.model import CommandLine
from jdkmatrix.records.older_marks import COPY, strip_mark
from jdkmatrix.records.sample_record import MachineState
from jdkmatrix.results.published import PublishedPart
from jdkmatrix.verdict.behaviour import BehaviourDifference, Breach
from jdkmatrix.verdict.defaults_difference import DefaultsDifference
from jdkmatrix.verdict.validation import Loss, loss_of
from jdkmatrix.vocabulary import Expectation, Layer, Metric, SpeedGrade, Verdict

Interval = tuple[float, float]


class FigureResult(PublishedPart):
    """One metric of a build against the baseline. Ratios are build to baseline.

    `ci95` is the ratio's 95 % interval, `control` that of the baseline against itself; None with
    fewer than two blocks. `median` and `baseline_median` are absolute, in the metric's own unit.
    `most_loss` is the limit of a validation: the share of the baseline's figure whose loss "good"
    excludes; None where it sets none. `smallest_loss` is the smallest that these blocks would have
    shown as `slower`, in half of all cases; None as for `ci95`. `change` is the change of
    `test/changes.yaml` that explains a loss, within its own limit.
    """

    metric: Metric
    higher_is_better: bool
    ratio: float | None
    ci95: Interval | None
    control_ratio: float | None
    control: Interval | None
    median: float | None
    baseline_median: float | None
    grade: SpeedGrade
    most_loss: float | None = None
    smallest_loss: float | None = None
    change: str | None = None

    @property
    def loss(self) -> Loss | None:
        """The bounds of its loss at 95 %; None without an interval."""
        return loss_of(self.ci95, higher_is_better=self.higher_is_better)


class SampleFacts(PublishedPart):
    """What was counted in a sample's window: connections, handshakes and errors of all its groups.

    `pacing` is `closed` or `open` (then latencies count from the intended start).
    """

    pacing: str
    protocol: str | None
    cipher: str | None
    connections: int
    full_handshakes: int
    resumed_handshakes: int
    errors: dict[str, int]
    allocated_bytes_per_request: float | None
    gc_count: int | None
    gc_ms: int | None


class SampleResult(PublishedPart):
    """One sample of the build, the baseline or the control; figures by metric.

    Samples of attempts that were repeated are here too, with `counted` false. `facts` is None where
    a sample left none.
    """

    block: int
    attempt: int
    arm: str
    build: str
    is_counted: bool = Field(alias="counted")
    figures: dict[Metric, float]
    void: str | None
    vetoes: tuple[str, ...]
    folder: str
    facts: SampleFacts | None = None


class BlockResult(PublishedPart):
    """The order in which the arms of a block ran, and the machine meanwhile."""

    block: int
    attempts: int
    order: tuple[str, ...]
    machine: MachineState


class RecordingEvidence(PublishedPart):
    """What recordings of one further sample of build and baseline show about a slow-down.

    `cause` is a known bug's sentence, `difference` the waiting that appeared, grew, or went. For a
    service, `grew` says in which code the CPU time grew, `self_time` has each build's shares of
    the samples by package, largest first, and `flames` the samples' stacks as trees.
    """

    cause: str | None
    difference: tuple[str, ...]
    grew: str | None = None
    self_time: dict[str, dict[str, float]] = Field(default={})
    flames: dict[str, tuple[FlameFrame, ...]] = Field(default={})
    recordings: tuple[str, ...]
    error: str | None = None

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages of `self_time`, the largest share on any build first."""
        shares: dict[str, float] = {}
        for build in self.self_time.values():
            for name, share in build.items():
                shares[name] = max(share, shares.get(name, 0.0))
        return tuple(sorted(shares, key=lambda name: -shares[name]))


class ThroughputResult(PublishedPart):
    """One cell: scenario, client (or service, where it is one of those) and build against baseline.

    `ratio`, `ci95` and `control` are those of `metric`, the scenario's headline; `figures` has all
    that are graded; `grade` is the gravest of their grades, `graded_by` the metric that has it.
    `expectation` is of `bugs` on the build, `baseline_expectation` on the baseline: a build that
    they affect may be slower than one that they do not. `lacks` says what is missing, `unfinished`
    why the comparison ended before everything its grade needs was measured. For a service,
    `server` is the one in its name, `echo_bytes` the size of a body that it echoes. `published`
    are the scenario's published figures. `copy`: the build is the baseline once more, by that name.
    """

    scenario: str
    client: str
    layer: Layer
    server: str | None = None
    published_figures: dict[str, float] = Field(default={}, alias="published")
    echo_bytes: int | None = None
    build: str
    baseline: str
    is_copy: bool = Field(default=False, alias="copy")
    metric: Metric
    ratio: float | None
    ci95: Interval | None
    control: Interval | None
    blocks: int
    blocks_wanted: int
    minimum_effect: float
    grade: SpeedGrade
    graded_by: Metric
    figures: tuple[FigureResult, ...]
    bugs: tuple[str, ...]
    expectation: Expectation
    baseline_expectation: Expectation = Expectation.UNKNOWN  # results from before 2026-11-22
    reason: str
    stop_reason: str | None = Field(default=None, alias="unfinished")
    attribution: str | None = None
    evidence: RecordingEvidence | None = None
    lacks: tuple[str, ...] = ()
    rerun: CommandLine
    order: tuple[BlockResult, ...] = ()
    samples: tuple[SampleResult, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _of_earlier_kits(cls, document: Any) -> Any:
        """In their results only a copy's name says that it is one."""
        if not isinstance(document, dict) or {"copy", "is_copy"} & document.keys():
            return document
        build = document.get("build")
        return {**document, "copy": isinstance(build, str) and strip_mark(build, COPY) != build}

    @property
    def may_be_slower(self) -> bool:
        """Whether the build, but not the baseline, has a known bug that the scenario shows."""
        is_baseline_slow = self.baseline_expectation is Expectation.AFFECTED
        return self.expectation is Expectation.AFFECTED and not is_baseline_slow

    @property
    def is_slower_in_time(self) -> bool:
        """Whether a figure other than a count is slower: a recording may show where."""
        return any(
            figure.grade is SpeedGrade.SLOWER and not figure.metric.is_count
            for figure in self.figures
        )

    @property
    def is_surprise(self) -> bool:
        """Whether the build is slower than the baseline and no known bug explains it."""
        return self.grade is SpeedGrade.SLOWER and not self.may_be_slower


class TopicResult(PublishedPart):
    """What a validation found in one topic, and the verdict by that alone."""

    topic: str
    verdict: Verdict
    sentence: str


class ValidationResult(PublishedPart):
    """The verdict on one build, and why: the gravest of its topics, `reason` what those say.

    `baseline` is None where no older release is known: then nothing was compared;
    `baseline_reason` says why it was chosen, and what it cannot show. `counterpart` is another
    vendor's build of the same version, with which all but speed was compared, too. `defaults` is
    what changed from it, None if one of the two could not be asked; so are `behaviour`, and the
    absolute rules that the build alone breaks. `not_looked_at` lists what the
    validation left out, and why; `rerun` is the command that repeats it.
    """

    build: str
    baseline: str | None
    baseline_reason: str = ""
    counterpart: str | None = None
    verdict: Verdict
    reason: str
    topics: tuple[TopicResult, ...] = ()
    defaults: DefaultsDifference | None = None
    behaviour: BehaviourDifference | None = None
    new_breaches: tuple[Breach, ...] = ()
    not_looked_at: tuple[str, ...] = ()
    rerun: CommandLine = ""

    @property
    def comparison_text(self) -> str:
        """`against temurin-17.0.9+9`."""
        return f"against {self.baseline}" if self.baseline else "by itself, compared with nothing"


class LawPoint(PublishedPart):
    """Measured against predicted requests/s of one build at one point of a sweep.

    `closed_share` is closed connections by requests, as counted, which the prediction needs.
    """

    scenario: str
    client: str
    build: str
    expectation: Expectation
    parameters: dict[str, Scalar]
    measured_requests_per_s: tuple[float, ...]
    closed_share: float | None
    predicted_requests_per_s: float | None
    lacks: tuple[str, ...] = ()
