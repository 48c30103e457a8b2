// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8298381: Improve handling of session tickets for multiple SSLContexts
 *
 * What goes wrong: the JVM has one number for the current ticket key, but each SSLContext has its
 * own table of keys. Two server contexts used in turn never find their current key: each handshake
 * makes a new one, which is kept for a day, and looks through all of them. Memory and the time of a
 * handshake grow with every connection.
 *
 * What it takes: TLS 1.3 and two server contexts in one JVM, as in a server with two certificates.
 * In the control there is one. No network.
 *
 * Judged by a count of live objects.
 *
 * Without its precondition
 *     -Djdk.tls.server.enableSessionTicketExtension=false: not-applicable: makes no stateless
 *         tickets
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: negotiated protocol TLSv1.2
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/TicketKeysPileUp.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/TicketKeysPileUp.java
 *     java -cp classes TicketKeysPileUp [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.12+7-Debian-2deb11u1, Debian
 *     ticket_keys = 40 live objects (bound 20)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       handshakes: 40
 *     reproduced: Each handshake left a ticket key behind (ticket_keys 40, bound 20).
 * On a fixed build:
 *     # java: 17.0.19+10-1-deb12u2-Debian, Debian
 *     ticket_keys = 2 live objects (bound 20)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       handshakes: 40
 *     not-reproduced: There are about as many ticket keys as contexts (ticket_keys 2, bound 20).
 *
 * Evidence: the class histogram of the JVM, jcmd PID GC.class_histogram.
 */

/*
 * @test
 * @bug 8298381
 * @summary Ticket keys must not pile up with several server contexts
 * @key memory
 * @library /lib
 * @run main/othervm TicketKeysPileUp control
 * @run main/othervm TicketKeysPileUp subject
 */

import javax.management.JMException;
import javax.net.ssl.SSLContext;

public class TicketKeysPileUp {
    private static final int HANDSHAKES = 40;

    // An affected build has a key for each handshake, a fixed one a key for each context: 2.
    private static final long BOUND_KEYS = 20;

    private static final String KEY = "sun.security.ssl.SessionTicketExtension$StatelessKey";

    public static void main(String[] args) throws Exception {
        Reproducer.run("TicketKeysPileUp", "JDK-8298381", args, TicketKeysPileUp::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLContext client = which.clientContext();
        SSLContext one = Identity.serverContext();
        SSLContext other = which == Case.CONTROL ? one : Identity.serverContext();
        for (int i = 0; i < HANDSHAKES; i++) {
            // A port for each context, so that the client does not give one's ticket to the other.
            EnginePair pair = new EnginePair(client, i % 2 == 0 ? one : other, "peer.example",
                443 + i % 2).handshake().exchange();
            if (i == 0) {
                which.checkProtocol(pair.client.getSession(), findings);
                checkTickets();
            }
            pair.close();
        }
        findings.fact("handshakes", HANDSHAKES);
        findings.judgeCount("ticket_keys", LiveObjects.count(KEY), BOUND_KEYS, "live objects",
            "Each handshake left a ticket key behind",
            "There are about as many ticket keys as contexts");
    }

    private static void checkTickets() throws JMException {
        if (LiveObjects.count(KEY) == 0) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE,
                "The server makes no stateless tickets, so it has no ticket keys.");
        }
    }
}
