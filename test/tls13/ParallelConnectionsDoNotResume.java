// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8328608: Multiple NewSessionTicket support for TLS
 *
 * What goes wrong: a TLS 1.3 ticket is good for one connection, and the client keeps only one for
 * each host and port. Of several connections opened at once, one resumes and the others are full
 * handshakes. In TLS 1.2, the control, all resume one session.
 *
 * What it takes: TLS 1.3; tickets of several earlier connections; then new connections, none of
 * which reads (and so gets a ticket) before the last is open.
 *
 * Judged by a count of full handshakes.
 *
 * Without its precondition
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: negotiated protocol TLSv1.2
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/ParallelConnectionsDoNotResume.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/ParallelConnectionsDoNotResume.java
 *     java -cp classes ParallelConnectionsDoNotResume [CASE]
 * where CASE is tls12 or subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.12+7-Debian-2deb11u1, Debian
 *     full_handshakes = 5 handshakes (bound 3)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       resumed: 1
 *     reproduced: Of 6 connections opened at once most were full handshakes (full_handshakes 5,
 *           bound 3).
 * On a fixed build:
 *     # java: 17.0.19+10-1-deb12u2-Debian, Debian
 *     full_handshakes = 0 handshakes (bound 3)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       resumed: 6
 *     not-reproduced: Connections opened at once were resumed (full_handshakes 0, bound 3).
 */

/*
 * @test
 * @bug 8328608
 * @summary Connections opened at once must resume as many sessions as there are tickets
 * @key waits
 * @library /lib
 * @run main/othervm ParallelConnectionsDoNotResume tls12
 * @run main/othervm ParallelConnectionsDoNotResume subject
 */

import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

public class ParallelConnectionsDoNotResume {
    // A fixed client keeps up to 10 tickets (JDK-8328608).
    private static final int CONNECTIONS = 6;

    // An affected build resumes 1 of 6, a fixed one all.
    private static final long BOUND_HANDSHAKES = CONNECTIONS / 2;

    public static void main(String[] args) throws Exception {
        Reproducer.run("ParallelConnectionsDoNotResume", "JDK-8328608", args,
            ParallelConnectionsDoNotResume::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLSocketFactory factory = which.clientContext().getSocketFactory();
        try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo)) {
            List<SSLSocket> first = connect(factory, server);
            for (SSLSocket socket : first) {
                TlsClient.exchange(socket);
            }
            which.checkProtocol(first.get(0).getSession(), findings);
            closeAll(first);
            Resumption round = Resumption.fromNow();
            List<SSLSocket> second = connect(factory, server);
            int resumed = 0;
            for (SSLSocket socket : second) {
                resumed += round.resumed(socket.getSession()) ? 1 : 0;
            }
            closeAll(second);
            findings.fact("resumed", resumed);
            findings.require(resumed > 0, "Of " + CONNECTIONS + " connections none was resumed"
                + " (bound 1): the client has no ticket.");
            findings.judgeCount("full_handshakes", CONNECTIONS - resumed, BOUND_HANDSHAKES,
                "handshakes", "Of " + CONNECTIONS
                    + " connections opened at once most were full handshakes",
                "Connections opened at once were resumed");
        }
    }

    private static List<SSLSocket> connect(SSLSocketFactory factory, TlsServer server)
            throws Exception {
        List<SSLSocket> sockets = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            sockets.add(TlsClient.connect(factory, server.address()));
        }
        return sockets;
    }

    private static void closeAll(List<SSLSocket> sockets) throws Exception {
        for (SSLSocket socket : sockets) {
            socket.close();
        }
    }
}
