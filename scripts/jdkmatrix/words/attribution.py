# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Why is a client or a service slower?"""

from collections.abc import Mapping

from jdkmatrix.verdict.attribution import Attribution, ClientSpeed, SlowPart
from jdkmatrix.vocabulary import Layer

_CLIENTS = {
    Layer.HTTP_URL_CONNECTION: "HttpsURLConnection",
    Layer.JDK_HTTP: "java.net.http",
    Layer.JSSE: "Netty on the JDK's TLS",
    Layer.NATIVE: "Netty on BoringSSL",
}
_SERVICES = {
    Layer.PLAIN: "without TLS",
    Layer.JSSE: "on the JDK's TLS",
    Layer.NATIVE: "on BoringSSL",
    Layer.PROXY: "behind HAProxy",
}
_PARTS = {
    SlowPart.MACHINE_OR_PEER: (
        "the machine or the peer, as a client without the JDK's TLS is slower too"
    ),
    SlowPart.JSSE: "the JDK's TLS (JSSE)",
    SlowPart.HTTP_URL_CONNECTION: "the HttpURLConnection layer",
    SlowPart.HTTP_LAYERS: "the JDK's HTTP layers, as its TLS alone is not slower",
    SlowPart.NOT_TLS: "not TLS, as the service without it is slower too",
    SlowPart.NOT_JSSE: "not the JDK's TLS (JSSE), as the service on BoringSSL is slower too",
    SlowPart.TLS_OR_ITS_BYTES: "TLS, or what only its bytes go through",
    SlowPart.NO_CLIENT_TO_TELL: "undecided, as no client on the JDK's TLS alone has a verdict",
    SlowPart.NO_SERVICE_TO_TELL: "undecided, as no control of the same server has a verdict",
}


def attribution_sentence(
    attribution: Attribution, clients: Mapping[Layer, ClientSpeed], *, services: bool = False
) -> str:
    """Where the slow-down is, and what each client or service shows; without a full stop."""
    names = _SERVICES if services else _CLIENTS
    grades = ", ".join(
        f"{names[layer]} {clients[layer].grade}"
        f"{' but not as slow' if layer in attribution.mild_layers else ''}"
        for layer in Layer
        if layer in clients
    )
    return f"{_PARTS[attribution.part]}: {grades}"
