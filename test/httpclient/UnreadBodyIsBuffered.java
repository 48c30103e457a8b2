// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8308144: Uncontrolled memory consumption in SSLFlowDelegate.Reader
 *
 * What goes wrong: an application requests a large body with HttpClient and reads it slowly, or not
 * yet. Over TLS the client reads on all the same, as fast as the server sends, and keeps the
 * decrypted bytes on the heap. Nothing but the memory bounds that.
 *
 * What it takes: https, and bytes that end within a record whenever the client looks. The client
 * then asks for more without checking whether anybody wants it, which happens now and then in any
 * fast transfer. Here the server holds back the last byte of each record until the next one, so
 * that it always happens: with whole records an affected build stopped after 0 to 5 MiB of 8.
 *
 * Control: http.
 *
 * The body is 2 MiB. The buffers of the two sockets, which are set small, and what the client may
 * read ahead add up to less than 300 KiB. No clock decides that the client takes in nothing more:
 * while the server of the body waits, the same client, with its one selector, sends 20 requests to
 * another server, one after the other.
 *
 * With a server that sends no body (-Dbody.sent=off) either case is inconclusive.
 *
 * Judged by a count of KiB taken in; watched until 20 requests by the same client have had their
 * replies and no more KiB were taken in.
 *
 * Without its precondition
 *     -Dbody.sent=off: inconclusive: and the server did not wait for it
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/UnreadBodyIsBuffered.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/UnreadBodyIsBuffered.java
 *     java -cp classes UnreadBodyIsBuffered [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.12+7-Debian-2deb11u1, Debian
 *     kib_taken_in = 2048 KiB (bound 2048)
 *       body_kib: 2048
 *       heap_grew_kib: 4096
 *       requests_without_progress: 0
 *     reproduced: HttpClient took in a whole body that nobody read (kib_taken_in 2048,
 *         bound 2048).
 * On a fixed build:
 *     # java: 17.0.19+10-1-deb12u2-Debian, Debian
 *     kib_taken_in = 272 KiB (bound 2048)
 *       body_kib: 2048
 *       heap_grew_kib: 439
 *       requests_without_progress: 20
 *     not-reproduced: HttpClient did not take in a body that nobody read (kib_taken_in
 *         272, bound 2048).
 *
 * Evidence: outcome.json beside the scratch files has how much the live heap has grown.
 */

/*
 * @test
 * @bug 8308144
 * @summary HttpClient must not take in a body over TLS that nobody reads
 * @key waits memory
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm UnreadBodyIsBuffered control
 * @run main/othervm UnreadBodyIsBuffered subject
 */

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLSocketFactory;

public class UnreadBodyIsBuffered {
    /** For the kit's own tests: a server that sends no body. */
    private static final boolean SENT = !"off".equals(System.getProperty("body.sent"));

    private static final int BODY_KIB = 2048;
    private static final int KIB = 1024;

    // Of both sockets: small, so the server can go on writing as soon as the client has read a bit.
    private static final int BUFFER_BYTES = 64 * KIB;

    // The largest size of a record.
    private static final int WRITE_BYTES = 16 * KIB;

    // A client that reads on takes in dozens of records meanwhile.
    private static final int STILL_REQUESTS = 20;
    private static final long LOOK_EVERY_MS = 20;

    private static final Sign SERVER_WAITS =
        Sign.at(Sign.Place.thread("server-1").and(TimedCall.SOCKET_WRITE));

    private static final AtomicLong TAKEN = new AtomicLong();
    private static final AtomicBoolean SERVED = new AtomicBoolean();

    public static void main(String[] args) throws Exception {
        Reproducer.run("UnreadBodyIsBuffered", "JDK-8308144", args,
            UnreadBodyIsBuffered::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        System.setProperty("jdk.httpclient.receiveBufferSize", Integer.toString(BUFFER_BYTES));
        boolean isTls = which == Case.SUBJECT;
        SSLSocketFactory layers = isTls ? Identity.serverContext().getSocketFactory() : null;
        ServerSocket socket = new ServerOfHolders();
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .sslContext(which.clientContext()).build();
        try (Listener server = new Listener("server", socket,
                    (accepted, number) -> serve((Holder) accepted, layers));
                ScriptedPeer neighbour = new ScriptedPeer("neighbour", Exchange::reply)) {
            server.start();
            HttpRequest other = HttpRequest.newBuilder(neighbour.url("/").toURI()).build();
            client.send(other, BodyHandlers.discarding());
            final long heapBefore = heapBytes();
            HttpResponse<InputStream> reply = client.send(HttpRequest.newBuilder(URI.create(
                (isTls ? "https" : "http") + "://127.0.0.1:" + socket.getLocalPort())).build(),
                BodyHandlers.ofInputStream());
            int still = requestsWithoutProgress(client, other);
            long taken = TAKEN.get() / KIB;
            findings.fact("body_kib", BODY_KIB);
            findings.fact("heap_grew_kib", Math.max(0, heapBytes() - heapBefore) / KIB);
            findings.fact("requests_without_progress", still);
            findings.require(taken >= BODY_KIB || still >= STILL_REQUESTS, "The client had taken"
                + " in " + taken + " KiB, and the server did not wait for it.");
            findings.judgeCount("kib_taken_in", taken, BODY_KIB, "KiB",
                "HttpClient took in a whole body that nobody read",
                "HttpClient did not take in a body that nobody read");
            reply.body().close();
        }
    }

    /** The bytes that are live on the heap. */
    private static long heapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /**
     * Sends requests to a neighbour with the same client, whose one selector gets its turn each
     * time, until the body is sent, or none of it was during many requests in a row.
     */
    private static int requestsWithoutProgress(HttpClient client, HttpRequest other)
            throws IOException, InterruptedException {
        Patience patience = new Patience(Client.PATIENCE_MS);
        int still = 0;
        long before = 0;
        while (still < STILL_REQUESTS && !SERVED.get() && patience.left()) {
            long taken = TAKEN.get();
            if (taken == before && SERVER_WAITS.in(Stacks.now()) != null) {
                client.send(other, BodyHandlers.discarding());
                still++;
            } else {
                Thread.sleep(LOOK_EVERY_MS);
                still = 0;
            }
            before = taken;
        }
        return still;
    }

    private static void serve(Holder plain, SSLSocketFactory layers) throws IOException {
        plain.setSendBufferSize(BUFFER_BYTES);
        Socket socket = layers == null ? plain : layers.createSocket(plain, null, true);
        RequestHead.read(socket.getInputStream());
        long length = (long) BODY_KIB * KIB;
        OutputStream out = socket.getOutputStream();
        out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1));
        plain.holds = true;
        byte[] part = new byte[WRITE_BYTES];
        while (SENT && TAKEN.get() < length) {
            out.write(part);
            TAKEN.addAndGet(part.length);
        }
        SERVED.set(true);
    }

    /** Accepts sockets that hold back a byte. */
    private static final class ServerOfHolders extends ServerSocket {
        ServerOfHolders() throws IOException {
            super(0, Listener.BACKLOG, TlsPeer.loopback());
        }

        @Override
        public Socket accept() throws IOException {
            Holder accepted = new Holder();
            implAccept(accepted);
            return accepted;
        }
    }

    /** Sends the last byte of each write with the next one, so that no record comes whole. */
    private static final class Holder extends Socket {
        volatile boolean holds;
        private byte[] held = new byte[0];

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    int kept = holds && length > 0 ? 1 : 0;
                    byte[] sent = Arrays.copyOf(held, held.length + length - kept);
                    System.arraycopy(bytes, offset, sent, held.length, length - kept);
                    held = Arrays.copyOfRange(bytes, offset + length - kept, offset + length);
                    out.write(sent);
                }
            };
        }
    }
}
