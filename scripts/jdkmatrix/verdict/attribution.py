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
from enum import Enum, auto

from jdkmatrix.vocabulary import Layer, SpeedGrade

_SOUND = (SpeedGrade.NO_CHANGE, SpeedGrade.FASTER)


class SlowPart(Enum):
    """What must be slow, or what it cannot be."""

    MACHINE_OR_PEER = auto()
    JSSE = auto()
    HTTP_URL_CONNECTION = auto()
    HTTP_LAYERS = auto()
    NOT_TLS = auto()
    NOT_JSSE = auto()
    TLS_OR_ITS_BYTES = auto()
    NO_CLIENT_TO_TELL = auto()
    NO_SERVICE_TO_TELL = auto()


@dataclass(frozen=True)
class Attribution:
    """Where a slow-down is, and which layers lost less than the subject."""

    part: SlowPart
    mild_layers: frozenset[Layer]


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
) -> Attribution | None:
    """Why `subject` is slower; None if it is not, or ran alone.

    `clients` are those in one scenario or, with `services`, the services of one server there.
    A client shares the slow-down unless its interval excludes one that large: a client that is a
    tenth slower does not show the cause that makes another one twenty times slower.
    """
    if clients[subject].grade is not SpeedGrade.SLOWER or len(clients) < 2:
        return None
    mild_layers = frozenset(
        layer for layer, speed in clients.items() if _is_spared(speed, clients[subject])
    )
    slower = {
        layer for layer, speed in clients.items() if speed.grade is SpeedGrade.SLOWER
    } - mild_layers
    well = {layer for layer, speed in clients.items() if speed.grade in _SOUND} | mild_layers
    place = _place_in_service if services else _place
    return Attribution(place(slower, well), mild_layers)


def _is_spared(client: ClientSpeed, subject: ClientSpeed) -> bool:
    """Whether a client without a sound grade has certainly lost less than the subject."""
    if client.grade in _SOUND or not (client.loss95 and subject.loss95):
        return False
    return client.loss95[1] < subject.loss95[0]


def _place(slower: set[Layer], well: set[Layer]) -> SlowPart:
    if Layer.NATIVE in slower:
        return SlowPart.MACHINE_OR_PEER
    if Layer.JSSE in slower:
        return SlowPart.JSSE
    if slower == {Layer.HTTP_URL_CONNECTION} and well & {Layer.JSSE, Layer.JDK_HTTP}:
        return SlowPart.HTTP_URL_CONNECTION
    return SlowPart.HTTP_LAYERS if Layer.JSSE in well else SlowPart.NO_CLIENT_TO_TELL


def _place_in_service(slower: set[Layer], well: set[Layer]) -> SlowPart:
    if Layer.PLAIN in slower:
        return SlowPart.NOT_TLS
    if Layer.NATIVE in slower:
        return SlowPart.NOT_JSSE
    if Layer.JSSE in slower and Layer.NATIVE in well:
        return SlowPart.JSSE
    if Layer.JSSE in slower and Layer.PLAIN in well:
        return SlowPart.TLS_OR_ITS_BYTES
    return SlowPart.NO_SERVICE_TO_TELL
