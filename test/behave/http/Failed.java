// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Does a client end its connection after a reply that it cannot use? The server does not. */
final class Failed implements Topic {
    private static final int PATIENCE_MS = 3_000;
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String[][] REPLIES = {
        {"chunk-size", "a chunk size that is no number",
            OK + "Transfer-Encoding: chunked\r\n\r\nx\r\nok\r\n"},
        {"chunk-end", "a chunk with a byte too many",
            OK + "Transfer-Encoding: chunked\r\n\r\n2\r\nokk\r\n0\r\n\r\n"},
        {"second-chunk", "a good chunk and one that is none",
            OK + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\nx\r\n"},
    };

    private final HttpUser user;

    Failed(HttpUser user) {
        this.user = user;
    }

    @Override
    public String name() {
        return "failed";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] reply : REPLIES) {
            rows.row("failed." + user.name() + "." + reply[0], user + ": a reply has " + reply[1]
                + "; is the connection ended?", () -> ended(reply[2])).within(8_000);
        }
    }

    private String ended(String reply) throws Exception {
        CompletableFuture<String> end = new CompletableFuture<>();
        try (WirePeer peer = new WirePeer(request -> {
            end.complete(end(request, reply));
            return WirePeer.CLOSE;
        })) {
            String seen = user.see(Ask.get(peer.url("/x")));
            return seen + "; " + end.get(2 * PATIENCE_MS, TimeUnit.MILLISECONDS);
        }
    }

    private static String end(WireRequest request, String reply) {
        try {
            request.socket.getOutputStream().write(reply.getBytes(StandardCharsets.ISO_8859_1));
            request.socket.setSoTimeout(PATIENCE_MS);
            return request.in.read() < 0 ? "the client ends the connection"
                : "the client sends more";
        } catch (java.net.SocketTimeoutException e) {
            return "the client leaves the connection open";
        } catch (java.io.IOException e) {   // reset: it is ended, too
            return "the client ends the connection";
        }
    }
}
