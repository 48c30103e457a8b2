// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;

/** Which request does HttpURLConnection send? */
final class SentFields implements Topic {
    @Override
    public String name() {
        return "sent";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String method : new String[] {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"}) {
            boolean hasBody = method.startsWith("P");
            rows.row("sent.url." + method.toLowerCase(),
                "HttpURLConnection sends " + method + (hasBody ? " with a body of 1 byte" : ""),
                () -> sent(method, hasBody));
        }
    }

    private static String sent(String method, boolean hasBody) throws IOException {
        try (WirePeer peer = WirePeer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) {
            HttpURLConnection connection = (HttpURLConnection) peer.url("/x").openConnection();
            connection.setRequestMethod(method);
            if (hasBody) {
                connection.setDoOutput(true);
                connection.getOutputStream().write("A".getBytes(StandardCharsets.US_ASCII));
            }
            connection.getResponseCode();
            return peer.seen();
        }
    }
}
