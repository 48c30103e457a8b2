// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;

/** Where is one host, and where do its peer and its relay report their counters? */
final class LoadHost {
    final String name;
    final String url;
    private final String peerControl;
    private final String relayControl;

    LoadHost(String name, Values values) {
        this.name = name;
        url = values.text("url");
        peerControl = values.text("peer_control");
        relayControl = values.text("relay_control", null);
    }

    /** @throws IOException if the peer does not answer; the message names the host */
    Counters peer() throws IOException {
        return Counters.read("the peer of host " + name, peerControl);
    }

    boolean hasRelay() {
        return relayControl != null;
    }

    /** @throws IOException if the relay does not answer; the message names the host */
    Counters relay() throws IOException {
        return Counters.read("the relay of host " + name, relayControl);
    }
}
