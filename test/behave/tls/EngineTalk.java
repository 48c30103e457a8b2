// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/**
 * How do two engines of the same JDK get on? One thread drives both; each side's records and the
 * first exception of each are kept. What one side sends waits until the other reads it.
 */
final class EngineTalk {
    private static final int MOST_STEPS = 2_000;

    final Side client;
    final Side server;

    /** One of the two. */
    static final class Side {
        final SSLEngine engine;
        final ByteArrayOutputStream sent = new ByteArrayOutputStream();
        private ByteBuffer toRead = ByteBuffer.allocate(0);
        final ByteArrayOutputStream read = new ByteArrayOutputStream();
        String failure = "";
        private Side other;

        private Side(SSLEngine engine) {
            this.engine = engine;
        }

        /** Sends these, as many records as it takes. */
        void send(byte[] bytes) {
            ByteBuffer from = ByteBuffer.wrap(bytes);
            while (from.hasRemaining() && wrap(from)) { }
        }

        private boolean wrap(ByteBuffer from) {
            ByteBuffer out = ByteBuffer.allocate(70_000);
            try {
                engine.wrap(from, out);
            } catch (IOException | RuntimeException e) {
                fail(e);
                return false;
            }
            out.flip();
            byte[] bytes = new byte[out.remaining()];
            out.get(bytes);
            sent.write(bytes, 0, bytes.length);
            other.receive(bytes);
            return bytes.length > 0;
        }

        private void receive(byte[] bytes) {
            ByteBuffer joined = ByteBuffer.allocate(toRead.remaining() + bytes.length);
            joined.put(toRead).put(bytes).flip();
            toRead = joined;
        }

        /** Changes what this side has still to read. */
        void flipLastBit() {
            toRead.put(toRead.limit() - 1, (byte) (toRead.get(toRead.limit() - 1) ^ 1));
        }

        private boolean unwrap() {
            ByteBuffer out = ByteBuffer.allocate(70_000);
            try {
                int unread = toRead.remaining();
                SSLEngineResult result = engine.unwrap(toRead, out);
                out.flip();
                byte[] bytes = new byte[out.remaining()];
                out.get(bytes);
                read.write(bytes, 0, bytes.length);
                return result.bytesConsumed() > 0 || toRead.remaining() < unread;
            } catch (IOException | RuntimeException e) {
                fail(e);
                return false;
            }
        }

        /** A client sends its first hello, and the server does not yet read it. */
        void hello() throws SSLException {
            engine.beginHandshake();
            step();
        }

        private void fail(Exception e) {
            if (failure.isEmpty()) {
                failure = e.getClass().getSimpleName() + ": " + e.getMessage();
            }
        }

        /** @return whether something moved */
        private boolean step() {
            switch (engine.getHandshakeStatus().name()) {
                case "NEED_TASK":
                    for (Runnable task = engine.getDelegatedTask(); task != null;
                            task = engine.getDelegatedTask()) {
                        task.run();
                    }
                    return true;
                case "NEED_WRAP":
                    return !engine.isOutboundDone() && wrap(ByteBuffer.allocate(0));
                default:
                    return toRead.hasRemaining() && !engine.isInboundDone() && unwrap();
            }
        }

        /** Protocol and suite, or why there is none. */
        String end() {
            return failure.isEmpty() ? engine.getSession().getProtocol() + " "
                + engine.getSession().getCipherSuite() : failure;
        }

        /** The records since some bytes, as text. */
        String recordsFrom(int begin) {
            return WireText.of(Arrays.copyOfRange(sent.toByteArray(), begin, sent.size()));
        }
    }

    EngineTalk(SSLContext clientContext, SSLContext serverContext, String host, int port) {
        client = new Side(clientContext.createSSLEngine(host, port));
        client.engine.setUseClientMode(true);
        server = new Side(serverContext.createSSLEngine());
        server.engine.setUseClientMode(false);
        client.other = server;
        server.other = client;
    }

    /** Both sides with the RSA key that all rows share. */
    static EngineTalk rsa(String protocol) throws Exception {
        SSLContext server = SSLContext.getInstance("TLS");
        server.init(RowsIdentity.keys(), RowsIdentity.trust(), null);
        EngineTalk talk = new EngineTalk(RowsIdentity.clientContext(), server, "localhost", 443);
        return talk.protocol(protocol);
    }

    EngineTalk protocol(String protocol) {
        try {
            client.engine.setEnabledProtocols(new String[] {protocol});
        } catch (IllegalArgumentException e) {
            throw new Absent(protocol);
        }
        return this;
    }

    EngineTalk suite(String suite) {
        for (Side side : new Side[] {client, server}) {
            try {
                side.engine.setEnabledCipherSuites(new String[] {suite});
            } catch (IllegalArgumentException e) {
                throw new Absent(suite);
            }
        }
        return this;
    }

    /**
     * The client's first hello.
     *
     * @throws SSLException if it sent none, as it has no protocol
     */
    ClientHello hello() throws IOException {
        byte[] sent = client.sent.toByteArray();
        if (sent.length == 0) {
            throw new SSLException("the client sent no hello");
        }
        return new ClientHello(TlsRecord.read(new ByteArrayInputStream(sent)));
    }

    /** Goes on until nothing moves. */
    EngineTalk run() {
        if (client.sent.size() == 0) {
            try {
                client.engine.beginHandshake();
                server.engine.beginHandshake();
            } catch (IOException | RuntimeException e) {
                client.fail(e);
            }
        }
        for (int i = 0; i < MOST_STEPS; i++) {
            boolean moved = client.step();
            moved |= server.step();
            if (!moved) {
                return this;
            }
        }
        throw new IllegalStateException("the engines never come to rest");
    }

    /** How it ended on both sides; the second is what the first made of it. */
    String ends() {
        return client.end() + " | " + server.end();
    }
}
