# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which clients are slower says which layer is."""

import pytest

from jdkmatrix.config.clients import Layer
from jdkmatrix.verdict.attribution import attribution
from jdkmatrix.verdict.ratio import SpeedGrade

GRADES = {
    "s": SpeedGrade.SLOWER,
    "n": SpeedGrade.NO_CHANGE,
    "f": SpeedGrade.FASTER,
    "i": SpeedGrade.INCONCLUSIVE,
}
# One letter a layer: HttpURLConnection, java.net.http, JSSE, native; a dot is one not measured.
CASES = [
    ("snnn", "the HttpURLConnection layer:"),
    ("s.n.", "the HttpURLConnection layer:"),
    ("sn..", "the HttpURLConnection layer:"),
    ("s.sn", "the JDK's TLS (JSSE):"),
    (".ss.", "the JDK's TLS (JSSE):"),
    ("ssss", "the machine or the peer,"),
    ("n..s", "the machine or the peer,"),
    ("ssn.", "the JDK's HTTP layers,"),
    ("ss..", "undecided,"),
    ("s.i.", "undecided,"),
    ("s...", None),
    ("nnnn", None),
    ("fiin", None),
]


@pytest.mark.parametrize(("letters", "begins"), CASES)
def test_attribution(letters: str, begins: str | None) -> None:
    grades = {
        layer: GRADES[letter] for layer, letter in zip(Layer, letters, strict=True) if letter != "."
    }
    sentence = attribution(grades)
    assert (sentence is None) == (begins is None)
    if sentence and begins:
        assert sentence.startswith(begins)
        assert sentence.count("HttpsURLConnection") == (letters[0] != ".")
