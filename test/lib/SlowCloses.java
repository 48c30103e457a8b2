// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSocketFactory;

/**
 * What if a close takes its time, whatever the protocol? A socket factory for HttpsURLConnection
 * whose sockets speak plain TCP, so that a {@link ScriptedPeer} can answer. The first close lasts
 * until {@link #letGo}, except in the thread that made the factory, which would wait for itself.
 * The factory records which thread closed which socket first.
 */
final class SlowCloses extends SSLSocketFactory {
    /** A thread that closes a socket of this factory, or of any other. */
    static final Sign.Place CLOSE = Sign.Place.in(SlowCloses.class.getName(), "close");

    private final Thread maker = Thread.currentThread();
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private int created;
    private int closes;
    private int closedNumber;
    private String closedBy = "";

    /** @return whether a close has begun within {@code timeoutMs} */
    synchronized boolean awaitClose(long timeoutMs) throws InterruptedException {
        Patience patience = new Patience(timeoutMs);
        while (closes == 0 && patience.waitOn(this)) { }
        return closes > 0;
    }

    /** Lets the first close end, even if it has not begun yet. */
    void letGo() {
        mayEnd.countDown();
    }

    synchronized int closes() {
        return closes;
    }

    /** The thread of the first close. */
    synchronized String closedBy() {
        return closedBy;
    }

    /** The number, from 1 in order of creation, of the socket closed first. */
    synchronized int closedNumber() {
        return closedNumber;
    }

    @Override
    public synchronized Socket createSocket() {
        return new PlainSslSocket(++created, this::close);
    }

    @Override
    public Socket createSocket(Socket layered, String host, int port, boolean autoClose)
            throws IOException {
        throw new IOException("the client wants to wrap a socket that is plain on purpose");
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        throw unconnectedOnly();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort)
            throws IOException {
        throw unconnectedOnly();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        throw unconnectedOnly();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
            throws IOException {
        throw unconnectedOnly();
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return new String[] {PlainSslSocket.CIPHER};
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return getDefaultCipherSuites();
    }

    private void close(int number) throws IOException {
        if (isFirst(number) && Thread.currentThread() != maker) {
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new IOException("the slow close was interrupted", e);
            }
        }
    }

    private synchronized boolean isFirst(int number) {
        closes++;
        if (closes == 1) {
            closedBy = Thread.currentThread().getName();
            closedNumber = number;
            notifyAll();
        }
        return closes == 1;
    }

    private static IOException unconnectedOnly() {
        return new IOException("the client is expected to connect the socket itself");
    }
}
