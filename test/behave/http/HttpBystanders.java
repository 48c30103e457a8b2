// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;

/** While one request is stuck, are others answered? */
final class HttpBystanders implements Topic {
    private static final int WITHIN_MS = 30_000;
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final HttpUser user;

    HttpBystanders(HttpUser user) {
        this.user = user;
    }

    @Override
    public String name() {
        return "beside-http";
    }

    @Override
    public void declare(TopicRows rows) {
        client(rows, "same-host", "asks the same host", true);
        client(rows, "other-host", "asks another host", false);
        if (user instanceof UrlUser) {      // once for both clients
            served(rows, "handler", "a handler is stuck", "GET /stuck HTTP/1.1\r\nHost: a\r\n\r\n");
            served(rows, "body", "a body does not come to its end",
                "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na");
            served(rows, "head", "a head does not come to its end", "GET /head HTTP/1.1\r\nHost:");
        }
    }

    private void client(TopicRows rows, String id, String does, boolean isSameHost) {
        rows.row("beside-http." + user.name() + "." + id, user + ": a request gets no answer;"
            + " another thread " + does, () -> {
                Bystander bystander = new Bystander();
                try (WirePeer silent = new WirePeer(request -> {
                    if (request.text().contains("/stuck")) {
                        bystander.stick();
                    }
                    return OK;
                }); WirePeer other = WirePeer.answering(OK)) {
                    return bystander.see(() -> user.see(Ask.get(silent.url("/stuck"))),
                        () -> user.see(Ask.get((isSameHost ? silent : other).url("/other"))));
                }
            }).within(WITHIN_MS);
    }

    private static void served(TopicRows rows, String id, String does, String raw) {
        rows.row("beside-http.server." + id, "HttpServer: " + does + "; is another request answered?",
            () -> {
                Bystander bystander = new Bystander();
                HttpServer server = ServedRaw.start("/", exchange -> {
                    if (exchange.getRequestURI().getPath().equals("/stuck")) {
                        bystander.stick();
                    }
                    ServedRaw.echo(exchange);
                });
                try (Socket socket = new Socket(TlsPeer.loopback(), server.getAddress().getPort())) {
                    socket.getOutputStream().write(raw.getBytes(StandardCharsets.US_ASCII));
                    Callable<String> stuck = () -> {
                        if (!raw.contains("/stuck")) {
                            bystander.stick();
                        }
                        return firstLine(socket, raw);
                    };
                    return bystander.see(stuck, () -> ServedRaw.exchange(server, ServedRaw.PROBE)
                        .replaceAll(" \\|.*", ""));
                } finally {
                    ServedRaw.stop(server);
                }
            }).within(WITHIN_MS);
    }

    /** Sends what is missing, and reads the first line of the answer. */
    private static String firstLine(Socket socket, String raw) throws IOException {
        if (raw.endsWith("Host:")) {
            socket.getOutputStream().write(" a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        } else if (raw.startsWith("POST")) {
            socket.getOutputStream().write(new byte[8]);
        }
        StringBuilder line = new StringBuilder();
        InputStream in = socket.getInputStream();
        for (int next = in.read(); next >= 0 && next != '\r'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString();
    }
}
