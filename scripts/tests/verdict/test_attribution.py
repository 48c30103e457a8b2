# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which clients are slower says which layer is."""

import pytest

from jdkmatrix.verdict.attribution import ClientSpeed, attribution, loss95
from jdkmatrix.vocabulary import Layer, SpeedGrade
from jdkmatrix.words.attribution import attribution_sentence

GRADES = {
    "s": SpeedGrade.SLOWER,
    "n": SpeedGrade.NO_CHANGE,
    "f": SpeedGrade.FASTER,
    "i": SpeedGrade.INCONCLUSIVE,
}
CLIENTS = (Layer.HTTP_URL_CONNECTION, Layer.JDK_HTTP, Layer.JSSE, Layer.NATIVE)
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


def explain(
    clients: dict[Layer, ClientSpeed], subject: Layer, *, services: bool = False
) -> str | None:
    slow_part = attribution(clients, subject, services=services)
    return attribution_sentence(slow_part, clients, services=services) if slow_part else None


@pytest.mark.parametrize(("letters", "begins"), CASES)
def test_attribution(letters: str, begins: str | None) -> None:
    clients = {
        layer: ClientSpeed(GRADES[letter], None)
        for layer, letter in zip(CLIENTS, letters, strict=True)
        if letter != "."
    }
    slower = (layer for layer, speed in clients.items() if speed.grade is SpeedGrade.SLOWER)
    sentence = explain(clients, next(slower, next(iter(clients))))
    assert (sentence is None) == (begins is None)
    if sentence and begins:
        assert sentence.startswith(begins)
        assert sentence.count("HttpsURLConnection") == (letters[0] != ".")


# Scenario gap, temurin-17.0.3+7 against temurin-17.0.9+9, four blocks on two cores with load 20:
# 24 times slower with one client, and no verdict on 5 % with the others.
SLOW = ClientSpeed(SpeedGrade.SLOWER, loss95((0.0273, 0.063), higher_is_better=True))
NOISY = ClientSpeed(SpeedGrade.INCONCLUSIVE, loss95((0.19, 22.78), higher_is_better=True))


def test_an_interval_that_excludes_the_slow_down_is_enough() -> None:
    sentence = explain(
        {Layer.HTTP_URL_CONNECTION: SLOW, Layer.JSSE: NOISY}, Layer.HTTP_URL_CONNECTION
    )
    assert sentence == (
        "the HttpURLConnection layer: HttpsURLConnection slower, "
        "Netty on the JDK's TLS inconclusive but not as slow"
    )


@pytest.mark.parametrize("loss", [(0.5, 16.0), None])
def test_one_that_does_not_is_not(loss: tuple[float, float] | None) -> None:
    wide = ClientSpeed(SpeedGrade.INCONCLUSIVE, loss)
    sentence = explain(
        {Layer.HTTP_URL_CONNECTION: SLOW, Layer.JSSE: wide}, Layer.HTTP_URL_CONNECTION
    )
    assert sentence == (
        "undecided, as no client on the JDK's TLS alone has a verdict: "
        "HttpsURLConnection slower, Netty on the JDK's TLS inconclusive"
    )


def test_a_little_slower_is_another_matter() -> None:
    little = ClientSpeed(SpeedGrade.SLOWER, (1.06, 1.1))
    clients = {Layer.HTTP_URL_CONNECTION: SLOW, Layer.JSSE: NOISY, Layer.NATIVE: little}
    sentence = explain(clients, Layer.HTTP_URL_CONNECTION)
    assert sentence is not None
    assert sentence.startswith("the HttpURLConnection layer:")
    assert sentence.endswith("Netty on BoringSSL slower but not as slow")
    sentence = explain(clients, Layer.NATIVE)  # its own tenth the machine must have caused
    assert sentence is not None
    assert sentence.startswith("the machine or the peer,")


# Of one server: without TLS, on the JDK's, on BoringSSL.
SERVICES = (Layer.PLAIN, Layer.JSSE, Layer.NATIVE)
SERVICE_CASES = [
    ("nsn", "the JDK's TLS (JSSE): on the JDK's TLS slower, on BoringSSL no-change, without TLS"),
    ("isn", "the JDK's TLS (JSSE):"),
    ("ns.", "TLS, or what only its bytes go through:"),
    ("sss", "not TLS, as"),
    ("nss", "not the JDK's TLS (JSSE), as"),
    ("nis", "not the JDK's TLS (JSSE), as"),
    ("isi", "undecided,"),
    (".s.", None),
]


@pytest.mark.parametrize(("letters", "begins"), SERVICE_CASES)
def test_attribution_by_services(letters: str, begins: str | None) -> None:
    services = {
        layer: ClientSpeed(GRADES[letter], None)
        for layer, letter in zip(SERVICES, letters, strict=True)
        if letter != "."
    }
    slower = next(layer for layer, speed in services.items() if speed.grade is SpeedGrade.SLOWER)
    sentence = explain(services, slower, services=True)
    assert (sentence or "").startswith(begins or "")
    assert (sentence is None) == (begins is None)
