// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * What do client and server do without a network? Two SSLEngines in memory, driven by one thread.
 * What one engine sends waits in order until the other reads it: that one may have to send first,
 * and nothing may be lost. An error that an engine finds is an SSLException; a pair that makes no
 * progress is an IllegalStateException, so that no caller takes it for a symptom.
 */
final class EnginePair {
    final SSLEngine client;
    final SSLEngine server;

    // Sent but not read yet; between calls these are ready to be read from.
    private final ByteBuffer toServer;
    private final ByteBuffer toClient;

    private UnaryOperator<byte[]> fromServer = UnaryOperator.identity();

    /**
     * Does not begin the handshake yet.
     *
     * @param host together with the port, the key under which the client caches sessions
     */
    EnginePair(SSLContext clientContext, SSLContext serverContext, String host, int port) {
        client = clientContext.createSSLEngine(host, port);
        client.setUseClientMode(true);
        server = serverContext.createSSLEngine();
        server.setUseClientMode(false);
        toServer = buffer(client);
        toClient = buffer(server);
    }

    /** Rewrites what the server sends in each step of the handshake: for a peer that misbehaves. */
    EnginePair fromServer(UnaryOperator<byte[]> change) {
        fromServer = change;
        return this;
    }

    /** Sends the client's first flight and the server's; the client reads nothing of that yet. */
    EnginePair hellos() throws SSLException {
        client.beginHandshake();
        server.beginHandshake();
        step(client, toServer, toClient);
        while (serverStep()) { }
        return this;
    }

    /** Completes the handshake; the client does not read the server's session ticket yet. */
    EnginePair handshake() throws SSLException {
        client.beginHandshake();
        server.beginHandshake();
        while (isHandshaking(client) || isHandshaking(server)) {
            boolean moved = step(client, toServer, toClient);
            moved |= serverStep();
            if (!moved) {
                throw new IllegalStateException("the handshake stands still: client "
                    + client.getHandshakeStatus() + ", server " + server.getHandshakeStatus());
            }
        }
        return this;
    }

    /** Sends one byte each way; afterwards the client has the server's session ticket. */
    EnginePair exchange() throws SSLException {
        send(client, server, toServer, toClient);
        send(server, client, toClient, toServer);
        Resumption.sessionIsComplete(client.getSession());
        return this;
    }

    /** Closes in good order: each side sends close_notify and reads the other's. */
    void close() throws SSLException {
        client.closeOutbound();
        flushClient();
        server.closeOutbound();
        while (!server.isOutboundDone()) {
            wrap(server, ByteBuffer.allocate(0), toClient);
        }
        while (toClient.hasRemaining() && !client.isInboundDone()) {
            unwrap(client, toClient);
        }
    }

    /** Lets the client send what it still has to, such as an alert, and the server read it. */
    void flushClient() throws SSLException {
        while (!client.isOutboundDone()
                && wrap(client, ByteBuffer.allocate(0), toServer).bytesProduced() > 0) { }
        while (toServer.hasRemaining() && !server.isInboundDone()) {
            unwrap(server, toServer);
        }
    }

    private static boolean isHandshaking(SSLEngine engine) {
        HandshakeStatus status = engine.getHandshakeStatus();
        return status != HandshakeStatus.NOT_HANDSHAKING && status != HandshakeStatus.FINISHED;
    }

    private boolean serverStep() throws SSLException {
        int unread = toClient.remaining();
        boolean moved = step(server, toClient, toServer);
        if (toClient.remaining() > unread) {
            toClient.compact();
            byte[] sent = new byte[toClient.position() - unread];
            toClient.position(unread);
            toClient.get(sent);
            toClient.position(unread);
            toClient.put(fromServer.apply(sent)).flip();
        }
        return moved;
    }

    private static boolean step(SSLEngine engine, ByteBuffer out, ByteBuffer in)
            throws SSLException {
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK:
                return runTasks(engine);
            case NEED_WRAP:
                return wrap(engine, ByteBuffer.allocate(0), out).bytesProduced() > 0;
            case NEED_UNWRAP:
                return in.hasRemaining() && unwrap(engine, in).bytesConsumed() > 0;
            default:
                return false;
        }
    }

    private static void send(SSLEngine from, SSLEngine to, ByteBuffer there, ByteBuffer back)
            throws SSLException {
        wrap(from, ByteBuffer.wrap(new byte[] {42}), there);
        while (there.hasRemaining()) {
            if (unwrap(to, there).bytesConsumed() == 0
                    && !runTasks(to)
                    && wrap(to, ByteBuffer.allocate(0), back).bytesProduced() == 0) {
                throw new IllegalStateException(
                    "the other side does not read: " + to.getHandshakeStatus());
            }
            runTasks(to);
        }
    }

    private static SSLEngineResult wrap(SSLEngine engine, ByteBuffer data, ByteBuffer out)
            throws SSLException {
        out.compact();
        try {
            return engine.wrap(data, out);
        } finally {
            out.flip();
        }
    }

    private static SSLEngineResult unwrap(SSLEngine engine, ByteBuffer in) throws SSLException {
        return engine.unwrap(in,
            ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()));
    }

    private static boolean runTasks(SSLEngine engine) {
        boolean ran = false;
        for (Runnable task = engine.getDelegatedTask(); task != null;
                task = engine.getDelegatedTask()) {
            task.run();
            ran = true;
        }
        return ran;
    }

    /** Room for several records, because more than one may be unread. */
    private static ByteBuffer buffer(SSLEngine engine) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * engine.getSession().getPacketBufferSize());
        buffer.flip();
        return buffer;
    }
}
