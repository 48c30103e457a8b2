// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;

/** A side that uses SSLEngine over a blocking socket; for one thread. */
class EngineTls implements Tls {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Socket tcp;
    private final SSLEngine engine;
    private ByteBuffer received;
    private ByteBuffer plain;
    private ByteBuffer sent;

    EngineTls(Socket tcp, SSLEngine engine) {
        this.tcp = tcp;
        this.engine = engine;
        received = empty(engine.getSession().getPacketBufferSize());
        sent = ByteBuffer.allocate(received.capacity());
        plain = empty(engine.getSession().getApplicationBufferSize());
    }

    @Override
    public InputStream in() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                if (length == 0) {
                    return 0;
                }
                while (!plain.hasRemaining()) {
                    if (engine.isInboundDone() || !unwrap()) {
                        return -1;
                    }
                    answer();
                }
                int count = Math.min(length, plain.remaining());
                plain.get(into, offset, count);
                return count;
            }
        };
    }

    @Override
    public OutputStream out() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                ByteBuffer source = ByteBuffer.wrap(from, offset, length);
                while (source.hasRemaining()) {
                    if (wrap(source).getStatus() == Status.CLOSED) {
                        throw new IOException("the engine's outbound side is closed");
                    }
                }
            }
        };
    }

    @Override
    public void handshake() throws IOException {
        engine.beginHandshake();
        answer();
    }

    @Override
    public Map<String, String> facts(long begunMs) {
        return Tls.facts(engine.getSession(), engine, tcp, begunMs);
    }

    @Override
    public long createdMs() {
        return engine.getSession().getCreationTime();
    }

    @Override
    public void closeOutput() throws IOException {
        engine.closeOutbound();
        while (!engine.isOutboundDone() && wrap(NOTHING).bytesProduced() > 0) {
            continue;   // some with nothing left are never done: JDK-8214418
        }
    }

    @Override
    public void close() throws IOException {
        tcp.close();
    }

    /** Does whatever the engine needs before it goes on with data. */
    private void answer() throws IOException {
        for (;;) {
            // By name: NEED_UNWRAP_AGAIN came with 9.
            String status = engine.getHandshakeStatus().name();
            if (status.equals("NEED_TASK")) {
                for (Runnable task = engine.getDelegatedTask(); task != null;
                        task = engine.getDelegatedTask()) {
                    task.run();
                }
            } else if (status.equals("NEED_WRAP")) {
                wrapOrTell();
            } else if (status.startsWith("NEED_UNWRAP")) {
                if (plain.hasRemaining()) {
                    return;     // data came first, and is read first
                }
                if (!unwrap()) {
                    throw new EOFException("the peer closed during the handshake");
                }
            } else {
                return;
            }
        }
    }

    private void wrapOrTell() throws IOException {
        if (wrap(NOTHING).getStatus() == Status.CLOSED && engine.isInboundDone()
                && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            throw new IOException("the engine wants to send and is closed");
        }
    }

    private SSLEngineResult wrap(ByteBuffer source) throws IOException {
        sent.clear();
        SSLEngineResult result = engine.wrap(source, sent);
        if (result.getStatus() == Status.BUFFER_OVERFLOW) {
            sent = ByteBuffer.allocate(2 * sent.capacity());
            return wrap(source);
        }
        sent.flip();
        tcp.getOutputStream().write(sent.array(), 0, sent.remaining());
        return result;
    }

    /** @return false if the peer has closed; without close_notify, the engine may throw instead */
    private boolean unwrap() throws IOException {
        try {
            return unwrapOne();
        } catch (IOException e) {
            tellAlert();
            throw e;
        }
    }

    private boolean unwrapOne() throws IOException {
        plain.compact();
        SSLEngineResult result;
        try {
            result = engine.unwrap(received, plain);
        } finally {
            plain.flip();
        }
        switch (result.getStatus()) {
            case BUFFER_OVERFLOW:
                plain = grown(plain);
                return true;
            case BUFFER_UNDERFLOW:      // Netty's engine may finish its handshake with this
                return result.getHandshakeStatus() == HandshakeStatus.FINISHED || receive();
            case CLOSED:
                return false;
            default:
                return true;
        }
    }

    private boolean receive() throws IOException {
        if (received.remaining() == received.capacity()) {
            received = grown(received);
        }
        received.compact();
        int count = tcp.getInputStream().read(received.array(), received.position(),
            received.remaining());
        received.position(received.position() + Math.max(count, 0));
        received.flip();
        if (count < 0) {
            engine.closeInbound();      // throws if the peer sent no close_notify
        }
        return count >= 0;
    }

    /** Sends the peer the alert of an engine that has failed. */
    private void tellAlert() {
        try {
            while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP
                    && wrap(NOTHING).bytesProduced() > 0) {
                continue;
            }
        } catch (IOException e) {
            // the caller throws the failure itself
        }
    }

    private static ByteBuffer empty(int capacity) {
        ByteBuffer buffer = ByteBuffer.allocate(capacity);
        buffer.flip();
        return buffer;
    }

    private static ByteBuffer grown(ByteBuffer full) {
        ByteBuffer larger = ByteBuffer.allocate(2 * full.capacity());
        larger.put(full);
        larger.flip();
        return larger;
    }
}
