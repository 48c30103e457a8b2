# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a build have what its version promises? Pure: the ledger's conditions against its own facts.

If a build lacks a condition, the tests of every bug that needs it do not apply, and none of them
fails. So the condition is looked for in the build itself.
"""

from collections.abc import Iterator

from jdkmatrix.config.ledger import Condition, ConditionFact, Ledger
from jdkmatrix.config.tags import has_change
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.supply.runtime_facts import RuntimeFacts

# Other VMs (OpenJ9) and other interpreters (Zero) do not have HotSpot's Flight Recorder.
_HOTSPOT = ("Server VM", "Client VM")


def broken_promises(
    build: JdkVersion, facts: RuntimeFacts, ledger: Ledger
) -> Iterator[tuple[Condition, str]]:
    """The conditions that the build promises and lacks, each with one sentence.

    What it was not asked about is not broken: facts that an older kit stored lack some answers.
    """
    for condition in ledger.conditions:
        promise = _promise(condition, build, facts)
        if promise and condition.asked and _holds(condition.asked, facts) is False:
            yield condition, f"{condition.broken} ({_in_words(condition.asked, facts)}); {promise}."


def _promise(condition: Condition, build: JdkVersion, facts: RuntimeFacts) -> str | None:
    """What promises it, in words; None if nothing does."""
    source = f" ({condition.bug})" if condition.bug else ""
    if condition.since and has_change(build, condition.since):
        return f"its version, {build}, promises it{source}"
    full_since = condition.since_in_full_jdk
    if full_since and _is_full_jdk(facts) and has_change(build, full_since):
        return f"a full JDK {build} has it{source}"
    if condition.module and condition.module in (facts.listed_modules or ()):
        return f"its release file lists the module {condition.module}"
    return None


def _is_full_jdk(facts: RuntimeFacts) -> bool:
    return facts.javac and any(kind in facts.vm for kind in _HOTSPOT)


def _holds(question: ConditionFact, facts: RuntimeFacts) -> bool | None:
    answer = getattr(facts, question.fact)
    if answer is None:
        return None
    return question.has in answer if question.has else bool(answer)


def _in_words(question: ConditionFact, facts: RuntimeFacts) -> str:
    """What the build says instead."""
    name = question.fact.replace("_", " ")
    if not question.has:
        return f"{name}: no"
    text = f"{name}: {', '.join(getattr(facts, question.fact)) or 'none'}"
    if question.has in (facts.disabled_algorithms or ()):
        return f"{text}; jdk.tls.disabledAlgorithms has {question.has}"
    return text
