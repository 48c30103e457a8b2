// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8282600: SSLSocketImpl should not use user_canceled workaround when not necessary
 *
 * What goes wrong: a client that closes sends a user_canceled alert before its close_notify, which
 * makes some peers answer. It does so even if the peer has already closed its side, and peers that
 * take the alert for an error then report one.
 *
 * What it takes: TLS 1.3, and a peer that closes its side first. The control is TLS 1.2, in which
 * the JDK sends no such alert then. The relay counts the records that the client sends after it has
 * read the end of the stream: TLS 1.3 alerts are encrypted, so they show as application_data.
 *
 * Judged by a count of records on the wire.
 *
 * Without its precondition
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: negotiated protocol TLSv1.2
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/HalfClosedPeerGetsUserCanceled.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/HalfClosedPeerGetsUserCanceled.java
 *     java -cp classes HalfClosedPeerGetsUserCanceled [CASE]
 * where CASE is tls12 or subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.3+7, Eclipse Adoptium
 *     records_after_the_end = 2 records (bound 2)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       records_after_the_end: [application_data, 35 bytes, application_data, 35 bytes]
 *     reproduced: A peer that had closed its side got user_canceled before close_notify
 *           (records_after_the_end 2, bound 2).
 * On a fixed build:
 *     # java: 17.0.7+7, Eclipse Adoptium
 *     records_after_the_end = 1 records (bound 2)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       records_after_the_end: [application_data, 35 bytes]
 *     not-reproduced: A peer that had closed its side got no more than close_notify
 *           (records_after_the_end 1, bound 2).
 */

/*
 * @test
 * @bug 8282600
 * @summary A peer that has closed its side must get close_notify alone
 * @key waits
 * @library /lib
 * @run main/othervm HalfClosedPeerGetsUserCanceled tls12
 * @run main/othervm HalfClosedPeerGetsUserCanceled subject
 */

import java.util.List;
import javax.net.ssl.SSLSocket;

public class HalfClosedPeerGetsUserCanceled {
    // A fixed build sends one record (close_notify), an affected one two (user_canceled before it).
    private static final long BOUND_RECORDS = 2;

    private static final long CLOSED_WITHIN_MS = 10_000;

    public static void main(String[] args) throws Exception {
        Reproducer.run("HalfClosedPeerGetsUserCanceled", "JDK-8282600", args,
            HalfClosedPeerGetsUserCanceled::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (TlsServer server = new TlsServer(Identity.serverContext(),
                    HalfClosedPeerGetsUserCanceled::closeFirst);
                RecordRelay relay = new RecordRelay(server.address())) {
            SSLSocket socket = TlsClient.connect(
                which.clientContext().getSocketFactory(), relay.address());
            TlsClient.exchange(socket);
            which.checkProtocol(socket.getSession(), findings);
            int end = socket.getInputStream().read();
            findings.require(end == -1, "The peer was to close its side, and sent " + end + ".");
            int before = relay.fromClient().size();
            socket.close();
            findings.require(relay.awaitClientFins(1, CLOSED_WITHIN_MS),
                "The client's FIN did not come within " + CLOSED_WITHIN_MS + " ms.");
            List<TlsRecord> sent = relay.fromClient();
            sent = sent.subList(before, sent.size());
            findings.fact("records_after_the_end", sent.toString());
            findings.require(which == Case.TLS12 || !sent.isEmpty(),
                "The client sent no record after the end, not even close_notify (bound 1).");
            findings.judgeCount("records_after_the_end", sent.size(), BOUND_RECORDS, "records",
                "A peer that had closed its side got user_canceled before close_notify",
                "A peer that had closed its side got no more than close_notify");
        }
    }

    /** Answers one byte, ends its own side, and reads until the client has ended the other. */
    private static void closeFirst(SSLSocket socket) throws Exception {
        socket.getOutputStream().write(socket.getInputStream().read());
        socket.shutdownOutput();
        while (socket.getInputStream().read() >= 0) { }
    }
}
