// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The server of one row: an HTTP/1.1 server that sends each body back, for one connection, or for
 * two if the row resumes a session.
 */
final class ServerSide implements Closeable {
    private final Row row;
    private final RowListener listener;
    private final FutureTask<Map<String, String>> served = new FutureTask<>(this::serve);

    ServerSide(Row row, Stack stack) throws IOException {
        this.row = row;
        listener = stack.listen(row);
        TlsPeer.daemon("server " + row, served).start();
    }

    int port() {
        return listener.port();
    }

    /** What it has seen, once the client has ended. */
    Map<String, String> seen() throws IOException {
        try {
            return served.get(Conversation.READ_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw Conversation.asIo(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new IOException("the server hangs", e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private Map<String, String> serve() throws Exception {
        Map<String, String> seen = Collections.emptyMap();
        long created = 0;
        long stepMs = PeerStack.stepOfSessionsMs(row);
        for (int left = Conversation.connections(row); left > 0; left--) {
            try (Tls tls = listener.accept()) {
                long acceptedMs = Conversation.after(created, stepMs);
                tls.handshake();
                answer(tls);
                seen = tls.facts(acceptedMs);
                created = tls.createdMs();
            }
        }
        return seen;
    }

    private void answer(Tls tls) throws IOException {
        String feature = row.get(Row.FEATURE);
        int requests = feature.equals("keyupdate") ? 2 : 1;
        for (int n = 1; n <= requests; n++) {
            InputStream in = tls.in();
            byte[] body = Conversation.message(in, "a request");
            OutputStream out = tls.out();
            if (Conversation.updatesKeys(row, true)) {
                tls.handshake();
            }
            boolean isLast = n == requests && !feature.equals("close-client");
            out.write(("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + body.length
                + (isLast ? "\r\nConnection: close" : "") + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
            if (feature.equals("refuse-truncated")) {
                out.write(Arrays.copyOf(body, body.length / 2));
                out.flush();
                return;     // and the TCP connection is closed without close_notify
            }
            out.write(body);
            out.flush();
        }
        if (!Conversation.serverClosesFirst(row)) {
            Conversation.needEnd(tls);
            tls.closeOutput();
            return;
        }
        tls.closeOutput();
        if (feature.equals("close-server")) {
            // In TLS 1.3 the other direction is still open (RFC 8446, section 6.1).
            boolean stillOpen = row.has(Row.PROTOCOL, "TLSv1.3");
            if (stillOpen && tls.in().read() != Conversation.LAST_WORD) {
                throw new IOException("nothing came after close_notify was sent");
            }
        }
        Conversation.drain(tls);
    }
}
