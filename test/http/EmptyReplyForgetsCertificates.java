// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8376031: HttpsURLConnection.getServerCertificates() throws "java.lang.IllegalStateException:
 *     connection not yet open" for the HEAD method
 *
 * What goes wrong: a reply has no body, as each to HEAD, 204, 304 and one of length 0. The
 * connection goes back to the cache before the caller has asked it anything, and HttpsURLConnection
 * knows of no session any more: getServerCertificates() and the like throw "connection not yet
 * open". A health check that sends HEAD and looks at the certificate's end never sees it.
 *
 * What it takes: such a reply over HTTPS.
 *
 * Control: the reply has a body.
 *
 * Judged by a count of questions about the connection that were refused.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: had 1 bytes
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/http/EmptyReplyForgetsCertificates.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib http/EmptyReplyForgetsCertificates.java
 *     java -cp classes EmptyReplyForgetsCertificates [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 21.0.9+10-LTS, Eclipse Adoptium
 *     questions_refused = 3 questions (bound 1)
 *       body_bytes: 0
 *       refused_with: java.lang.IllegalStateException: connection not yet open
 *     reproduced: After a reply without a body the connection knew nothing of its session
 *         (questions_refused 3, bound 1).
 * On a fixed build:
 *     # java: 21.0.13+9-1-deb13u2-Debian, Debian
 *     questions_refused = 0 questions (bound 1)
 *       body_bytes: 0
 *     not-reproduced: The connection knew its session (questions_refused 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has what the first refused question threw.
 */

/*
 * @test
 * @bug 8376031
 * @summary The certificates of a connection must be known after a reply without a body
 * @key waits
 * @library /lib
 * @run main/othervm EmptyReplyForgetsCertificates control
 * @run main/othervm EmptyReplyForgetsCertificates subject
 */

import java.net.URL;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocket;

public class EmptyReplyForgetsCertificates {
    /** For the kit's own tests: a reply that has a body. */
    private static final boolean DISARMED = "off".equals(System.getProperty("peer.script"));

    private interface Question {
        void ask() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        Reproducer.run("EmptyReplyForgetsCertificates", "JDK-8376031", args,
            EmptyReplyForgetsCertificates::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        String body = which == Case.CONTROL || DISARMED ? "a" : "";
        try (TlsServer server =
                new TlsServer(Identity.serverContext(), socket -> answer(socket, body))) {
            HttpsURLConnection connection = which.client().open(
                new URL("https", "127.0.0.1", server.address().getPort(), "/"),
                Client.PATIENCE_MS);
            long bytes = connection.getContentLength();
            findings.fact("body_bytes", bytes);
            findings.require(which == Case.CONTROL || bytes == 0,
                "The reply had " + bytes + " bytes (bound 0).");
            int refused = isRefused(connection::getServerCertificates, findings)
                + isRefused(connection::getPeerPrincipal, findings)
                + isRefused(connection::getCipherSuite, findings);
            findings.judgeCount("questions_refused", refused, 1, "questions",
                "After a reply without a body the connection knew nothing of its session",
                "The connection knew its session");
        }
    }

    private static int isRefused(Question question, Findings findings) throws Exception {
        try {
            question.ask();
            return 0;
        } catch (IllegalStateException e) {
            findings.fact("refused_with", e.toString());
            return 1;
        }
    }

    private static void answer(SSLSocket socket, String body) throws Exception {
        while (RequestHead.read(socket.getInputStream()) != null) {
            socket.getOutputStream().write(
                ("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                    .getBytes("ISO-8859-1"));
        }
    }
}
