# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are what threads do at one place, in several rows of a digest, said with the sums of all?"""

import pytest

from jdkmatrix.evidence.activities import Action, Activity, Doing, Place
from jdkmatrix.words.threads import activity_sentences

READ = Activity(
    place=Place("SSLSocketImpl.startHandshake"),
    action=Action(Doing.PEER),
    threads=1,
    name="main",
    waited_ms=3000,
    max_ms=3000,
    waits=1,
)
SPIN = Activity(Place("A.b", "C.d"), Action(Doing.BUSY), 1, "nio-1", 6000, 6000)
STOOD = Activity(Place("A.b"), Action(Doing.ASLEEP), 20, "pool-1", 600_000, 30_000)


@pytest.mark.parametrize(
    ("activity", "sentence"),
    [
        (READ, "'main' waited 3.0 s in SSLSocketImpl.startHandshake, waiting for the peer."),
        (
            READ.plus(READ),
            "2 threads waited up to 3.0 s, 6.0 s in all, in SSLSocketImpl.startHandshake, waiting"
            " for the peer.",
        ),
        (SPIN, "'nio-1' was busy for 6.0 s in A.b, called by C.d, mostly."),
        (SPIN.plus(SPIN), "2 threads were busy for up to 6.0 s in A.b, called by C.d, mostly."),
        (STOOD, "20 threads sat 30 s in A.b, asleep."),
        (STOOD.plus(STOOD), "40 threads sat 30 s in A.b, asleep."),
    ],
)
def test_rows_of_one_place_are_summed(activity: Activity, sentence: str) -> None:
    assert activity_sentences((activity,), 0) == (sentence,)


def test_what_no_sentence_is_about_is_counted() -> None:
    assert activity_sentences((READ,) * 7, 4)[-1] == "2 threads elsewhere and 4 threads idle."
