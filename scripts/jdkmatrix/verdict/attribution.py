# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where must a slow-down sit, going by which clients show it? Pure.

Clients share ever less of the JDK: HttpsURLConnection all of it, Netty on the JDK's TLS only JSSE,
Netty on BoringSSL neither. What the last one shows, the JDK's TLS cannot have caused.
"""

from collections.abc import Mapping

from jdkmatrix.config.clients import Layer
from jdkmatrix.verdict.ratio import SpeedGrade

_NAMES = {
    Layer.HTTP_URL_CONNECTION: "HttpsURLConnection",
    Layer.JDK_HTTP: "java.net.http",
    Layer.JSSE: "Netty on the JDK's TLS",
    Layer.NATIVE: "Netty on BoringSSL",
}


def attribution(grades: Mapping[Layer, SpeedGrade]) -> str | None:
    """One sentence without a full stop; None if nothing is slower, or one client alone ran."""
    slower = {layer for layer, grade in grades.items() if grade is SpeedGrade.SLOWER}
    if not slower or len(grades) < 2:
        return None
    return f"{_place(slower, grades)}: {_seen(grades)}"


def _place(slower: set[Layer], grades: Mapping[Layer, SpeedGrade]) -> str:
    sound = (SpeedGrade.NO_CHANGE, SpeedGrade.FASTER)
    if Layer.NATIVE in slower:
        return "the machine or the peer, as a client without the JDK's TLS is slower too"
    if Layer.JSSE in slower:
        return "the JDK's TLS (JSSE)"
    if grades.get(Layer.JSSE) in sound:
        if slower == {Layer.HTTP_URL_CONNECTION}:
            return "the HttpURLConnection layer"
        return "the JDK's HTTP layers, as its TLS alone is not slower"
    if slower == {Layer.HTTP_URL_CONNECTION} and grades.get(Layer.JDK_HTTP) in sound:
        return "the HttpURLConnection layer"
    return "undecided, as no client on the JDK's TLS alone has a verdict"


def _seen(grades: Mapping[Layer, SpeedGrade]) -> str:
    return ", ".join(f"{_NAMES[layer]} {grades[layer]}" for layer in Layer if layer in grades)
