# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A made throughput cell and a made validation, as a run would have them."""

from typing import Any

from jdkmatrix.config.known_changes import DefaultChange, Kind
from jdkmatrix.results.speed import LawPoint, ThroughputResult, TopicResult, ValidationResult
from jdkmatrix.verdict.defaults_difference import DefaultsDifference, ExplainedChanges
from jdkmatrix.vocabulary import Expectation, Layer, Metric, SpeedGrade, Verdict


def make_speed(grade: str, expectation: str = "fixed", **changes: Any) -> ThroughputResult:
    comparison = ThroughputResult(
        scenario="neighbour",
        client="https-url-connection",
        layer=Layer.HTTP_URL_CONNECTION,
        build="temurin-17.0.9+9",
        baseline="temurin-17.0.7+7",
        metric=Metric.REQUESTS_PER_S,
        ratio=0.5,
        ci95=(0.4, 0.6),
        control=(0.9, 1.1),
        blocks=5,
        blocks_wanted=5,
        minimum_effect=0.05,
        grade=SpeedGrade(grade),
        graded_by=Metric.REQUESTS_PER_S,
        figures=(),
        bugs=("JDK-8293562",) if expectation == "affected" else (),
        expectation=Expectation(expectation),
        baseline_expectation=Expectation.FIXED,
        reason="requests/s 412 against 12,300, ratio 0.033.",
        rerun="scripts/matrix throughput --scenario neighbour",
    )
    return comparison.model_copy(update=changes)


def make_point(*measured_requests_per_s: float) -> LawPoint:
    return LawPoint(
        scenario="azure-500",
        client="https-url-connection",
        build="temurin-17.0.9+9",
        expectation=Expectation.FIXED,
        parameters={"hosts.far.rtt-ms": 20},
        measured_requests_per_s=measured_requests_per_s,
        closed_share=None,
        predicted_requests_per_s=None,
        lacks=() if measured_requests_per_s else ("The peer ended.",),
    )


def make_validation(verdict: str) -> ValidationResult:
    removal = DefaultChange("client-cipher-suite", Kind.REMOVED, "TLS_RSA_X")
    addition = DefaultChange("service", Kind.ADDED, "SUN KeyFactory ML-DSA")
    return ValidationResult(
        build="temurin-17.0.9+9",
        baseline="temurin-17.0.7+7",
        verdict=Verdict(verdict),
        reason="Because.",
        topics=(TopicResult(topic="bugs", verdict=Verdict(verdict), sentence="64 as-expected"),),
        defaults=DefaultsDifference(
            (ExplainedChanges("JDK-8245545", "Disable TLS_RSA", (removal,)),), (addition,), {}
        ),
        not_looked_at=("defaults, root: lib/security/cacerts is not there",),
        rerun="scripts/matrix validate temurin-17.0.9+9 --baseline temurin-17.0.7+7",
    )
