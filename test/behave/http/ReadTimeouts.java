// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.HttpURLConnection;
import java.net.Proxy;

/** Whose time-out counts for a request on a connection that an earlier one has used? */
final class ReadTimeouts implements Topic {
    private static final int SHORT_MS = 1_500;
    private static final int LONG_MS = 60_000;
    private static final int DELAY_MS = 2_500;

    @Override
    public String name() {
        return "timeout";
    }

    @Override
    public void declare(TopicRows rows) {
        row(rows, "short-then-none", SHORT_MS, 0);
        row(rows, "short-then-long", SHORT_MS, LONG_MS);
        row(rows, "none-then-short", 0, SHORT_MS);
        row(rows, "long-then-short", LONG_MS, SHORT_MS);
    }

    private static void row(TopicRows rows, String id, int firstMs, int secondMs) {
        rows.row("timeout.url." + id, "HttpURLConnection: a request with a read time-out of "
            + firstMs + " ms, then, on the same connection, one with " + secondMs
            + " ms whose reply comes after " + DELAY_MS + " ms", () -> asked(firstMs, secondMs))
            .within(10_000);
    }

    private static String asked(int firstMs, int secondMs) throws Exception {
        try (WirePeer peer = new WirePeer(request -> {
            if (request.ordinal > 1) {
                Thread.sleep(DELAY_MS);
            }
            return Redirected.OK;
        })) {
            String text = ask(peer, firstMs) + "; " + ask(peer, secondMs);
            return text + "; " + (peer.connections() == 1 ? "the same connection"
                : "a new connection");
        }
    }

    private static String ask(WirePeer peer, int timeoutMs) throws Exception {
        HttpURLConnection connection =
            (HttpURLConnection) peer.url("/x").openConnection(Proxy.NO_PROXY);
        connection.setReadTimeout(timeoutMs);
        connection.setRequestMethod("POST");    // which is not sent again by itself
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(1);
        try {
            connection.getOutputStream().write('x');
            int status = connection.getResponseCode();
            connection.getInputStream().close();
            return String.valueOf(status);
        } catch (java.io.IOException e) {
            return Failure.text(e);
        }
    }
}
