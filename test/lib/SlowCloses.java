// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocketFactory;

/**
 * What if a close takes its time, whatever the protocol? A socket factory for HttpsURLConnection
 * whose sockets speak plain TCP, so that a {@link ScriptedPeer} can answer, and whose first close
 * takes as long as told. It notes who closed which of them.
 */
final class SlowCloses extends SSLSocketFactory {
    private final long closeMs;
    private int created;
    private int closes;
    private int closedNumber;
    private String closedBy = "";
    private boolean closing;

    /** @param closeMs how long the first close takes */
    SlowCloses(long closeMs) {
        this.closeMs = closeMs;
    }

    /** @return whether a close has begun within {@code timeoutMs} */
    synchronized boolean awaitClose(long timeoutMs) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (closes == 0 && System.nanoTime() - deadline < 0) {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, deadline - System.nanoTime()));
        }
        return closes > 0;
    }

    synchronized int closes() {
        return closes;
    }

    /** Is the first close still going on? */
    synchronized boolean closing() {
        return closing;
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
        if (beginClose(number)) {
            try {
                TimeUnit.MILLISECONDS.sleep(closeMs);
            } catch (InterruptedException e) {
                throw new IOException("the slow close was interrupted", e);
            } finally {
                endClose();
            }
        }
    }

    private synchronized boolean beginClose(int number) {
        closes++;
        if (closes == 1) {
            closedBy = Thread.currentThread().getName();
            closedNumber = number;
            closing = true;
            notifyAll();
        }
        return closes == 1;
    }

    private synchronized void endClose() {
        closing = false;
    }

    private static IOException unconnectedOnly() {
        return new IOException("the client is expected to connect the socket itself");
    }
}
