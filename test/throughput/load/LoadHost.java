// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;

/** Where is one host, and where do its peer and its relay tell what they have counted? */
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

    /** @throws IOException that names the host where its peer is gone */
    Counters peer() throws IOException {
        return Counters.read("the peer of host " + name, peerControl);
    }

    boolean hasRelay() {
        return relayControl != null;
    }

    /** @throws IOException that names the host where its relay is gone */
    Counters relay() throws IOException {
        return Counters.read("the relay of host " + name, relayControl);
    }
}
