// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** What are the lines of a file, whatever its encoding? Reads one after the other. */
final class TextLines {
    private static final int HEAD_BYTES = 4096;
    private static final int CHARS = 1 << 16;
    /** What follows in a line is left out: a page may be one line, a file of zeros one of 4 GB. */
    private static final int LONGEST = 1 << 23;

    private final Reader in;
    private final String encoding;
    private final char[] chars = new char[CHARS];
    private int at;
    private int end;
    /** The begin of a line that goes on in what is read next. */
    private final StringBuilder begun = new StringBuilder();
    private boolean afterReturn;

    private TextLines(Reader in, String encoding) {
        this.in = in;
        this.encoding = encoding;
    }

    /** The lines of a stream that can mark; null if it is binary, as 0 bytes show early on. */
    static TextLines of(InputStream in) throws IOException {
        in.mark(HEAD_BYTES);
        byte[] head = in.readNBytes(HEAD_BYTES);
        in.reset();
        int bom = bom(head);
        Charset charset = charset(head);
        if (charset == null) {
            return null;
        }
        in.skipNBytes(bom);
        String name = charset.equals(StandardCharsets.UTF_8)
                ? bom > 0 ? "a byte order mark" : null : "UTF-16";
        return new TextLines(new InputStreamReader(in, charset), name);
    }

    /** Those of a text that stands for all that is left. */
    TextLines of(String text) {
        return new TextLines(new StringReader(text), encoding);
    }

    /** What is to be said of the encoding; null if it is plain. */
    String encoding() {
        return encoding;
    }

    /** The first characters of what is left; they are read again. */
    String head() throws IOException {
        for (int read = 0; read >= 0 && end < CHARS; end += Math.max(0, read)) {
            read = in.read(chars, end, CHARS - end);
        }
        return new String(chars, at, end - at);
    }

    /** All that is left; throws IOException if it has more than {@code most} characters. */
    String rest(int most) throws IOException {
        StringBuilder text = new StringBuilder();
        do {
            text.append(chars, at, end - at);
            if (text.length() > most) {
                throw new IOException("is JSON or HTML of more than " + (most >> 20) + " million characters");
            }
        } while (fill());
        return text.toString();
    }

    /** The next line, without its end; null after the last one. */
    String next() throws IOException {
        begun.setLength(0);
        while (at < end || fill()) {
            if (afterReturn && chars[at] == '\n') {
                at++;
                afterReturn = false;
                continue;
            }
            afterReturn = false;
            int from = at;
            while (at < end && chars[at] != '\n' && chars[at] != '\r') {
                at++;
            }
            if (at < end) {
                afterReturn = chars[at] == '\r';
                return line(from, at++);
            }
            append(from, at);
        }
        return begun.isEmpty() ? null : begun.toString();
    }

    private String line(int from, int to) {
        if (begun.isEmpty()) {
            return new String(chars, from, to - from);
        }
        append(from, to);
        return begun.toString();
    }

    private void append(int from, int to) {
        begun.append(chars, from, Math.min(to - from, LONGEST - begun.length()));
    }

    private boolean fill() throws IOException {
        at = 0;
        end = Math.max(0, in.read(chars));
        return end > 0;
    }

    private static int bom(byte[] head) {
        boolean isUtf8 = head.length >= 3 && (head[0] & 0xff) == 0xef && (head[1] & 0xff) == 0xbb
                && (head[2] & 0xff) == 0xbf;
        return isUtf8 ? 3 : has16(head, 0xff, 0xfe) || has16(head, 0xfe, 0xff) ? 2 : 0;
    }

    private static boolean has16(byte[] head, int first, int second) {
        return head.length >= 2 && (head[0] & 0xff) == first && (head[1] & 0xff) == second;
    }

    /** In UTF-16 nearly each second byte of a dump is 0. */
    private static Charset charset(byte[] head) {
        if (has16(head, 0xff, 0xfe)) {
            return StandardCharsets.UTF_16LE;
        }
        if (has16(head, 0xfe, 0xff)) {
            return StandardCharsets.UTF_16BE;
        }
        int[] zeros = new int[2];
        for (int i = 0; i < head.length; i++) {
            zeros[i % 2] += head[i] == 0 ? 1 : 0;
        }
        int many = head.length * 2 / 5;
        return zeros[0] + zeros[1] == 0 ? StandardCharsets.UTF_8
                : zeros[0] == 0 && zeros[1] >= many ? StandardCharsets.UTF_16LE
                        : zeros[1] == 0 && zeros[0] >= many ? StandardCharsets.UTF_16BE : null;
    }
}
