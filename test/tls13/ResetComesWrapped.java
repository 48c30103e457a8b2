// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8259662: Don't wrap SocketException into SSLException in SSLSocketImpl
 *
 * What goes wrong: the peer resets the connection while the client reads. A plain socket throws
 * SocketException, on which clients retry. An SSLSocket throws an SSLException with that as its
 * cause, which clients take for a fault of TLS, so they give up.
 *
 * What it takes: a read that meets the peer's RST. Any version of TLS.
 *
 * Control: a plain socket.
 *
 * Judged by a count of resets that came as an SSLException.
 *
 * Without its precondition
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: negotiated protocol TLSv1.2
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/ResetComesWrapped.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/ResetComesWrapped.java
 *     java -cp classes ResetComesWrapped [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.10+9, AdoptOpenJDK
 *     resets_wrapped = 1 exceptions (bound 1)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_128_GCM_SHA256
 *       thrown: javax.net.ssl.SSLException: Connection reset
 *       cause: java.net.SocketException: Connection reset
 *     reproduced: The reset came wrapped into an SSLException (resets_wrapped 1, bound
 *         1).
 * On a fixed build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     resets_wrapped = 0 exceptions (bound 1)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       thrown: java.net.SocketException: Connection reset
 *       cause: null
 *     not-reproduced: The reset came as a SocketException (resets_wrapped 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the exception and its cause.
 */

/*
 * @test
 * @bug 8259662
 * @summary A read from a connection that was reset must throw SocketException
 * @key waits
 * @library /lib
 * @run main/othervm ResetComesWrapped control
 * @run main/othervm ResetComesWrapped subject
 */

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

public class ResetComesWrapped {
    private final CountDownLatch reads = new CountDownLatch(1);

    public static void main(String[] args) throws Exception {
        Reproducer.run("ResetComesWrapped", "JDK-8259662", args,
            (which, findings) -> new ResetComesWrapped().measure(which, findings));
    }

    private void measure(Case which, Findings findings) throws Exception {
        IOException thrown;
        try (Listener peer = new Listener("peer",
                new ServerSocket(0, Listener.BACKLOG, TlsPeer.loopback()),
                (accepted, number) -> reset(which, accepted))) {
            peer.start();
            thrown = which == Case.SUBJECT
                ? overTls(which, findings, peer.address()) : plainly(peer.address());
        }
        findings.fact("thrown", String.valueOf(thrown));
        findings.fact("cause", thrown == null ? "" : String.valueOf(thrown.getCause()));
        findings.require(thrown != null, "A read from a connection that was reset threw nothing.");
        findings.require(thrown instanceof SocketException
                || thrown instanceof SSLException && thrown.getCause() instanceof SocketException,
            "The read ended with " + thrown + ".");
        findings.judgeCount("resets_wrapped", thrown instanceof SSLException ? 1 : 0, 1,
            "exceptions", "The reset came wrapped into an SSLException",
            "The reset came as a SocketException");
    }

    private IOException overTls(Case which, Findings findings, InetSocketAddress peer)
            throws Exception {
        SSLSocket socket = TlsClient.connect(which.clientContext().getSocketFactory(), peer);
        TlsClient.exchange(socket);
        which.checkProtocol(socket.getSession(), findings);
        return readUntilReset(socket);
    }

    private IOException plainly(InetSocketAddress peer) throws Exception {
        Socket socket = new Socket(peer.getAddress(), peer.getPort());
        socket.setSoTimeout(Client.PATIENCE_MS);
        return readUntilReset(socket);
    }

    /** With SO_LINGER of 0, closing the socket below TLS sends RST, and nothing before it. */
    private void reset(Case which, Socket accepted) throws Exception {
        if (which == Case.SUBJECT) {
            SSLSocket tls = (SSLSocket) Identity.serverContext().getSocketFactory()
                .createSocket(accepted, null, accepted.getPort(), false);
            tls.setUseClientMode(false);
            tls.getOutputStream().write(tls.getInputStream().read());
        }
        reads.await();
        accepted.setSoLinger(true, 0);
        accepted.close();
    }

    /** @return what the read threw; null if it ended otherwise */
    private IOException readUntilReset(Socket socket) {
        reads.countDown();
        try {
            socket.getInputStream().read();
            return null;
        } catch (IOException e) {
            return e;
        }
    }
}
