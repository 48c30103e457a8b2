# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a build lack that it promises, and what promises it?"""

from jdkmatrix.verdict.promises import BrokenPromise, PromiseSource


def promise_sentence(promise: BrokenPromise) -> str:
    """`Flight Recorder is gone (jfr: no); its release file lists the module jdk.jfr.`"""
    return f"{promise.condition.broken} ({_answer(promise)}); {_source(promise)}."


def _source(promise: BrokenPromise) -> str:
    condition = promise.condition
    bug = f" ({condition.bug})" if condition.bug else ""
    if promise.source is PromiseSource.VERSION:
        return f"its version, {promise.build}, promises it{bug}"
    if promise.source is PromiseSource.FULL_JDK:
        return f"a full JDK {promise.build} has it{bug}"
    return f"its release file lists the module {condition.module}"


def _answer(promise: BrokenPromise) -> str:
    """What the build says instead."""
    name = promise.question.fact.replace("_", " ")
    if isinstance(promise.answer, bool):
        return f"{name}: no"
    text = f"{name}: {', '.join(promise.answer) or 'none'}"
    if promise.is_disabled:
        return f"{text}; jdk.tls.disabledAlgorithms has {promise.question.has}"
    return text
