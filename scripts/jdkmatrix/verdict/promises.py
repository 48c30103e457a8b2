# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a build have what its version promises? Pure: the ledger's conditions against its own facts.

If a build lacks a condition, the tests of every bug that needs it do not apply, and none of them
fails. So the condition is looked for in the build itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from jdkmatrix.config.ledger import Condition, ConditionFact, Ledger
from jdkmatrix.config.tags import has_change
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.supply.runtime_facts import RuntimeFacts

# Other VMs (OpenJ9) and other interpreters (Zero) do not have HotSpot's Flight Recorder.
_HOTSPOT = ("Server VM", "Client VM")


class PromiseSource(Enum):
    """What promises a condition."""

    VERSION = auto()
    FULL_JDK = auto()
    RELEASE_FILE = auto()


@dataclass(frozen=True)
class BrokenPromise:
    """A condition that a build promises and lacks. `answer` is what the build says instead: yes or
    no, or a list; `is_disabled`, if jdk.tls.disabledAlgorithms has it.
    """

    condition: Condition
    question: ConditionFact
    build: JdkVersion
    source: PromiseSource
    answer: bool | tuple[str, ...]
    is_disabled: bool


def broken_promises(
    build: JdkVersion, facts: RuntimeFacts, ledger: Ledger
) -> Iterator[BrokenPromise]:
    """The conditions that the build promises and lacks.

    What it was not asked about is not broken: facts that an older kit stored lack some answers.
    """
    for condition in ledger.conditions:
        source = _promise(condition, build, facts)
        question = condition.asked
        if source and question and _holds(question, facts) is False:
            answer = getattr(facts, question.fact)
            is_disabled = question.has in (facts.disabled_algorithms or ())
            yield BrokenPromise(condition, question, build, source, answer, is_disabled)


def _promise(condition: Condition, build: JdkVersion, facts: RuntimeFacts) -> PromiseSource | None:
    if condition.since and has_change(build, condition.since):
        return PromiseSource.VERSION
    full_since = condition.since_in_full_jdk
    if full_since and _is_full_jdk(facts) and has_change(build, full_since):
        return PromiseSource.FULL_JDK
    if condition.module and condition.module in (facts.listed_modules or ()):
        return PromiseSource.RELEASE_FILE
    return None


def _is_full_jdk(facts: RuntimeFacts) -> bool:
    return facts.javac and any(kind in facts.vm for kind in _HOTSPOT)


def _holds(question: ConditionFact, facts: RuntimeFacts) -> bool | None:
    answer = getattr(facts, question.fact)
    if answer is None:
        return None
    return question.has in answer if question.has else bool(answer)
