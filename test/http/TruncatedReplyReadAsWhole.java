// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8335135: HttpURLConnection#HttpInputStream does not throw IOException when response is
 * truncated
 *
 * What goes wrong: a reply announces Content-Length 100, and the connection ends after 50 bytes.
 * The client returns -1, as at the end of a whole body, so an application takes half a file for the
 * whole.
 *
 * What it takes: a server, or a middlebox, that ends the connection in mid-body.
 *
 * Control: the whole body comes before the connection ends.
 *
 * Judged by a count of missing bytes that went unnoticed.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: announced 64 bytes
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/http/TruncatedReplyReadAsWhole.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib http/TruncatedReplyReadAsWhole.java
 *     java -cp classes TruncatedReplyReadAsWhole [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     bytes_missing_unnoticed = 50 bytes (bound 1)
 *       announced_bytes: 100
 *       sent_bytes: 50
 *       read_bytes: 50
 *     reproduced: A truncated reply was read as a whole one (bytes_missing_unnoticed 50, bound 1).
 * On a fixed build:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     bytes_missing_unnoticed = 0 bytes (bound 1)
 *       announced_bytes: 100
 *       sent_bytes: 50
 *       thrown: java.io.IOException: Premature EOF
 *     not-reproduced: Nothing was missing without an exception (bytes_missing_unnoticed 0, bound
 *         1).
 *
 * Evidence: outcome.json beside the scratch files has the bytes read and what was thrown, if
 * anything.
 */

/*
 * @test
 * @bug 8335135
 * @summary A truncated reply must not be read as a whole one
 * @key waits
 * @library /lib
 * @run main/othervm TruncatedReplyReadAsWhole control
 * @run main/othervm TruncatedReplyReadAsWhole subject
 */

import java.io.IOException;
import java.net.HttpURLConnection;

public class TruncatedReplyReadAsWhole {
    private static final int ANNOUNCED_BYTES = 100;
    private static final int SENT_BYTES = 50;

    public static void main(String[] args) throws Exception {
        Reproducer.run("TruncatedReplyReadAsWhole", "JDK-8335135", args,
            TruncatedReplyReadAsWhole::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        int sent = which == Case.SUBJECT ? SENT_BYTES : ANNOUNCED_BYTES;
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(sent, exchange))) {
            HttpURLConnection connection = PlainClient.prepare(peer.url("/"));
            findings.fact("announced_bytes", connection.getContentLength());
            findings.fact("sent_bytes", sent);
            findings.require(connection.getContentLength() == ANNOUNCED_BYTES,
                "The reply announced " + connection.getContentLength() + " bytes (bound "
                + ANNOUNCED_BYTES + ").");
            int missing = 0;
            try {
                int read = PlainClient.drain(connection.getInputStream());
                findings.fact("read_bytes", read);
                findings.require(read == sent,
                    "The client read " + read + " bytes (bound " + sent + ").");
                missing = ANNOUNCED_BYTES - read;
            } catch (IOException e) {
                findings.fact("thrown", e.toString());
                // Only a truncated body may fail: a whole one must be read without an error.
                findings.require(sent < ANNOUNCED_BYTES, "A whole reply ended with " + e + ".");
            }
            findings.judgeCount("bytes_missing_unnoticed", missing, 1, "bytes",
                "A truncated reply was read as a whole one",
                "Nothing was missing without an exception");
        }
    }

    private static void answer(int bytes, Exchange exchange) throws IOException {
        exchange.send("HTTP/1.1 200 OK\r\nContent-Length: " + ANNOUNCED_BYTES + "\r\n\r\n"
            + Exchange.body(bytes));
        exchange.end();
    }
}
