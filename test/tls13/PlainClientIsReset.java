// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8268965: TCP Connection Reset when connecting simple socket to SSL server
 *
 * What goes wrong: a client that knows nothing of TLS sends a request to a TLS server. The server
 * refuses with an alert and closes, without having read all that the client sent. So the system
 * sends RST, and the client gets "Connection reset", which looks like a fault of the network, not
 * like the wrong protocol.
 *
 * What it takes: more bytes than a server reads to see that this is not TLS. All of them have come
 * before the server looks.
 *
 * Control: five bytes, which the server has read when it closes.
 *
 * Judged by a count of resets.
 *
 * Without its precondition
 *     -Drequest.whole=off: inconclusive: had more to read in 0 of 5
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/PlainClientIsReset.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/PlainClientIsReset.java
 *     java -cp classes PlainClientIsReset [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.10+9, AdoptOpenJDK
 *     connections_reset = 5 connections (bound 1)
 *       ends: reset, reset, reset, reset, reset
 *       connections: 5
 *       refused_with_more_to_read: 5
 *     reproduced: The client's connections were reset (connections_reset 5, bound 1).
 * On a fixed build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     connections_reset = 0 connections (bound 1)
 *       ends: end, end, end, end, end
 *       connections: 5
 *       refused_with_more_to_read: 5
 *     not-reproduced: The client's connections were ended (connections_reset 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has how each connection ended for the client.
 */

/*
 * @test
 * @bug 8268965
 * @summary A client without TLS must see the end of its connection, not a reset
 * @key waits
 * @library /lib
 * @run main/othervm PlainClientIsReset control
 * @run main/othervm PlainClientIsReset subject
 */

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

public class PlainClientIsReset {
    private static final int CONNECTIONS = 5;
    private static final int REQUEST_BYTES = 4096;

    private final SSLContext context;

    /** In the control; or for the kit's own tests, where it must make no test pass. */
    private final boolean fewBytes;

    private int waitedForAll;
    private int refused;

    private PlainClientIsReset(Case which) throws Exception {
        context = Identity.serverContext();
        fewBytes = which == Case.CONTROL || "off".equals(System.getProperty("request.whole"));
    }

    public static void main(String[] args) throws Exception {
        Reproducer.run("PlainClientIsReset", "JDK-8268965", args,
            (which, findings) -> new PlainClientIsReset(which).measure(which, findings));
    }

    private void measure(Case which, Findings findings) throws Exception {
        int resets = 0;
        StringBuilder ends = new StringBuilder();
        try (Listener server = new Listener("server",
                new ServerSocket(0, Listener.BACKLOG, TlsPeer.loopback()),
                (accepted, number) -> serve(accepted))) {
            server.start();
            for (int i = 0; i < CONNECTIONS; i++) {
                String end = ask(server);
                resets += end.contains("reset") ? 1 : 0;
                ends.append(i == 0 ? "" : ", ").append(end);
            }
        }
        findings.fact("ends", ends.toString());
        findings.fact("connections", CONNECTIONS);
        synchronized (this) {
            // An affected server resets the connection before it throws.
            Patience patience = new Patience(Client.PATIENCE_MS);
            while (refused < CONNECTIONS && patience.waitOn(this)) { }
            findings.fact("refused_with_more_to_read", waitedForAll);
            findings.require(refused == CONNECTIONS, "The server refused " + refused + " of "
                + CONNECTIONS + " requests.");
            findings.require(which == Case.CONTROL || waitedForAll == CONNECTIONS,
                "The server had more to read in " + waitedForAll + " of " + CONNECTIONS
                + " connections.");
        }
        findings.judgeCount("connections_reset", resets, 1, "connections",
            "The client's connections were reset", "The client's connections were ended");
    }

    /** @return how the connection ended for the client */
    private String ask(Listener server) throws IOException {
        byte[] request = new byte[fewBytes ? TlsRecord.HEADER_BYTES : REQUEST_BYTES];
        Arrays.fill(request, (byte) 'x');
        try (Socket socket = new Socket(TlsPeer.loopback(), server.address().getPort())) {
            socket.setSoTimeout(Client.PATIENCE_MS);
            socket.getOutputStream().write(request);
            while (socket.getInputStream().read() >= 0) { }
            return "end";
        } catch (SocketException e) {
            return "reset";
        }
    }

    /** Waits for the whole request, so that all but the part that TLS looks at is unread. */
    private void serve(Socket accepted) throws IOException, InterruptedException {
        SSLSocket tls = (SSLSocket) context.getSocketFactory()
            .createSocket(accepted, null, accepted.getPort(), true);
        tls.setUseClientMode(false);
        int wanted = fewBytes ? TlsRecord.HEADER_BYTES : REQUEST_BYTES;
        Patience patience = new Patience(Client.PATIENCE_MS);
        synchronized (this) {
            while (accepted.getInputStream().available() < wanted && patience.waitOn(this)) { }
            waitedForAll += accepted.getInputStream().available() == REQUEST_BYTES ? 1 : 0;
        }
        try {
            tls.startHandshake();
        } catch (IOException e) {
            synchronized (this) {
                refused++;
                notifyAll();
            }
        } finally {
            tls.close();
        }
    }
}
