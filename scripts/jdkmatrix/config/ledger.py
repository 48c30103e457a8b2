# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is known of each bug: where is it fixed, what does it need to show, which tests show it?

The model of `test/bugs.yaml`, the ledger. Its JSON Schema is beside this file.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from jdkmatrix.config import yaml_file
from jdkmatrix.config.tags import TagsByTrain
from jdkmatrix.config.yaml_model import Location, StrictModel, check_unique, load, wrong_at
from jdkmatrix.errors import UsageError, one_line, suggest
from jdkmatrix.machine.files import is_plain
from jdkmatrix.vocabulary import Severity

# JBS's or, of an unreported bug whose change is not public, the kit's own.
BugId = Annotated[str, Field(pattern=r"^(JDK-\d{7}|KIT-\d{1,3})$")]
_JBS_PREFIX = "JDK-"
_OWN_PREFIX = "KIT-"


# A fact or figure in a sentence of the ledger.
PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_TODO = re.compile(r"\bTODO:")


_ID = re.compile(
    r"(?:https?://\S+/browse/)?\W?(?:JDK[- ]?)?(?P<number>\d{7})\W*|KIT[- ]?(?P<own>\d{1,3})",
    re.ASCII | re.IGNORECASE,
)


def id_in(text: str) -> str | None:
    """The id that people write: `8293562`, `JDK8293562`, `8293562:`, a link to JBS, `kit-1`."""
    match = _ID.fullmatch(text.strip())
    if match is None:
        return None
    return f"{_OWN_PREFIX}{match['own']}" if match["own"] else f"{_JBS_PREFIX}{match['number']}"


def is_bug_id(text: str) -> bool:
    """Whether a group of cases is that of a bug, and not of a topic."""
    return text.startswith((_JBS_PREFIX, _OWN_PREFIX))


def has_own_id(bug_id: str) -> bool:
    """Whether the id is the kit's own, which no other place knows."""
    return bug_id.startswith(_OWN_PREFIX)


def jbs_page(bug_id: str) -> str | None:
    """The address of a bug's page in JBS; None for an id of the kit's own."""
    return None if has_own_id(bug_id) else f"https://bugs.openjdk.org/browse/{bug_id}"


class ConditionFact(StrictModel):
    """The fact of `jtreg/tool` by which a build says whether a condition holds.

    It is a list that must contain `has` or, without `has`, a yes or no.
    """

    fact: Literal["client_protocols", "usable_protocols", "named_groups", "jfr", "management"]
    has: str | None = None


# The digest's names for waits that need no lock.
SlowEvent = Literal["jdk.SocketRead", "jdk.SocketWrite", "jdk.VirtualThreadPinned"]


class Condition(StrictModel):
    """Something without which a bug cannot show.

    `since` has, per train, the first build tag that meets the condition. Where the version does
    not decide it (cores, a module, Flight Recorder), the tests check it themselves and end as
    `not-applicable` if it is not met.

    A thread dump with all frames of `shown_by` in one stack shows that it holds, whatever the
    version.

    `asked` says how to ask a build whether it meets the condition. It has to meet it if `since`
    says so for its version, if `since_in_full_jdk` says so and it is a full JDK, or if it is an
    image that lists `module`; `broken` is what is reported if it does not. A build that does not
    meet the condition in `implies` does not meet this one either; then only that one is reported.
    """

    id: str
    title: str
    bug: BugId | None = None
    since: TagsByTrain | None = None
    shown_by: tuple[str, ...] = ()
    asked: ConditionFact | None = None
    since_in_full_jdk: TagsByTrain | None = None
    module: str | None = None
    broken: str | None = None
    implies: str | None = None

    @model_validator(mode="after")
    def _a_promise_can_be_asked_for(self) -> "Condition":
        if (self.asked is None) != (self.broken is None):
            raise ValueError("accepted: asked and broken together")
        if self.asked is None and (self.since_in_full_jdk or self.module):
            raise ValueError("accepted with since-in-full-jdk or module: asked")
        if self.asked and (self.asked.has is None) != (self.asked.fact in ("jfr", "management")):
            raise ValueError("accepted: asked with has for a list, without for a yes or no")
        return self


class EvidenceRule(StrictModel):
    """How a bug shows in a recording: threads wait, or a thread spins.

    Waiting for a lock: threads wait in one of `blocked_in` (`class.method`) for at least
    `min_blocked_ms` in total, while a thread is inside one of `held_in`; where a dump has no time,
    `min_blocked_at_once` threads make it probable. Waiting without a lock: a
    thread waits inside one of `slow_in` for at least `min_slow_ms` at a time; with `slow_over`,
    only such events count. Without `blocked_in`, only this shows the bug. Spinning: a thread is
    busy inside one of `busy_in`, and outside all of `busy_outside`, for at least `min_busy_ms` and
    for most of its busy time. `bound_source` says where the bounds come from.
    """

    blocked_in: tuple[str, ...] = ()
    held_in: tuple[str, ...] = ()
    min_blocked_ms: int = Field(default=1000, gt=0)
    min_blocked_at_once: int = Field(default=1, gt=0)
    slow_in: tuple[str, ...] = ()
    slow_over: tuple[SlowEvent, ...] = ()
    min_slow_ms: int = Field(default=1000, gt=0)
    busy_in: tuple[str, ...] = ()
    busy_outside: tuple[str, ...] = ()
    min_busy_ms: int = Field(default=1000, gt=0)
    bound_source: str = Field(min_length=1)

    @model_validator(mode="after")
    def _looks_somewhere(self) -> "EvidenceRule":
        if bool(self.blocked_in or self.slow_in) == bool(self.busy_in):
            raise ValueError("accepted: blocked-in, slow-in, or both; or busy-in alone")
        if self.blocked_in and "min_blocked_ms" not in self.model_fields_set:
            raise ValueError("accepted beside blocked-in: its bound, min-blocked-ms")
        return self

    @property
    def bound_ms(self) -> int:
        """The least waiting, or spinning, that counts."""
        if self.busy_in:
            return self.min_busy_ms
        return self.min_blocked_ms if self.blocked_in else self.min_slow_ms


class StuckRule(StrictModel):
    """How threads of a dump look that may be stuck in a bug, which proves nothing by itself.

    `stuck_in` are frames (ends of `class.method`), ` ... ` between two of one stack, the inner
    one first. At least `min_threads` must have stood there for `min_stuck_ms`, or in each dump
    where none says when it was taken; in a single dump as many as `in_one_dump`, if that is not
    0; if `passing`, at once in the last dump, however short. With `for_peer` they read from or
    write to a socket; with `max_cpu_share` they are parked, or have used no more of a core in
    their lives; none of `stuck_outside` is in their stacks; with `unread` nobody who is seen to
    have the lock that they want reads from a socket. `alike` is what else looks the same, without
    a full stop.
    """

    stuck_in: tuple[str, ...] = Field(min_length=1)
    stuck_outside: tuple[str, ...] = ()
    min_threads: int = Field(default=1, gt=0)
    min_stuck_ms: int = Field(default=1000, gt=0)
    in_one_dump: int = Field(default=0, ge=0)
    passing: bool = False
    for_peer: bool = False
    unread: bool = False
    max_cpu_share: float | None = Field(default=None, gt=0, le=1)
    alike: str = Field(min_length=1)


class CauseTemplate(StrictModel):
    """A sentence that says why the bug shows, made from what its test wrote.

    It is used where no recording shows the cause. `says` has no full stop; `{name}` in it stands
    for a fact or figure of the test, which is written as a duration if `ms` is part of its name.
    The sentence is for `test`, or for all tests of the bug, and only if the facts match `where`: a
    fact must have the value there, or be a text or a list that contains it as a word or member (a
    frame, a class); of a list of values there, one is enough. The first sentence whose facts are
    all there is used.
    """

    says: str = Field(min_length=1)
    test: str | None = None
    facts: dict[str, bool | int | str | tuple[str, ...]] = Field(
        default_factory=dict, alias="where"
    )

    @field_validator("says")
    @classmethod
    def _has_whole_placeholders(cls, says: str) -> str:
        if re.search(r"[{}]", PLACEHOLDER.sub("", says)):
            raise ValueError("accepted in braces: the name of a fact or figure, as in {close_ms}")
        if says.endswith("."):
            raise ValueError("accepted: a sentence without a full stop")
        if re.search(r"[{_]ms} m?s\b", says):
            raise ValueError("accepted: {close_ms} without a unit, as it becomes a duration")
        return says


class Bug(StrictModel):
    """One JBS bug.

    `introduced` and `fixed` have, per train, the first build tag with the change that introduced
    the bug, and with the one that fixed it. Without `introduced` the bug was always there; an empty
    `fixed` means that no build has a fix. `affected_from` says in words what the tags cannot. For
    an `unreported` bug no report was found: `id` is that of the change that introduced it, or the
    kit's own (`KIT-1`) if that is not public, and `title` is the ledger's own. `needs` are ids of
    conditions; a test that needs others has them in `needs_of`. A bug that no recording shows has
    no `evidence`, and says why in `no_evidence`. `hint` is how thread dumps make it probable where
    that shows nothing; `no_hint` is why none does, if not as nobody waits. `symptom` is what a
    user sees. `workaround` avoids it by a property or setting; `workaround_seen` has the run
    that showed this; where none is known, `workaround_tried` has what did not help, and the
    run. `traces` are texts of exceptions and frames (`Class.method`) that lead to this bug.
    """

    id: BugId
    title: str
    component: str
    introduced: TagsByTrain | None = None
    fixed: TagsByTrain
    symptom: str | None = None
    severity: Severity | None = None
    workaround: str | None = None
    workaround_seen: str | None = None
    workaround_tried: str | None = None
    traces: tuple[str, ...] = ()
    unreported: bool = False
    affected_from: str | None = None
    needs: tuple[str, ...] = ()
    needs_of: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    tests: tuple[str, ...] = Field(min_length=1)
    evidence: EvidenceRule | None = None
    no_evidence: str | None = None
    hint: StuckRule | None = None
    no_hint: str | None = None
    cause: tuple[CauseTemplate, ...] = ()
    links: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _has_evidence_or_none(self) -> "Bug":
        if self.evidence and self.no_evidence:
            raise ValueError("accepted: evidence or no-evidence, not both")
        if self.no_hint and (self.hint or self.evidence):
            raise ValueError("accepted with no-hint: neither hint nor evidence")
        if self.workaround_seen and not self.workaround:
            raise ValueError("accepted with workaround-seen: workaround")
        if self.workaround_tried and self.workaround:
            raise ValueError("accepted: workaround or workaround-tried, not both")
        if has_own_id(self.id) and not self.unreported:
            raise ValueError(f"accepted with {self.id}, an id of the kit's own: unreported: true")
        return self

    @property
    def areas(self) -> tuple[str, ...]:
        """The folders of its tests: `keepalive`, `tls13`."""
        return tuple(sorted({test.partition("/")[0] for test in self.tests}))


class LeftOut(StrictModel):
    """A bug without a reproducer, and why."""

    id: BugId
    title: str
    reason: str = Field(min_length=1)
    traces: tuple[str, ...] = ()


class Ledger(StrictModel):
    """The whole of `test/bugs.yaml`."""

    schema_: Literal[1] = Field(alias="schema")
    conditions: tuple[Condition, ...] = ()
    bugs: tuple[Bug, ...] = Field(min_length=1)
    left_out: tuple[LeftOut, ...] = ()

    @model_validator(mode="after")
    def _ids_are_unique_and_known(self) -> "Ledger":
        rows = [(("bugs", n), bug.id) for n, bug in enumerate(self.bugs)]
        rows += [(("left-out", n), bug.id) for n, bug in enumerate(self.left_out)]
        check_unique(rows)
        for n, condition in enumerate(self.conditions):
            self._check_needs(("conditions", n, "implies"), filter(None, [condition.implies]))
        for n, bug in enumerate(self.bugs):
            self._check_needs(("bugs", n, "needs"), bug.needs)
            for test, needs in bug.needs_of.items():
                where_of = ("bugs", n, "needs-of", test)
                _check_test(where_of, bug, test)
                self._check_needs(where_of, needs)
            for k, template in enumerate(bug.cause):
                if template.test:
                    _check_test(("bugs", n, "cause", k, "test"), bug, template.test)
        return self

    @model_validator(mode="after")
    def _a_test_shows_one_bug(self) -> "Ledger":
        owner: dict[str, str] = {}
        for n, bug in enumerate(self.bugs):
            for k, test in enumerate(bug.tests):
                if test in owner:
                    raise wrong_at(("bugs", n, "tests", k), f"{test} is a test of {owner[test]}")
                owner[test] = bug.id
        return self

    def _check_needs(self, location: Location, needs: Iterable[str]) -> None:
        conditions = [condition.id for condition in self.conditions]
        for k, need in enumerate(needs):
            if need not in conditions:
                names = ", ".join(conditions)
                raise wrong_at((*location, k), f"no condition '{need}'; accepted: {names}")

    def bug(self, text: str, asked_by: str = "--bug") -> Bug:
        """The bug of an id as `id_in` reads it.

        Raises UsageError: with the reason for a bug that is left out, else naming the known ones.
        """
        bug_id = id_in(text)
        for bug in self.bugs:
            if bug.id == bug_id:
                return bug
        for left_out in self.left_out:
            if left_out.id == bug_id:
                raise UsageError(
                    f"{asked_by} {text}: has no reproducer: {left_out.reason.rstrip('.')}"
                )
        hint = suggest(text, (bug.id for bug in self.bugs))
        raise UsageError(f"{asked_by} {text}: not in the ledger; {hint}")

    def conditions_of(self, bug: Bug, test: str | None = None) -> tuple[Condition, ...]:
        """What a build must have for the bug to show, or to show in that test."""
        needs = bug.needs_of.get(test, bug.needs) if test else bug.needs
        return tuple(c for c in self.conditions if c.id in needs)


def _check_test(location: Location, bug: Bug, test: str) -> None:
    if test not in bug.tests:
        raise wrong_at(location, f"not a test of {bug.id}; accepted: one of its tests")


def todo_lines(text: str) -> list[tuple[int, str]]:
    """Number and text of each line that says `TODO:`, as `scripts/new-bug` writes them."""
    return [
        (number, line.strip(" *#"))
        for number, line in enumerate(text.splitlines(), 1)
        if _TODO.search(line)
    ]


def load_ledger(path: Path, *, allow_todos: bool = False) -> Ledger:
    """Read and check the ledger: nothing is to be written yet, its tests exist beside it.

    With `allow_todos` bugs of which something is to be written are read, too. Raises UsageError.
    """
    for line, todo in () if allow_todos else todo_lines(yaml_file.read(path)):
        raise UsageError(one_line(f"{path}:{line}: {todo}; write it"))
    ledger = load(path, Ledger)
    for bug in ledger.bugs:
        for test in bug.tests:
            if not is_plain(path.parent / test):
                raise UsageError(one_line(f"{path}: {bug.id}: no test {test} beside the ledger"))
    return ledger


def schema_text() -> str:
    """The text of `ledger.schema.json`: the JSON Schema of the ledger's YAML."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    body: dict[str, Any] = Ledger.model_json_schema(by_alias=True)
    return json.dumps({**head, **body}, indent=1) + "\n"
