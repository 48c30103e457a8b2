# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a build's counterpart, another vendor's of the same version, say of its changes?"""

from collections.abc import Sequence

from jdkmatrix.config.known_changes import DefaultChange
from jdkmatrix.verdict.behaviour import BehaviourDifference
from jdkmatrix.verdict.defaults_difference import DefaultsDifference
from jdkmatrix.words.behaviour import headline, name_rows
from jdkmatrix.words.defaults import change_line, difference_headline

TOPIC = "explanations"
_MOST_NAMED = 5


def behaviour_headline(delta: BehaviourDifference) -> str:
    """How many rows differ between the two."""
    return f"behaviour: {headline(delta).replace(' changed', ' differ')}"


def defaults_headline(delta: DefaultsDifference) -> str:
    """How many defaults differ between the two."""
    return f"defaults: {difference_headline(delta).replace(' changed', ' differ')}"


def contradicted_rows(bug: str, rows: Sequence[str]) -> str:
    """Rows that a bug does not explain, as the counterpart shows what the baseline does."""
    return f"{bug} does not explain {name_rows(rows)}"


def contradicted_default(bug: str, change: DefaultChange) -> str:
    """The same of a default."""
    return f"{bug} does not explain {change_line(change)}"


def topic_sentence(counterpart: str, contradictions: Sequence[str], changes: Sequence[str]) -> str:
    """What speaks against the build, then what differs between the two at all."""
    parts = list(contradictions[:_MOST_NAMED])
    if len(contradictions) > _MOST_NAMED:
        parts.append(f"{len(contradictions) - _MOST_NAMED} more")
    if parts:
        parts.append(f"{counterpart}, of the same version, is there as the baseline")
    return "; ".join([*parts, f"against {counterpart}, {'; '.join(changes)}"])
