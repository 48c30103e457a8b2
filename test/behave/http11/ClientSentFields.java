// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Which request does java.net.http send? */
final class ClientSentFields implements Topic {
    /** Without CA roots, whose loading costs more than all rows. */
    private static final NetUser CLIENT = new NetUser();

    @Override
    public String name() {
        return "sent";
    }

    @Override
    public void declare(TopicRows rows) {
        for (HttpClient.Version version : HttpClient.Version.values()) {
            if (version.name().equals("HTTP_3")) {
                continue;
            }
            for (String method : new String[] {"GET", "POST", "DELETE"}) {
                boolean hasBody = method.startsWith("P");
                rows.row("sent.client." + version + "." + method.toLowerCase(),
                    "java.net.http, " + version + ", sends " + method
                        + (hasBody ? " with a body of 1 byte" : ""),
                    () -> sent(version, method, hasBody));
            }
        }
    }

    private static String sent(HttpClient.Version version, String method, boolean hasBody)
            throws Exception {
        try (WirePeer peer = WirePeer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) {
            HttpRequest request = HttpRequest.newBuilder(peer.url("/x").toURI())
                .method(method, hasBody ? HttpRequest.BodyPublishers.ofString("A")
                    : HttpRequest.BodyPublishers.noBody())
                .version(version).build();
            CLIENT.builder().build().send(request, BodyHandlers.discarding());
            return peer.seen();
        }
    }
}
