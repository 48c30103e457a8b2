// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What do the two sides of a row's connection say to each other, and what do they record? */
final class Conversation {
    /** When a row counts as hung (see {@link Patience}); an exchange takes milliseconds. */
    static final int TIMEOUT_MS = 10_000;

    /** The same for a row that must load a side's code first, beside many other processes. */
    static final int LOADING_TIMEOUT_MS = 60_000;

    /** Of a read or accept, by the clock: the longest that a row may take if CPU is withheld. */
    static final int READ_TIMEOUT_MS = Patience.MOST * LOADING_TIMEOUT_MS;

    /** What a client sends after the server's close_notify. */
    static final int LAST_WORD = 'z';

    /** None of them is a command of OpenSSL's programs. */
    private static final String LETTERS = "adefghijlmnot";

    private static final Pattern LENGTH =
        Pattern.compile("\r\nContent-Length: *(\\d+)\r\n", Pattern.CASE_INSENSITIVE);

    private Conversation() { }

    static int connections(Row row) {
        return row.has(Row.FEATURE, "resumed") || Musts.comesBack(row) ? 2 : 1;
    }

    /** A body in which each part differs from the others. */
    static byte[] body(int bytes) {
        byte[] body = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            body[i] = (byte) LETTERS.charAt((int) (i * 31L % LETTERS.length()));
        }
        return body;
    }

    /**
     * Waits until a clock with steps of {@code stepMs} is past {@code createdMs}, and returns its
     * time: a session that was created before then is a resumed one.
     */
    static long after(long createdMs, long stepMs) throws InterruptedException {
        while (System.currentTimeMillis() / stepMs <= createdMs / stepMs) {
            Thread.sleep(1);
        }
        return System.currentTimeMillis() / stepMs * stepMs;
    }

    /** Does this side send the KeyUpdate that the other answers? OpenSSL only answers. */
    static boolean updatesKeys(Row row, boolean isServer) {
        boolean byServer = row.jdkIsServer() || !row.has(Row.PEER, ProgramStack.OPENSSL);
        return row.has(Row.FEATURE, "keyupdate") && isServer == byServer;
    }

    /** Does the server close first? OpenSSL's cannot end a connection with close_notify. */
    static boolean serverClosesFirst(Row row) {
        return !row.has(Row.FEATURE, "close-client") && (row.jdkIsServer()
            || !row.has(Row.PEER, ProgramStack.OPENSSL));
    }

    /** Reads the body of a message with a Content-Length; a failure here is not a refusal. */
    static byte[] message(InputStream in, String what) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!endsHead(head)) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no whole " + what + ", only "
                    + head.toString("US-ASCII").length() + " bytes");
            }
            head.write(next);
        }
        Matcher length = LENGTH.matcher(new String(head.toByteArray(), StandardCharsets.US_ASCII));
        byte[] body = new byte[length.find() ? Integer.parseInt(length.group(1)) : 0];
        for (int at = 0, count; at < body.length; at += count) {
            count = in.read(body, at, body.length - at);
            if (count < 0) {
                throw new IOException(at + " of " + body.length + " bytes of " + what);
            }
        }
        return body;
    }

    private static boolean endsHead(ByteArrayOutputStream head) {
        byte[] all = head.size() < 4 ? new byte[0] : head.toByteArray();
        int n = all.length;
        return n >= 4 && all[n - 4] == '\r' && all[n - 3] == '\n' && all[n - 2] == '\r'
            && all[n - 1] == '\n';
    }

    static void needEnd(Tls tls) throws IOException {
        int more = tls.in().read();
        if (more >= 0) {
            throw new IOException("data where close_notify was due");
        }
    }

    /** Reads what is left: a TCP connection that is closed with data unread is reset. */
    static void drain(Tls tls) {
        try {
            while (tls.in().read() >= 0) {
                continue;
            }
        } catch (IOException e) {
            // The row is over, and many clients end without close_notify.
        }
    }

    static IOException asIo(Throwable cause) {
        if (cause instanceof RuntimeException) {
            throw (RuntimeException) cause;
        }
        if (cause instanceof Error) {       // not a refusal
            throw (Error) cause;
        }
        return cause instanceof IOException ? (IOException) cause : new IOException(cause);
    }
}
