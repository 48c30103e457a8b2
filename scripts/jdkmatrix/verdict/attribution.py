# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where must a slow-down be, judging by the clients or services that show it? Pure.

Clients use less and less of the JDK: HttpsURLConnection all of it, Netty on the JDK's TLS only
JSSE, Netty on BoringSSL neither. The JDK's TLS cannot have caused what the last one shows. Of the
services of one server, the one without TLS shows what is not TLS, and the one on BoringSSL what is
not JSSE.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from jdkmatrix.vocabulary import Layer, SpeedGrade

_NAMES = {
    Layer.HTTP_URL_CONNECTION: "HttpsURLConnection",
    Layer.JDK_HTTP: "java.net.http",
    Layer.JSSE: "Netty on the JDK's TLS",
    Layer.NATIVE: "Netty on BoringSSL",
}
_SERVICE_NAMES = {
    Layer.PLAIN: "without TLS",
    Layer.JSSE: "on the JDK's TLS",
    Layer.NATIVE: "on BoringSSL",
    Layer.PROXY: "behind HAProxy",
}
_SOUND = (SpeedGrade.NO_CHANGE, SpeedGrade.FASTER)


@dataclass(frozen=True)
class ClientSpeed:
    """What one client or service shows. `loss95`: how many times worse (95 % interval), or None."""

    grade: SpeedGrade
    loss95: tuple[float, float] | None


def loss95(
    ci95: tuple[float, float] | None, *, higher_is_better: bool
) -> tuple[float, float] | None:
    """How many times worse a figure got, from the interval of its ratio to the baseline."""
    if ci95 is None or not higher_is_better:
        return ci95
    return 1 / ci95[1], 1 / ci95[0]


def attribution(
    clients: Mapping[Layer, ClientSpeed], subject: Layer, *, services: bool = False
) -> str | None:
    """One sentence without a full stop on why `subject` is slower; None if it is not, or ran alone.

    `clients` are those in one scenario or, with `services`, the services of one server there.
    A client shares the slow-down unless its interval excludes one that large: a client that is a
    tenth slower does not show the cause that makes another one twenty times slower.
    """
    if clients[subject].grade is not SpeedGrade.SLOWER or len(clients) < 2:
        return None
    mild_layers = {layer for layer, speed in clients.items() if _is_spared(speed, clients[subject])}
    slower = {
        layer for layer, speed in clients.items() if speed.grade is SpeedGrade.SLOWER
    } - mild_layers
    well = {layer for layer, speed in clients.items() if speed.grade in _SOUND} | mild_layers
    place, names = (_place_in_service, _SERVICE_NAMES) if services else (_place, _NAMES)
    return f"{place(slower, well)}: {_list_grades(clients, mild_layers, names)}"


def _is_spared(client: ClientSpeed, subject: ClientSpeed) -> bool:
    """Whether a client without a sound grade has certainly lost less than the subject."""
    if client.grade in _SOUND or not (client.loss95 and subject.loss95):
        return False
    return client.loss95[1] < subject.loss95[0]


def _place(slower: set[Layer], well: set[Layer]) -> str:
    if Layer.NATIVE in slower:
        return "the machine or the peer, as a client without the JDK's TLS is slower too"
    if Layer.JSSE in slower:
        return "the JDK's TLS (JSSE)"
    if Layer.JSSE in well:
        if slower == {Layer.HTTP_URL_CONNECTION}:
            return "the HttpURLConnection layer"
        return "the JDK's HTTP layers, as its TLS alone is not slower"
    if slower == {Layer.HTTP_URL_CONNECTION} and Layer.JDK_HTTP in well:
        return "the HttpURLConnection layer"
    return "undecided, as no client on the JDK's TLS alone has a verdict"


def _place_in_service(slower: set[Layer], well: set[Layer]) -> str:
    if Layer.PLAIN in slower:
        return "not TLS, as the service without it is slower too"
    if Layer.NATIVE in slower:
        return "not the JDK's TLS (JSSE), as the service on BoringSSL is slower too"
    if Layer.JSSE in slower and Layer.NATIVE in well:
        return "the JDK's TLS (JSSE)"
    if Layer.JSSE in slower and Layer.PLAIN in well:
        return "TLS, or what only its bytes go through"
    return "undecided, as no control of the same server has a verdict"


def _list_grades(
    clients: Mapping[Layer, ClientSpeed], mild_layers: set[Layer], names: Mapping[Layer, str]
) -> str:
    return ", ".join(
        f"{names[layer]} {clients[layer].grade}{' but not as slow' if layer in mild_layers else ''}"
        for layer in Layer
        if layer in clients
    )
