// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Locale;

/** A request as it came over the wire. */
final class WireRequest {
    /** The request line and the fields with their line ends, as sent, without the empty line. */
    final String head;

    /** As sent: with its chunk sizes, if it came in chunks. */
    final String body;

    /** The number of its connection at the peer, from 1. */
    final int connection;

    /** For a script that does more than answer. */
    final Socket socket;

    /** What comes after the request. */
    final InputStream in;

    /** The number of the request at the peer, from 1, over all connections. */
    int ordinal;

    private WireRequest(String head, String body, int connection, Socket socket, InputStream in) {
        this.head = head;
        this.body = body;
        this.connection = connection;
        this.socket = socket;
        this.in = in;
    }

    /** Reads the rest of a request: its body, by its length or its chunks. */
    static WireRequest read(InputStream in, String head, int connection, Socket socket)
            throws IOException {
        WireRequest request = new WireRequest(head, "", connection, socket, in);
        StringBuilder body = new StringBuilder();
        if (request.field("Expect").equalsIgnoreCase("100-continue")) {
            body.append("(awaited)");       // it comes after an answer, if at all
        } else if (request.field("Transfer-Encoding").equalsIgnoreCase("chunked")) {
            readChunks(in, body);
        } else if (!request.field("Content-Length").isEmpty()) {
            readBytes(in, Long.parseLong(request.field("Content-Length")), body);
        }
        return new WireRequest(head.substring(0, head.length() - 2), body.toString(), connection,
            socket, in);
    }

    /** Reads the body of a request that asks whether it may send it. */
    String awaited() throws IOException {
        StringBuilder text = new StringBuilder();
        if (field("Transfer-Encoding").equalsIgnoreCase("chunked")) {
            readChunks(in, text);
        } else {
            readBytes(in, Long.parseLong(field("Content-Length")), text);
        }
        return text.toString().trim().replaceAll("\\s+", " ");
    }

    private static void readChunks(InputStream in, StringBuilder body) throws IOException {
        long size;
        do {
            int begin = body.length();
            readLine(in, body);
            size = Long.parseLong(body.substring(begin).trim().split(";")[0], 16);
            readBytes(in, size, body);
            readLine(in, body);     // what ends the chunk; trailers are not expected of a client
        } while (size > 0);
    }

    private static void readLine(InputStream in, StringBuilder text) throws IOException {
        int next = in.read();
        while (next >= 0 && next != '\n') {
            text.append((char) next);
            next = in.read();
        }
        text.append('\n');
    }

    private static void readBytes(InputStream in, long count, StringBuilder text)
            throws IOException {
        for (long i = 0; i < count; i++) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the request ended in its body");
            }
            text.append((char) next);
        }
    }

    String method() {
        return head.split(" ", 2)[0];
    }

    String target() {
        return head.split(" ", 3)[1];
    }

    /** The value of a field, the first one of that name in any case; empty if there is none. */
    String field(String name) {
        String prefix = name.toLowerCase(Locale.ROOT) + ":";
        for (String line : head.split("\r\n")) {
            if (line.toLowerCase(Locale.ROOT).startsWith(prefix)) {
                return line.substring(prefix.length()).trim();
            }
        }
        return "";
    }

    /** {@code GET /x HTTP/1.1 | Host: 127.0.0.1:PORT | BODY A}, in the order of the wire. */
    String text() {
        return Masked.text(head.trim().replace("\r\n", " | ")
            + (body.isEmpty() ? "" : " | BODY " + body.trim()));
    }
}
