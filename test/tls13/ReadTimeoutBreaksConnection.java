// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8239798: SSLSocket closes socket both socket endpoints on a SocketTimeoutException
 *
 * What goes wrong: a read timeout in the middle of a TLS record is reported as an SSLException and
 * ends the connection. It should be a SocketTimeoutException, upon which the application can go on
 * reading.
 *
 * What it takes: a read timeout, and a record whose first half comes in time and whose second half
 * comes too late (here the relay stops in between). Any version of TLS.
 *
 * Judged by a count of connections on which the next read gives no data.
 *
 * Without its precondition
 *     -Drelay.hold=off: inconclusive: The relay did not stop
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/ReadTimeoutBreaksConnection.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/ReadTimeoutBreaksConnection.java
 *     java -cp classes ReadTimeoutBreaksConnection [CASE]
 * where CASE is control (the whole record comes too late, which no build minds) or subject (the
 * default).
 *
 * On an affected build:
 *     # java: 1.8.0_504-8u504-ga-1-b01, Debian
 *     connections_broken = 1 connections (bound 1)
 *       protocol: TLSv1.3
 *       first_read: javax.net.ssl.SSLException: Read timed out
 *       second_read: java.net.SocketException: Socket is closed
 *     reproduced: A read timeout within a record broke the connection (connections_broken 1,
 *           bound 1).
 * On a fixed build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     connections_broken = 0 connections (bound 1)
 *       protocol: TLSv1.3
 *       first_read: SocketTimeoutException
 *       second_read: 7
 *     not-reproduced: After a read timeout within a record the next read gave the data
 *           (connections_broken 0, bound 1).
 */

/*
 * @test
 * @bug 8239798
 * @summary A read timeout within a record must leave the connection usable
 * @key waits
 * @library /lib
 * @run main/othervm ReadTimeoutBreaksConnection control
 * @run main/othervm ReadTimeoutBreaksConnection subject
 */

import java.io.IOException;
import java.net.SocketTimeoutException;
import javax.net.ssl.SSLSocket;

public class ReadTimeoutBreaksConnection {
    private static final int READ_TIMEOUT_MS = 600;

    // The relay stops when the record comes, which is at once.
    private static final long STOPPED_WITHIN_MS = 5_000;

    private static final String TIMEOUT = "SocketTimeoutException";

    // Beyond the header, so that the client knows how much is to come and waits for it.
    private static final int HALF_BYTES = TlsRecord.HEADER_BYTES + 4;

    public static void main(String[] args) throws Exception {
        Reproducer.run("ReadTimeoutBreaksConnection", "JDK-8239798", args,
            ReadTimeoutBreaksConnection::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo);
                RecordRelay relay = new RecordRelay(server.address())) {
            SSLSocket socket = TlsClient.connect(
                which.clientContext().getSocketFactory(), relay.address());
            TlsClient.exchange(socket);
            findings.fact("protocol", socket.getSession().getProtocol());
            relay.stopInNextRecord(which == Case.CONTROL ? 0 : HALF_BYTES);
            socket.getOutputStream().write(7);
            // Before the read: otherwise the timeout could expire before the first half has come.
            findings.require(relay.awaitStopped(STOPPED_WITHIN_MS),
                "The relay did not stop in the record within " + STOPPED_WITHIN_MS + " ms.");
            String first = read(socket, READ_TIMEOUT_MS);
            findings.fact("first_read", first);
            findings.require(!first.equals("7"),
                "The first read gave " + first + " (bound: a timeout).");
            relay.goOn();
            String second = read(socket, Client.PATIENCE_MS);
            findings.fact("second_read", second);
            // The relay or the JVM may have stalled; a broken connection throws something else.
            findings.require(!second.equals(TIMEOUT), "The second read timed out, too.");
            findings.judgeCount("connections_broken", second.equals("7") ? 0 : 1, 1,
                "connections", "A read timeout within a record broke the connection",
                "After a read timeout within a record the next read gave the data");
        }
    }

    /** What one read gives, as text: the byte, or the exception. */
    private static String read(SSLSocket socket, int timeoutMs) {
        try {
            socket.setSoTimeout(timeoutMs);
            return String.valueOf(socket.getInputStream().read());
        } catch (SocketTimeoutException e) {
            return TIMEOUT;
        } catch (IOException e) {
            return e.toString();
        }
    }
}
