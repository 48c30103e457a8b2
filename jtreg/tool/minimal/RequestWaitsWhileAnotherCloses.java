// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

public class RequestWaitsWhileAnotherCloses {
    private static final long BOUND_MS = 1_500;
    private static final long LOOK_EVERY_MS = 25;

    // The timeout outlasts the run, so that the cache's timer closes nothing meanwhile.
    private static final byte[] REPLY = ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n"
        + "Connection: keep-alive\r\nKeep-Alive: timeout=600\r\n\r\nx")
        .getBytes(StandardCharsets.ISO_8859_1);

    private static final SlowCloses SOCKETS = new SlowCloses();

    public static void main(String[] args) throws Exception {
        // Of two connections to one host the cache keeps one and closes the other.
        System.setProperty("http.maxConnections", "1");
        Reproducer.run("RequestWaitsWhileAnotherCloses", "JDK-8293562", args,
            RequestWaitsWhileAnotherCloses::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (ServerSocket crowded = serve(); ServerSocket other = serve()) {
            HttpsURLConnection first = open(crowded);
            HttpsURLConnection second = open(crowded);
            drain(first);
            FutureTask<Integer> returning = new FutureTask<>(() -> drain(second));
            TlsPeer.daemon("returner", returning).start();
            findings.require(SOCKETS.closing.await(20, TimeUnit.SECONDS),
                "Neither connection was closed for a cache with one slot.");
            FutureTask<Integer> request = new FutureTask<>(() -> drain(open(other)));
            Thread requester = TlsPeer.daemon("request-to-other", request);
            requester.start();
            // The close lasts until the request is done, or was seen locked out for long enough.
            long seenMs = 0;
            while (!request.isDone() && seenMs < BOUND_MS) {
                Thread.sleep(LOOK_EVERY_MS);
                ThreadInfo waiter =
                    ManagementFactory.getThreadMXBean().getThreadInfo(requester.getId());
                seenMs += waiter != null && waiter.getLockOwnerId() == SOCKETS.closer
                    ? LOOK_EVERY_MS : 0;
            }
            SOCKETS.mayEnd.countDown();
            request.get();
            returning.get();
            findings.judgeCount("seen_locked_out_ms", seenMs, BOUND_MS, "ms",
                "A request to one host waited while a connection to another closed",
                "A request to one host did not wait while a connection to another closed");
        }
    }

    private static HttpsURLConnection open(ServerSocket peer) throws IOException {
        URL url = new URL("https", "127.0.0.1", peer.getLocalPort(), "/");
        HttpsURLConnection connection = (HttpsURLConnection) url.openConnection();
        connection.setSSLSocketFactory(SOCKETS);
        connection.setHostnameVerifier((host, session) -> true);
        connection.setReadTimeout(20_000);
        connection.getResponseCode();
        return connection;
    }

    /** Reads the reply to its end, which hands the connection back to the cache. */
    private static int drain(HttpsURLConnection connection) throws IOException {
        InputStream body = connection.getInputStream();
        int bytes = 0;
        while (body.read() >= 0) {
            bytes++;
        }
        return bytes;
    }

    /** A server that answers every request alike. */
    private static ServerSocket serve() throws IOException {
        ServerSocket listener = new ServerSocket(0, 10, TlsPeer.loopback());
        TlsPeer.daemon("accept", () -> {
            while (!listener.isClosed()) {
                try {
                    Socket socket = listener.accept();
                    TlsPeer.daemon("peer", () -> answer(socket)).start();
                } catch (IOException e) {
                    return;
                }
            }
        }).start();
        return listener;
    }

    private static void answer(Socket socket) {
        try {
            int lineEnds = 0;   // two in a row end a request
            for (int next = socket.getInputStream().read(); next >= 0;
                    next = socket.getInputStream().read()) {
                lineEnds = next == '\n' ? lineEnds + 1 : next == '\r' ? lineEnds : 0;
                if (lineEnds == 2) {
                    socket.getOutputStream().write(REPLY);
                }
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    /** Makes sockets, the first close of which lasts until {@code mayEnd}. */
    private static final class SlowCloses extends SSLSocketFactory {
        final CountDownLatch closing = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        volatile long closer;

        void close() throws IOException {
            if (closing.getCount() == 0) {
                return;
            }
            closer = Thread.currentThread().getId();
            closing.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        @Override
        public Socket createSocket() {
            return new PlainSslSocket();
        }

        @Override
        public Socket createSocket(Socket layered, String host, int port, boolean autoClose) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress from, int fromPort) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return new String[0];
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return new String[0];
        }
    }

    /** Claims to be a TLS socket, but speaks plain TCP. */
    private static final class PlainSslSocket extends SSLSocket {
        @Override
        public void close() throws IOException {
            if (!isClosed()) {
                SOCKETS.close();
            }
            super.close();
        }

        @Override
        public SSLSession getSession() {
            try {
                return SSLContext.getDefault().createSSLEngine().getSession();
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void startHandshake() { }

        @Override
        public String[] getSupportedCipherSuites() {
            return new String[0];
        }

        @Override
        public String[] getEnabledCipherSuites() {
            return new String[0];
        }

        @Override
        public void setEnabledCipherSuites(String[] suites) { }

        @Override
        public String[] getSupportedProtocols() {
            return new String[0];
        }

        @Override
        public String[] getEnabledProtocols() {
            return new String[0];
        }

        @Override
        public void setEnabledProtocols(String[] protocols) { }

        @Override
        public void addHandshakeCompletedListener(HandshakeCompletedListener listener) { }

        @Override
        public void removeHandshakeCompletedListener(HandshakeCompletedListener listener) { }

        @Override
        public void setUseClientMode(boolean mode) { }

        @Override
        public boolean getUseClientMode() {
            return true;
        }

        @Override
        public void setNeedClientAuth(boolean need) { }

        @Override
        public boolean getNeedClientAuth() {
            return false;
        }

        @Override
        public void setWantClientAuth(boolean want) { }

        @Override
        public boolean getWantClientAuth() {
            return false;
        }

        @Override
        public void setEnableSessionCreation(boolean flag) { }

        @Override
        public boolean getEnableSessionCreation() {
            return true;
        }
    }
}
