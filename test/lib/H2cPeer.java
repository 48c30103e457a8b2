// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What if an HTTP/2 server goes away just when it is asked? One without TLS, which a client asks to
 * upgrade (RFC 7540 3.2). It answers each request with an empty 200, or, if it is told so, the
 * second request of its first connection with GOAWAY: of that stream it knows nothing (RFC 9113
 * 6.8), so it may be sent again elsewhere.
 */
final class H2cPeer implements Closeable {
    private static final byte[] PREFACE =
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int FRAME_HEADERS = 1;
    private static final int FRAME_SETTINGS = 4;
    private static final int FRAME_GOAWAY = 7;
    private static final int ACK = 1;
    private static final int END_STREAM_AND_HEADERS = 1 | 4;
    private static final byte[] NOTHING = { };
    private static final byte[] STATUS_200 = {(byte) 0x88};  // indexed, RFC 7541 appendix A
    private static final byte[] LAST_STREAM_IS_1 = {0, 0, 0, 1, 0, 0, 0, 0};

    private final boolean goesAway;
    private final Listener listener;
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    /** Starts to listen at once. */
    H2cPeer(boolean goesAway) throws IOException {
        this.goesAway = goesAway;
        listener = new Listener("h2c-peer",
            new ServerSocket(0, Listener.BACKLOG, TlsPeer.loopback()), this::serve);
        listener.start();
    }

    URL url() throws IOException {
        return new URL("http", "127.0.0.1", listener.address().getPort(), "/");
    }

    int connections() {
        return listener.connections();
    }

    /** Requests that had a reply. */
    int answered() {
        return answered.get();
    }

    /** Requests that GOAWAY refused. */
    int refused() {
        return refused.get();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void serve(Socket socket, int number) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        String head = RequestHead.read(in);
        if (head == null) {
            return;
        }
        if (!head.contains("Upgrade: h2c")) {
            throw new IOException("no upgrade is asked for: " + head);
        }
        socket.getOutputStream().write(("HTTP/1.1 101 Switching Protocols\r\n"
            + "Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        frame(socket, FRAME_SETTINGS, 0, 0, NOTHING);
        in.readFully(new byte[PREFACE.length]);
        answer(socket, 1);
        while (true) {
            int bytes = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            final int type = in.readUnsignedByte();
            final int flags = in.readUnsignedByte();
            final int stream = in.readInt();
            in.readFully(new byte[bytes]);
            if (type == FRAME_SETTINGS && (flags & ACK) == 0) {
                frame(socket, FRAME_SETTINGS, ACK, 0, NOTHING);
            } else if (type == FRAME_HEADERS && goesAway && number == 1) {
                refused.incrementAndGet();
                frame(socket, FRAME_GOAWAY, 0, 0, LAST_STREAM_IS_1);
                while (in.read() >= 0) { }
                return;
            } else if (type == FRAME_HEADERS) {
                answer(socket, stream);
            }
        }
    }

    private void answer(Socket socket, int stream) throws IOException {
        answered.incrementAndGet();
        frame(socket, FRAME_HEADERS, END_STREAM_AND_HEADERS, stream, STATUS_200);
    }

    private static void frame(Socket socket, int type, int flags, int stream, byte[] payload)
            throws IOException {
        byte[] frame = new byte[9 + payload.length];
        frame[2] = (byte) payload.length;
        frame[3] = (byte) type;
        frame[4] = (byte) flags;
        frame[8] = (byte) stream;
        System.arraycopy(payload, 0, frame, 9, payload.length);
        socket.getOutputStream().write(frame);
    }
}
