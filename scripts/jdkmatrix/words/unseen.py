# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What can a recording not show?"""

from math import inf

from jdkmatrix.evidence.unseen import Gap, Unseen

_SUBJECTS = {
    "jdk.JavaMonitorEnter": "waits for monitors (JDK 8 and 11 wait for most locks so)",
    "jdk.ThreadPark": "waits for java.util.concurrent locks (JDK 17 and later mostly wait so)",
    "jdk.SocketRead": "reads from the network that a lock's holder sits in",
}
_VIRTUAL = (
    "The program uses virtual threads ({limit} show): their waits for {locks} are in no event, and"
    " in no dump but JSON of 25."
)
_SENTENCES = {
    Gap.LEDGER: "Which bugs this build has: JDK {limit} is not in the ledger.",
    Gap.SETTINGS: "The recording does not include its settings: what they hid is unknown.",
    Gap.OFF: "{event} was off: no {subject} are in it.",
    Gap.NO_STACKS: (
        "{event} was recorded without stack traces: its waits cannot be attributed to code."
    ),
    Gap.SHORT: (
        "{event} was recorded from {limit:g} ms on: shorter {subject} are not in it, however many"
        " there were."
    ),
    Gap.THROTTLED: "{event} was throttled to {limit}: beyond that, {subject} are not in it.",
    Gap.OPEN_WAITS: "{event} was off: waits still open at the end are not in it.",
    Gap.BUSY: "{event} was off, too: what kept threads busy is not in it.",
    Gap.ONE_DUMP: (
        "How long threads have waited, and what keeps them busy: that takes two dumps, 10 s apart,"
        " by jcmd PID Thread.print -l."
    ),
    Gap.UNDATED_DUMPS: "How long threads have waited: no dump says when it was taken.",
    Gap.BETWEEN_DUMPS: (
        "What threads did between two dumps: one that waits at the same place in both is assumed to"
        " have waited there."
    ),
    Gap.CPU_TIMES: "Whether a thread spins: dumps of 8, and in JSON, have no CPU times.",
    Gap.VIRTUAL_THREADS: _VIRTUAL.replace("{locks}", "locks of any kind"),
    Gap.PINNED_THREADS: (
        _VIRTUAL.replace("{locks}", "java.util.concurrent locks")
        + " Waits for monitors are recorded if the thread had a carrier."
    ),
    Gap.UNFINISHED: "The recording was never closed: what came after its last flush is not in it.",
    Gap.BASELINE_SETTINGS: (
        "The baseline does not include its settings: what looks new may have been hidden there."
    ),
    Gap.BASELINE_EVENTS: (
        "The baseline was recorded without {events}: such waits in this recording are not reported"
        " as new."
    ),
}


def unseen_sentence(unseen: Unseen) -> str:
    """One gap, and what is not in the recording for it."""
    events = [
        event if below_ms == inf else f"{event} below {below_ms:g} ms"
        for event, below_ms in unseen.events
    ]
    return _SENTENCES[unseen.gap].format(
        event=unseen.event,
        limit=unseen.limit,
        subject=_SUBJECTS.get(unseen.event, ""),
        events=", ".join(events),
    )
