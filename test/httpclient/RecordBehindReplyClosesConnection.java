// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8330572: jdk.internal.net.http.HttpConnection calls an expensive checkOpen() when returning
 *     a HTTP/1.1 connection to the pool
 *
 * What goes wrong: before a connection goes back to the pool, HttpClient reads a byte from its
 * channel to see whether the peer has ended it. If there is a byte, it takes the connection for
 * broken and closes it: the next request makes a new one, with a handshake of its own. Over TLS 1.3
 * the byte may be the first of a record that has nothing to do with the reply, such as a
 * NewSessionTicket, which a server may send at any time (RFC 8446, section 4.6.1). The server of
 * JDK 17.0.21.1 sends one before its first reply, and one right behind it.
 *
 * What it takes: HTTP/1.1 over TLS 1.3, and a record that comes after the last one of a reply,
 * while the reply is still being handed to the body's subscriber. Here it is a KeyUpdate (section
 * 4.6.3), which JSSE sends on request.
 *
 * Control: the same record, sent once the connection is back in the pool.
 *
 * Judged by a count of connections not reused.
 *
 * Without its precondition
 *     -Drecord.sent=off: inconclusive: 0 records of TLSv1.3 followed a reply
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/RecordBehindReplyClosesConnection.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/RecordBehindReplyClosesConnection.java
 *     java -cp classes RecordBehindReplyClosesConnection [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     connections_not_reused = 3 connections (bound 3)
 *       protocol: TLSv1.3
 *       requests: 4
 *       records_behind: 4
 *       connections: 4
 *       ended_by_client: 4
 *     reproduced: Each request made a connection of its own (connections_not_reused 3,
 *         bound 3).
 * On a fixed build:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     connections_not_reused = 0 connections (bound 3)
 *       protocol: TLSv1.3
 *       requests: 4
 *       records_behind: 4
 *       connections: 1
 *       ended_by_client: 0
 *     not-reproduced: Connections were reused (connections_not_reused 0, bound 3).
 *
 * Evidence: outcome.json beside the scratch files has the number of connections that the server
 * saw, and how many of them the client ended during the test.
 */

/*
 * @test
 * @bug 8330572
 * @summary HttpClient must reuse a connection on which a record of TLS 1.3 follows the reply
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm RecordBehindReplyClosesConnection control
 * @run main/othervm RecordBehindReplyClosesConnection subject
 */

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;

public class RecordBehindReplyClosesConnection {
    /** For the kit's own tests: a server that sends nothing behind its replies. */
    private static final boolean SENT = !"off".equals(System.getProperty("record.sent"));

    private static final int REQUESTS = 4;

    // Pause after a reply, for the connection to go back to the pool.
    private static final long PAUSE_MS = 200;

    /** The client has a body, or the server has sent a record; each side awaits the other's. */
    private static final Semaphore BODY = new Semaphore(0);
    private static final Semaphore RECORD = new Semaphore(0);

    private static final AtomicInteger CONNECTIONS = new AtomicInteger();
    private static final AtomicInteger RECORDS = new AtomicInteger();
    private static final AtomicInteger ENDED = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Reproducer.run("RecordBehindReplyClosesConnection", "JDK-8330572", args,
            RecordBehindReplyClosesConnection::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (TlsServer server = new TlsServer(Identity.serverContext(),
                RecordBehindReplyClosesConnection::serve)) {
            HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .sslContext(which.clientContext()).build();
            HttpRequest request = HttpRequest.newBuilder(
                URI.create("https://127.0.0.1:" + server.address().getPort() + "/")).build();
            String protocol = "";
            for (int i = 0; i < REQUESTS; i++) {
                protocol = client.send(request, head -> new Reader(which)).sslSession()
                    .orElseThrow(IllegalStateException::new).getProtocol();
                if (which == Case.CONTROL) {
                    Thread.sleep(PAUSE_MS);
                    recordSent();
                }
                Thread.sleep(PAUSE_MS);
            }
            findings.fact("protocol", protocol);
            findings.fact("requests", REQUESTS);
            findings.fact("records_behind", RECORDS.get());
            findings.fact("connections", CONNECTIONS.get());
            findings.fact("ended_by_client", ENDED.get());
            findings.require(RECORDS.get() == REQUESTS && "TLSv1.3".equals(protocol),
                RECORDS + " records of " + protocol + " followed a reply (bound " + REQUESTS
                    + ").");
            findings.judgeCount("connections_not_reused", CONNECTIONS.get() - 1, REQUESTS - 1,
                "connections", "Each request made a connection of its own",
                "Connections were reused");
        }
    }

    /** Makes the server send its record; returns once it is sent. */
    private static void recordSent() throws InterruptedException {
        BODY.release();
        RECORD.tryAcquire(Client.PATIENCE_MS, TimeUnit.MILLISECONDS);
    }

    private static void serve(SSLSocket socket) throws IOException, InterruptedException {
        CONNECTIONS.incrementAndGet();
        while (isAsked(socket)) {
            // One write is one record: a client that has its last byte has read all of it.
            socket.getOutputStream().write(
                ("HTTP/1.1 200 OK\r\nContent-Length: " + Exchange.BODY_BYTES + "\r\n\r\n"
                    + Exchange.body(Exchange.BODY_BYTES)).getBytes(StandardCharsets.ISO_8859_1));
            BODY.acquire();
            if (SENT) {
                socket.startHandshake();
                RECORDS.incrementAndGet();
            }
            RECORD.release();
        }
    }

    /** Is there another request? If not, the client has ended the connection in some way. */
    private static boolean isAsked(SSLSocket socket) {
        try {
            if (RequestHead.read(socket.getInputStream()) != null) {
                return true;
            }
        } catch (IOException ended) {
            // for example without close_notify, as the client has lost a byte
        }
        ENDED.incrementAndGet();
        return false;
    }

    /** Receives a body; the subject holds on to the last part until the server's record is sent. */
    private static final class Reader implements BodySubscriber<Integer> {
        private final CompletableFuture<Integer> whole = new CompletableFuture<>();
        private final Case which;
        private int bytes;

        Reader(Case which) {
            this.which = which;
        }

        @Override
        public CompletionStage<Integer> getBody() {
            return whole;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> parts) {
            for (ByteBuffer part : parts) {
                bytes += part.remaining();
            }
            if (which == Case.SUBJECT && bytes == Exchange.BODY_BYTES) {
                try {
                    recordSent();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        @Override
        public void onError(Throwable problem) {
            whole.completeExceptionally(problem);
        }

        @Override
        public void onComplete() {
            whole.complete(bytes);
        }
    }
}
