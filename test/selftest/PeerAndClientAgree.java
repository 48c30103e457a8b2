// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary The peer tells protocol and reuse rightly, and neighbours notice slow replies
 * @key selftest
 * @library /lib
 * @run main/othervm PeerAndClientAgree
 */

import java.util.List;

public class PeerAndClientAgree {
    public static void main(String[] args) throws Exception {
        try (TlsPeer peer = new TlsPeer("self", 30)) {
            tellsProtocol(peer);
            tellsReuse(peer);
            neighboursSeeAStall(peer);
        }
    }

    private static void tellsProtocol(TlsPeer peer) throws Exception {
        Reply modern = Case.SUBJECT.client().get(peer.url("/close"), Client.PATIENCE_MS);
        Reply old = Case.TLS12.client().get(peer.url("/close"), Client.PATIENCE_MS);
        Check.that(modern.protocol.equals("TLSv1.3"), "default: " + modern.protocol);
        Check.that(modern.cipher.startsWith("TLS_AES_"), "default: " + modern.cipher);
        Check.that(old.protocol.equals("TLSv1.2"), "control: " + old.protocol);
        Check.that(!modern.reused() && !old.reused(), "after close nothing is reused");
    }

    private static void tellsReuse(TlsPeer peer) throws Exception {
        Client client = Case.SUBJECT.client();
        int before = peer.connections();
        List<Reply> first = client.fillCache(peer.url("/"), 3, Client.PATIENCE_MS);
        List<Reply> second = client.fillCache(peer.url("/"), 3, Client.PATIENCE_MS);
        Check.that(Reply.reused(first) == 0, "first: " + Reply.reused(first));
        Check.that(Reply.reused(second) == 3, "second: " + Reply.reused(second));
        Check.that(peer.connections() == before + 3, "connections: " + peer.connections());
    }

    private static void neighboursSeeAStall(TlsPeer peer) throws Exception {
        int stallMs = 300;
        try (Relay slow = new Relay(peer.address())) {
            Neighbours neighbours = new Neighbours(Case.SUBJECT.client(), slow.url("/"), 2);
            neighbours.start();
            neighbours.awaitEach(1, Client.PATIENCE_MS);
            neighbours.restart();
            slow.hold();
            Thread.sleep(stallMs);
            slow.release();
            neighbours.awaitOneMoreEach(Client.PATIENCE_MS);
            neighbours.stop();
            Check.that(neighbours.worstMs() >= stallMs / 2, "worst: " + neighbours.worstMs());
        }
    }
}
