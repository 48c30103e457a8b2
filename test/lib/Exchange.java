// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What did a client of a {@link ScriptedPeer} ask, and what is it sent? */
final class Exchange {
    static final int BODY_BYTES = 64;

    /** Number of the connection at the peer, from 1. */
    final int connection;

    /** The how-manieth request of that connection this is, from 1. */
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

    /** Reads the next request's head; null where the client has ended the connection. */
    static Exchange next(Socket socket, int connection, int ordinal) throws IOException {
        String head = RequestHead.read(socket.getInputStream());
        return head == null ? null : new Exchange(socket, connection, ordinal, head);
    }

    /** Has the request this header line, in any case of letters? */
    boolean asks(String headerLine) {
        return head.toLowerCase(Locale.ROOT)
            .contains("\r\n" + headerLine.toLowerCase(Locale.ROOT) + "\r\n");
    }

    /** Sends these bytes (ISO 8859-1) at once, as a segment of their own. */
    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends {@link #ok}. */
    void reply(String... headers) throws IOException {
        send(ok(headers));
    }

    /**
     * A whole good reply, with a body unless HEAD was asked, that tells connection and ordinal as
     * {@link Reply} reads them, and the path asked for as {@code X-Path}.
     *
     * @param headers further header lines, without their ends
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

    /** @return how many of {@code bytes} bytes of the request's body came before its end */
    int readBody(int bytes) throws IOException {
        InputStream in = socket.getInputStream();
        int count = 0;
        while (count < bytes && in.read() >= 0) {
            count++;
        }
        return count;
    }

    /** Ends the peer's side now, by its FIN; whether the client ends its own is still seen. */
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
