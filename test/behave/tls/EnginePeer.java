// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * The other side of TLS for a {@link MemorySocket}: an engine that answers as far as it can. When
 * there is nothing to answer, the steps of the row are next, one for each time the socket reads.
 */
final class EnginePeer implements MemorySocket.Peer {
    private static final int BUFFER_BYTES = 70_000;

    /** What is next to be read; null is the end. */
    interface Step {
        byte[] bytes() throws IOException;
    }

    final SSLEngine engine;
    private final Deque<Step> steps = new ArrayDeque<>();
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private int taken;

    EnginePeer(SSLContext context, boolean isClient) {
        engine = context.createSSLEngine("localhost", 443);
        engine.setUseClientMode(isClient);
    }

    /** Next is this, and it is made when its turn comes. */
    EnginePeer then(Step step) {
        steps.add(step);
        return this;
    }

    /** Next, a record of this text. */
    EnginePeer thenText(String text) {
        return then(() -> record(text));
    }

    /** Next, a record of this text, with a read time-out after its first bytes. */
    EnginePeer thenTextInParts(String text, int firstBytes) {
        byte[][] record = {null};
        return then(() -> {
            record[0] = record(text);
            return Arrays.copyOf(record[0], firstBytes);
        }).thenTimeOut().then(
            () -> Arrays.copyOfRange(record[0], firstBytes, record[0].length));
    }

    EnginePeer thenTimeOut() {
        return then(() -> {
            throw new SocketTimeoutException("Read timed out");
        });
    }

    /** Next, close_notify. */
    EnginePeer thenClose() {
        return then(() -> {
            engine.closeOutbound();
            return wrap(new byte[0]);
        });
    }

    byte[] record(String text) throws IOException {
        return wrap(text.getBytes("ISO-8859-1"));
    }

    /** What this side has read. */
    String text() throws IOException {
        return read.toString("ISO-8859-1");
    }

    /** Has this side read the end of the other? */
    boolean isEnded() {
        return engine.isInboundDone();
    }

    @Override
    public byte[] next(byte[] received) throws IOException {
        byte[] answer = answer(received);
        if (answer.length > 0) {
            return answer;
        }
        return steps.isEmpty() ? null : steps.remove().bytes();
    }

    /** Reads what has come since the last time, and answers it. */
    byte[] answer(byte[] received) throws IOException {
        ByteBuffer from = ByteBuffer.wrap(received, taken, received.length - taken);
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        boolean moves = true;
        while (moves) {
            switch (engine.getHandshakeStatus().name()) {
                case "NEED_TASK":
                    engine.getDelegatedTask().run();
                    break;
                case "NEED_WRAP":
                    byte[] bytes = wrap(new byte[0]);
                    answer.write(bytes, 0, bytes.length);
                    moves = bytes.length > 0 || !engine.isOutboundDone();
                    break;
                default:
                    moves = from.hasRemaining() && !engine.isInboundDone() && unwrap(from);
                    break;
            }
        }
        taken = from.position();
        return answer.toByteArray();
    }

    private boolean unwrap(ByteBuffer from) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(BUFFER_BYTES);
        boolean moved = engine.unwrap(from, out).bytesConsumed() > 0;
        read.write(out.array(), 0, out.position());
        return moved;
    }

    private byte[] wrap(byte[] bytes) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(BUFFER_BYTES);
        engine.wrap(ByteBuffer.wrap(bytes), out);
        return Arrays.copyOf(out.array(), out.position());
    }
}
