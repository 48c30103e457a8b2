// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.IOException;
import java.net.URL;
import java.util.List;

/**
 * Two plain servers: the first redirects what asks for {@code /a}, and answers all else with 200,
 * as the second does.
 */
final class Redirected implements Closeable {
    static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String OK_TO_HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";

    /** Fields that an application may set and that a redirect may drop. */
    private static final String[] FIELDS = {
        "Authorization", "Cookie", "Referer", "X-Mine", "Content-Type", "User-Agent", "Accept",
        "Proxy-Authorization"};

    private final WirePeer second = new WirePeer(request -> ok(request.method()));
    private final WirePeer first;

    /**
     * Starts both.
     *
     * @param redirect a reply: SAME, PORT, HOST are replaced by the authority of the first server,
     *     the second one, and the first one by another name
     */
    Redirected(String redirect) throws IOException {
        first = new WirePeer(request -> request.target().equals("/a") ? placed(redirect)
            : ok(request.method()));
    }

    /** A redirect with an empty body. */
    static String to(int status, String location) {
        return "HTTP/1.1 " + status + " Go\r\nLocation: " + location
            + "\r\nContent-Length: 0\r\n\r\n";
    }

    /** Sends with fields of an application, and says what came last. */
    String follow(HttpUser user, Ask ask) {
        String seen;
        try {
            seen = user.send(ask).text();
        } catch (Exception e) {
            // That an address is malformed is said well; by which cause does not matter.
            seen = Failure.text(e).replaceFirst("(MalformedURLException: [^<]*) <- .*", "$1");
        }
        return seen + "; " + last();
    }

    /** An address of the first server that is redirected. */
    URL url() throws IOException {
        return first.url("/a");
    }

    int requests() {
        return first.requests().size() + second.requests().size();
    }

    /** The request that was sent last: method, target, which fields, and the body. */
    String last() {
        List<WireRequest> requests = first.requests();
        requests.addAll(second.requests());
        if (requests.size() < 2) {
            return "not followed";
        }
        WireRequest last = requests.get(requests.size() - 1);
        StringBuilder text = new StringBuilder(last.method() + " " + Masked.text(last.target()));
        for (String field : FIELDS) {
            if (last.field(field).contains("mine")) {
                text.append(", ").append(field);
            }
        }
        String length = last.field("Content-Length");
        return text + (length.isEmpty() ? ", no length" : ", length " + length)
            + (last.body.isEmpty() ? ", no body" : ", body " + last.body.trim().length());
    }

    @Override
    public void close() throws IOException {
        first.close();
        second.close();
    }

    private static String ok(String method) {
        return "HEAD".equals(method) ? OK_TO_HEAD : OK;
    }

    private String placed(String redirect) {
        return redirect.replace("SAME", "127.0.0.1:" + first.port())
            .replace("PORT", "127.0.0.1:" + second.port())
            .replace("HOST", "localhost:" + first.port());
    }
}
