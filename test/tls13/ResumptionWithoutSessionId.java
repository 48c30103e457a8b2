// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8277881: Missing SessionID in TLS1.3 resumption in compatibility mode
 *
 * What goes wrong: a client that resumes a TLS 1.3 session sends an empty legacy_session_id, though
 * it sends 32 bytes in a full handshake. Middleboxes that take the connection for TLS 1.2 expect
 * them (RFC 8446, appendix D.4), so the second connection to a host fails where the first did not.
 *
 * What it takes: TLS 1.3 and a session that is resumed. The control is TLS 1.2, where a resuming
 * client names the session by its id. The relay reads the ClientHellos.
 *
 * Judged by a count of session ids missing on the wire.
 *
 * Without its precondition
 *     -Dsessions.kept=off: inconclusive: was not resumed
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: negotiated protocol TLSv1.2
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/ResumptionWithoutSessionId.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/ResumptionWithoutSessionId.java
 *     java -cp classes ResumptionWithoutSessionId [CASE]
 * where CASE is tls12 or subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.3+7, Eclipse Adoptium
 *     session_ids_missing = 1 session ids (bound 1)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       resumed: true
 *       first_session_id_bytes: 32
 *       resuming_session_id_bytes: 0
 *       resuming_has_psk: true
 *     reproduced: The ClientHello that resumes has an empty session id (session_ids_missing 1,
 *           bound 1).
 * On a fixed build:
 *     # java: 17.0.7+7, Eclipse Adoptium
 *     session_ids_missing = 0 session ids (bound 1)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       resumed: true
 *       first_session_id_bytes: 32
 *       resuming_session_id_bytes: 32
 *       resuming_has_psk: true
 *     not-reproduced: The ClientHello that resumes has a session id (session_ids_missing 0,
 *           bound 1).
 */

/*
 * @test
 * @bug 8277881
 * @summary A ClientHello that resumes must have a session id as the first one has
 * @key waits
 * @library /lib
 * @run main/othervm ResumptionWithoutSessionId tls12
 * @run main/othervm ResumptionWithoutSessionId subject
 */

import java.util.List;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

public class ResumptionWithoutSessionId {
    private static final int SESSION_ID_BYTES = 32;

    public static void main(String[] args) throws Exception {
        Reproducer.run("ResumptionWithoutSessionId", "JDK-8277881", args,
            ResumptionWithoutSessionId::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLSocketFactory factory = which.clientContext().getSocketFactory();
        try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo);
                RecordRelay relay = new RecordRelay(server.address())) {
            long firstMs = connect(factory, relay, which, findings);
            boolean resumed = connect(factory, relay, which, findings) == firstMs;
            List<ClientHello> hellos = relay.clientHellos();
            findings.fact("resumed", resumed);
            findings.require(resumed && hellos.size() == 2, "The second of 2 connections was "
                + (resumed ? "" : "not ") + "resumed, with " + hellos.size() + " ClientHellos.");
            int firstBytes = hellos.get(0).sessionId.length;
            int secondBytes = hellos.get(1).sessionId.length;
            findings.fact("first_session_id_bytes", firstBytes);
            findings.fact("resuming_session_id_bytes", secondBytes);
            findings.fact("resuming_has_psk", hellos.get(1).has(ClientHello.PRE_SHARED_KEY));
            findings.require(which == Case.TLS12 || firstBytes == SESSION_ID_BYTES,
                "The first ClientHello has a session id of " + firstBytes + " bytes (bound "
                + SESSION_ID_BYTES + "): the client does not use the compatibility mode.");
            findings.judgeCount("session_ids_missing", secondBytes == 0 ? 1 : 0, 1, "session ids",
                "The ClientHello that resumes has an empty session id",
                "The ClientHello that resumes has a session id");
        }
    }

    /** @return when the session was created: a resumed one keeps the time of its first use */
    private static long connect(SSLSocketFactory factory, RecordRelay relay, Case which,
            Findings findings) throws Exception {
        try (SSLSocket socket = TlsClient.connect(factory, relay.address())) {
            TlsClient.exchange(socket);
            which.checkProtocol(socket.getSession(), findings);
            return socket.getSession().getCreationTime();
        }
    }
}
