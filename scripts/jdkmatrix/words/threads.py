# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do threads do, which of them stand still, and which bugs does that make probable?"""

from collections.abc import Iterator, Sequence

from jdkmatrix.evidence.activities import Action, Activity, Doing, LockWanted, OwnerLack, Place
from jdkmatrix.evidence.hang import Hang, LockQueue, StuckThread
from jdkmatrix.evidence.probable import PeerRead, PossibleOwner, Queueing, Running, Sign, Subject
from jdkmatrix.results.finding import Finding, Suspicion
from jdkmatrix.texts import count_of
from jdkmatrix.words.waiting import IN_DUMP, duration

_MOST_LINES = 5
# What the digest calls the lock of a thread that waits for a class.
_INITIALIZATION = "initialization of "
_DOINGS = {
    Doing.PEER: "waiting for the peer",
    Doing.PINNED: "keeping the carrier of a virtual thread",
    Doing.BUSY: "mostly",
    Doing.CLASS_INITIALIZATION: "waiting for a class that another thread initializes",
    Doing.RUNNING: "running",
    Doing.BLOCKED: "waiting for a lock",
    Doing.ASLEEP: "asleep",
    Doing.WAITING: "waiting",
}
_OWNERS = {
    OwnerLack.NO_THREAD: ", which no thread of the dump has",
    OwnerLack.NO_NAME: ", whose owner is not named: jcmd PID Thread.print -l names it",
    None: "",
}
_TWICE = "jcmd PID Thread.print -l, twice, 10 s apart, tells"
_PROOF_OF_SPINNING = (
    "dumps of 8, and in JSON, have no CPU times; top -H -p PID shows whether the thread uses a"
    " whole core."
)


def hang_sentence(hang: Hang) -> str:
    """What is stuck, in one line."""
    parts = [*deadlock_sentences(hang), *queue_sentences(hang)]
    if not parts:
        parts.append("No thread waits for a lock.")
    if hang.main_in and not hang.deadlocks:
        parts.append(f"The main thread is in {', called by '.join(hang.main_in)}.")
    return " ".join(parts)


def deadlock_sentences(hang: Hang) -> tuple[str, ...]:
    """Who waits for whom in a cycle, one sentence a deadlock."""
    return tuple(f"Deadlock: {'; '.join(map(_link, cycle))}." for cycle in hang.deadlocks)


def queue_sentences(hang: Hang) -> tuple[str, ...]:
    """Who waits for whom, one sentence a lock, the longest queue first."""
    return tuple(map(_queue, hang.queues))


def _link(link: StuckThread) -> str:
    lock, relation = _lock_phrase(link.lock_class)
    return f"'{link.thread}' waits in {link.waits_in} for {lock} {relation} '{link.owner}'"


def _queue(queue: LockQueue) -> str:
    count = len(queue.threads)
    subject = f"'{queue.threads[0]}' waits" if count == 1 else f"{count} threads wait"
    lock, relation = _lock_phrase(queue.lock_class)
    text = f"{subject} in {queue.waits_in} for {lock}"
    if queue.owner is None:
        return f"{text} whose owner is unknown."
    return f"{text} {relation} '{queue.owner}', which is in {queue.owner_in}."


def _lock_phrase(lock_class: str) -> tuple[str, str]:
    """The lock in a sentence, and what goes before the name of who has it."""
    if lock_class.startswith(_INITIALIZATION):
        return f"the {lock_class}", "by"
    return f"a {lock_class}", "held by"


def activity_sentences(activities: Sequence[Activity], idle_threads: int) -> tuple[str, ...]:
    """The first ones, each with a note on what bounds a wait; then what is left in one more."""
    return (*map(_activity, activities[:_MOST_LINES]), *_rest(activities, idle_threads))


def _activity(activity: Activity) -> str:
    """`20 threads sat 30 s in SSLSocketImpl.startHandshake, waiting for the peer.`"""
    subject = _subject(Subject(activity.threads, activity.name))
    place, action = _place(activity.place), _action(activity.action)
    note = f" {_capital(activity.note)}." if activity.note else ""
    return f"{subject} {_stay(activity)} in {place}, {action}.{note}"


def _rest(activities: Sequence[Activity], idle_threads: int) -> Iterator[str]:
    """How many threads no sentence is about."""
    elsewhere_threads = sum(activity.threads for activity in activities[_MOST_LINES:])
    parts = [
        f"{count_of(threads, 'thread')} {text}"
        for threads, text in ((elsewhere_threads, "elsewhere"), (idle_threads, "idle"))
        if threads
    ]
    if parts:
        yield f"{' and '.join(parts)}."


def _stay(activity: Activity) -> str:
    longest = duration(activity.max_ms)
    if activity.action.doing is Doing.BUSY:
        is_single = activity.threads == 1
        return f"was busy for {longest}" if is_single else f"were busy for up to {longest}"
    if activity.waits is None:
        return f"sat {longest}" if activity.max_ms else _is(activity.threads)
    if activity.waits == 1:
        return f"waited {longest}"
    return f"waited up to {longest}, {duration(activity.waited_ms)} in all,"


def _place(place: Place) -> str:
    return f"{place.frame}, called by {place.caller}" if place.caller else place.frame


def _action(action: Action) -> str:
    text = _lock(action.lock) if action.lock else _DOINGS.get(action.doing, action.says)
    if action.helper_gone:
        text += f"; {action.helper_gone}"
    if action.peer:
        host, port = action.peer
        text += f" (longest for {host}:{port})"
    return text


def _lock(lock: LockWanted) -> str:
    lock_text, relation = _lock_phrase(lock.lock_class)
    owner = lock.owner
    if owner is None or isinstance(owner, OwnerLack):
        return f"waiting for {lock_text}{_OWNERS[owner]}"
    guess = " (inferred)" if owner.is_inferred else ""
    verb = "was" if owner.is_past else "is"
    says = f", {owner.says}" if owner.says else ""
    return (
        f"waiting for {lock_text} {relation} '{owner.thread}'{guess}, which {verb} in"
        f" {_place(owner.place)}{says}"
    )


def _capital(text: str) -> str:
    """A note as a sentence of its own; a property's name keeps its letters."""
    first = text.split()[0]
    return text if "." in first or first.startswith("-") else text[0].upper() + text[1:]


def suspicion_at_once(finding: Finding) -> Suspicion:
    """Of a rule that fired by a lock's owner alone, in dumps that have no times."""
    return Suspicion(
        sentence=finding.sentence.removeprefix(IN_DUMP), proof=f"{_TWICE} for how long they wait."
    )


def suspicion_of(sign: Sign) -> Suspicion:
    """What makes a bug probable, what would prove it, and what else looks the same."""
    subject, verb = _subject(sign.subject), _is(sign.subject.threads)
    match sign:
        case Queueing():
            return _queueing(sign)
        case PeerRead():
            proof_text = f"for how long: {duration(sign.proof_ms)} or more proves it."
            return Suspicion(
                sentence=f"{subject} {verb} in {sign.frame}, waiting for the peer.",
                proof=f"{_TWICE} {proof_text}",
            )
        case Running():
            return _running(sign)
        case _:
            stay = f"sat {duration(sign.stood_ms)}" if sign.stood_ms else verb
            return Suspicion(
                sentence=f"{subject} {stay} in {sign.place}.",
                proof=(
                    f"no dump does; scripts/matrix has {sign.bug.removeprefix('JDK-')} --jdk PATH"
                    " tells whether the build has it."
                ),
                alike=sign.alike,
            )


def _queueing(sign: Queueing) -> Suspicion:
    verb = "waits" if sign.subject.threads == 1 else "wait"
    sentence = f"{_subject(sign.subject)} {verb} to enter {' and '.join(sign.frames)}"
    proof = f"{_TWICE} for how long they wait"
    if sign.owner:
        sentence += f" while {_possible_owner(sign.owner)}"
        proof += "" if sign.is_owned else ", and who has the lock"
    return Suspicion(sentence=f"{sentence}.", proof=f"{proof}.")


def _possible_owner(owner: PossibleOwner) -> str:
    subject = _subject(owner.subject)
    if owner.frame is None:
        return f"{subject}, which has the lock, waits for a peer"
    return f"{subject} {_is(owner.subject.threads)} in {owner.frame}"


def _running(sign: Running) -> Suspicion:
    detail = f"is there in all of {sign.dumps} dumps"
    if sign.cpu_share is not None:
        detail = f"has used {sign.cpu_share:.0%} of a core since it began"
    return Suspicion(
        sentence=f"{_subject(sign.subject)} runs in {sign.frame}, and {detail}.",
        proof=_PROOF_OF_SPINNING if sign.cpu_share is None else f"{_TWICE} what it uses.",
        alike="a thread that has much to encrypt",
    )


def _subject(subject: Subject) -> str:
    is_single = subject.threads == 1 and subject.name
    return f"'{subject.name}'" if is_single else count_of(subject.threads, "thread")


def _is(threads: int) -> str:
    return "is" if threads == 1 else "are"
