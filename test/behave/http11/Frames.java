// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Frames of HTTP/2 as bytes (RFC 9113 4.1), sound and odd. */
final class Frames {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int ACK = 1;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    static final int PADDED = 8;
    static final int WITH_PRIORITY = 0x20;

    /** The stream of the request that the rows are about; 1 is that of the upgrade. */
    static final int STREAM = 3;

    static final String[] TYPES = {"DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS",
        "PUSH_PROMISE", "PING", "GOAWAY", "WINDOW_UPDATE", "CONTINUATION"};
    static final String[] CODES = {"NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR",
        "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR",
        "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED"};

    private Frames() { }

    static byte[] frame(int type, int flags, int stream, byte[] payload) {
        int length = payload.length;
        return join(new byte[] {(byte) (length >> 16), (byte) (length >> 8), (byte) length,
            (byte) type, (byte) flags}, number(stream), payload);
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            bytes.write(part, 0, part.length);
        }
        return bytes.toByteArray();
    }

    /** {@code count} times the same bytes. */
    static byte[] times(int count, byte[] part) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            bytes.write(part, 0, part.length);
        }
        return bytes.toByteArray();
    }

    static byte[] number(int number) {
        return new byte[] {(byte) (number >> 24), (byte) (number >> 16), (byte) (number >> 8),
            (byte) number};
    }

    static byte[] bytes(int... bytes) {
        byte[] array = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            array[i] = (byte) bytes[i];
        }
        return array;
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A field block of these names and contents, as literals without indexing (RFC 7541 6.2.2). */
    static byte[] block(String... namesAndContents) {
        byte[] block = {};
        for (int i = 0; i + 1 < namesAndContents.length; i += 2) {
            block = join(block, bytes(0), literal(namesAndContents[i]),
                literal(namesAndContents[i + 1]));
        }
        return block;
    }

    /** A string literal without Huffman code, its length as an integer of 7 bits and more. */
    static byte[] literal(String text) {
        int length = text.length();
        byte[] prefix = {(byte) Math.min(length, 127)};
        if (length >= 127) {
            int rest = length - 127;
            while (rest >= 128) {
                prefix = join(prefix, bytes(rest % 128 + 128));
                rest /= 128;
            }
            prefix = join(prefix, bytes(rest));
        }
        return join(prefix, text(text));
    }

    /** A whole field block in one frame. */
    static byte[] headers(byte[] block, boolean isLast) {
        return frame(HEADERS, END_HEADERS | (isLast ? END_STREAM : 0), STREAM, block);
    }

    /** Status 200 by its index, and what follows. */
    static byte[] head200(String... namesAndContents) {
        return headers(join(bytes(0x88), block(namesAndContents)), false);
    }

    static byte[] data(String text) {
        return frame(DATA, END_STREAM, STREAM, text(text));
    }

    static byte[] setting(int id, int number) {
        return join(bytes(0, id), number(number));
    }

    static String code(int code) {
        return code >= 0 && code < CODES.length ? CODES[code] : "code " + Integer.toHexString(code);
    }
}
