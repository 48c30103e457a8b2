// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What does a client of a {@link ScriptedPeer} request, and what is it sent? */
final class Exchange {
    static final int BODY_BYTES = 64;

    /** Number of the connection at the peer, from 1. */
    final int connection;

    /** The position of this request on its connection, from 1. */
    final int ordinal;

    final String method;
    final String path;
    private final String head;
    private final Socket socket;
    private boolean ended;

    private Exchange(Socket socket, int connection, int ordinal, String head) {
        this.socket = socket;
        this.connection = connection;
        this.ordinal = ordinal;
        this.head = head;
        String[] words = head.split(" ", 3);
        method = words[0];
        path = words[1];
    }

    /** Reads the next request's head; null if the client has ended the connection. */
    static Exchange next(Socket socket, int connection, int ordinal) throws IOException {
        String head = RequestHead.read(socket.getInputStream());
        return head == null ? null : new Exchange(socket, connection, ordinal, head);
    }

    /** Does the request have this header line? Letter case does not matter. */
    boolean asks(String headerLine) {
        return head.toLowerCase(Locale.ROOT)
            .contains("\r\n" + headerLine.toLowerCase(Locale.ROOT) + "\r\n");
    }

    /** Sends this text (ISO 8859-1) at once, as a segment of its own. */
    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends {@link #ok}. */
    void reply(String... headers) throws IOException {
        send(ok(headers));
    }

    /**
     * A complete, correct reply, with a body unless the request is HEAD. It names connection and
     * ordinal in the headers that {@link Reply} reads, and the requested path in {@code X-Path}.
     *
     * @param headers further header lines, without line ends
     */
    String ok(String... headers) {
        StringBuilder text = new StringBuilder("HTTP/1.1 200 OK\r\n")
            .append("Content-Length: ").append(BODY_BYTES).append("\r\n")
            .append("X-Connection: ").append(connection).append("\r\n")
            .append("X-Ordinal: ").append(ordinal).append("\r\n")
            .append("X-Path: ").append(path).append("\r\n");
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        return text.append("\r\n").append("HEAD".equals(method) ? "" : body(BODY_BYTES)).toString();
    }

    /** That many bytes of a body. */
    static String body(int bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes; i++) {
            text.append('x');
        }
        return text.toString();
    }

    /** @return how many bytes of the request's body came before its end, {@code bytes} at most */
    int readBody(int bytes) throws IOException {
        InputStream in = socket.getInputStream();
        int count = 0;
        while (count < bytes && in.read() >= 0) {
            count++;
        }
        return count;
    }

    /** Ends the peer's side now, by its FIN; it still sees whether the client ends its own. */
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Ends the connection after this exchange: the peer sends its FIN. */
    void end() {
        ended = true;
    }

    boolean ended() {
        return ended;
    }
}
