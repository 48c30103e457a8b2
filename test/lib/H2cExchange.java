// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.Socket;

/** What does a client of an {@link H2cPeer} request, and what is it sent? */
final class H2cExchange {
    private static final int FRAME_HEADERS = 1;
    private static final int FRAME_GOAWAY = 7;
    private static final int FRAME_WINDOW_UPDATE = 8;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;

    /** Number of the connection at the peer, from 1. */
    final int connection;

    final int stream;

    /** The position of this request on its connection, from 1. */
    final int ordinal;

    private final Socket socket;

    H2cExchange(Socket socket, int connection, int stream, int ordinal) {
        this.socket = socket;
        this.connection = connection;
        this.stream = stream;
        this.ordinal = ordinal;
    }

    /** Sends status 200 without a body. */
    void reply() throws IOException {
        head(H2cPeer.STATUS_200, true);
    }

    /**
     * @param fields HPACK-encoded (RFC 7541)
     * @param last whether nothing follows on this stream
     */
    void head(byte[] fields, boolean last) throws IOException {
        frame(socket, FRAME_HEADERS, END_HEADERS | (last ? END_STREAM : 0), stream, fields);
    }

    /**
     * Lets the client send more on this stream (RFC 9113 6.9).
     *
     * @param bytes 255 at most; 0 is an error of the stream
     */
    void windowUpdate(int bytes) throws IOException {
        frame(socket, FRAME_WINDOW_UPDATE, 0, stream, new byte[] {0, 0, 0, (byte) bytes});
    }

    /** Sends GOAWAY: the peer has handled no stream beyond 1 (RFC 9113 6.8). */
    void goAwayAfterStream1() throws IOException {
        frame(socket, FRAME_GOAWAY, 0, 0, new byte[] {0, 0, 0, 1, 0, 0, 0, 0});
    }

    static void frame(Socket socket, int type, int flags, int stream, byte[] payload)
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
