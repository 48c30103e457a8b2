# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""By which rules are results graded? All that a checkout says of bugs, recordings, changes
and behaviour."""

from dataclasses import dataclass, field

from jdkmatrix.config.behaviour import Behaviour, load_behaviour
from jdkmatrix.config.known_changes import KnownChange, load_known_changes
from jdkmatrix.config.ledger import Ledger, load_ledger
from jdkmatrix.config.masks import Mask, load_masks
from jdkmatrix.config.recording_rules import GenericRule, load_rules
from jdkmatrix.machine.user_patterns import PatternSearches
from jdkmatrix.paths import Checkout


@dataclass(frozen=True)
class Rulebook:
    """The ledger, the rules for waiting of any origin, the known changes, and what is masked where
    outputs are compared, or rows of behaviour. `searches` are those for the user's own patterns.
    """

    ledger: Ledger
    recording_rules: tuple[GenericRule, ...] = ()
    known_changes: tuple[KnownChange, ...] = ()
    masks: tuple[Mask, ...] = ()
    behaviour: Behaviour = field(default_factory=Behaviour)
    searches: PatternSearches = field(default_factory=PatternSearches, compare=False)

    @classmethod
    def load(cls, checkout: Checkout, *, allow_todos: bool = False) -> "Rulebook":
        """The rulebook of a checkout. Raises UsageError as load_ledger does."""
        return cls(
            load_ledger(checkout.ledger, allow_todos=allow_todos),
            load_rules(checkout.rules),
            load_known_changes(checkout.known_changes),
            load_masks(checkout.masks),
            load_behaviour(checkout.behaviour),
        )
