// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/** What does a proxy see, and what becomes of its answers? */
final class Proxied implements Topic {
    /** A client that sends through a proxy. */
    interface ThroughProxy {
        HttpUser by(InetSocketAddress proxy) throws Exception;
    }

    private static final int SNI = 0;
    private static final int SNI_HEAD_BYTES = 5;
    private static final String END = "Content-Length: 0\r\n\r\n";
    private static final String[][] ANSWERS = {
        {"200-closed", "HTTP/1.1 200 OK\r\n\r\n"}, {"200-length", "HTTP/1.1 200 OK\r\n" + END},
        {"200-chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
        {"200-1-0", "HTTP/1.0 200 OK\r\n\r\n"}, {"201", "HTTP/1.1 201 Made\r\n" + END},
        {"204", "HTTP/1.1 204 No\r\n\r\n"},
        {"100-200", "HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"},
        {"302", "HTTP/1.1 302 Go\r\nLocation: http://a.example/\r\n" + END},
        {"400", "HTTP/1.1 400 No\r\n" + END}, {"403", "HTTP/1.1 403 No\r\n" + END},
        {"407", "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"r\"\r\n" + END},
        {"407-none", "HTTP/1.1 407 No\r\n" + END},
        {"407-digest", "HTTP/1.1 407 No\r\nProxy-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\n"
            + END},
        {"502", "HTTP/1.1 502 No\r\n" + END}, {"503", "HTTP/1.1 503 No\r\n" + END},
        {"garbage", "hello\r\n\r\n"}, {"nothing", ""},
        {"large-head", "HTTP/1.1 200 OK\r\nX-A: " + ReplyRows.times(400_000, "a") + "\r\n\r\n"},
    };
    private static final String[][] URLS = {
        {"plain", "http://a.example/x?y#z"}, {"port", "http://a.example:81/x"},
        {"no-path", "http://a.example"}, {"user", "http://u:p@a.example/x"},
        {"ip-6", "http://[::1]:81/x"}, {"capitals", "http://A.EXAMPLE/x"},
    };

    private final HttpUser user;
    private final ThroughProxy through;

    Proxied(HttpUser user, ThroughProxy through) {
        this.user = user;
        this.through = through;
    }

    @Override
    public String name() {
        return "proxy";
    }

    @Override
    public void declare(TopicRows rows) {
        String prefix = "proxy." + user.name() + ".";
        for (String[] url : URLS) {
            for (String method : new String[] {"GET", "POST"}) {
                rows.row(prefix + HttpUser.word(method) + "-" + url[0], user + ": " + method
                    + " of " + url[1] + " through a proxy", () -> proxied(Redirected.OK,
                        Ask.any(method, new URL(url[1]))));
            }
        }
        for (String[] answer : ANSWERS) {
            rows.row(prefix + "connect-" + answer[0], user + ": a proxy answers CONNECT by "
                + answer[0] + ", and closes", () -> proxied(answer[1],
                    Ask.get(new URL("https://a.example/x"))));
            rows.row(prefix + "answer-" + answer[0], user + ": a proxy answers GET by "
                + answer[0] + ", and closes", () -> proxied(answer[1],
                    Ask.get(new URL("http://a.example/x"))));
        }
        rows.row(prefix + "connect-fields", user + ": which fields of its own go to a proxy with"
            + " CONNECT", () -> proxied("HTTP/1.1 403 No\r\n" + END, Ask.get(
                new URL("https://a.example:444/x")).field("Authorization", "Bearer x")
                .field("Cookie", "a=b").field("X-Mine", "c").field("User-Agent", "own")));
        for (String host : new String[] {"a.example", "a.example.", "192.0.2.1"}) {
            rows.row(prefix + "tunnel-to-" + HttpUser.word(host.endsWith(".") ? host + "dot" : host),
                user + ": which name is in the hello that comes through a tunnel to " + host,
                () -> tunnelled(host));
        }
        rows.row(prefix + "own-proxy-authorization", user + ": Proxy-Authorization of the"
            + " application through a proxy", () -> proxied(Redirected.OK, Ask.get(
                new URL("http://a.example/x")).field("Proxy-Authorization", "Basic x")));
    }

    /** Which name is in the hello that comes through the tunnel? */
    private String tunnelled(String host) throws Exception {
        String[] name = {"no hello"};
        try (WirePeer peer = new WirePeer(request -> {
            request.socket.getOutputStream().write(
                "HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            ClientHello hello = new ClientHello(TlsRecord.read(request.in));
            byte[] sni = hello.extension(SNI);
            name[0] = sni == null ? "no SNI"
                : new String(sni, SNI_HEAD_BYTES, sni.length - SNI_HEAD_BYTES,
                    StandardCharsets.US_ASCII);
            return WirePeer.CLOSE;
        })) {
            HttpUser client = through.by(new InetSocketAddress(TlsPeer.loopback(), peer.port()));
            String seen = client.see(Ask.get(new URL("https://" + host + "/x")));
            return peer.requests().isEmpty() ? seen
                : peer.requests().get(0).target() + "; " + name[0];
        }
    }

    private String proxied(String answer, Ask ask) throws Exception {
        try (WirePeer peer = WirePeer.answering(answer + WirePeer.CLOSE)) {
            HttpUser client = through.by(new InetSocketAddress(TlsPeer.loopback(), peer.port()));
            // Which of two texts comes is a race between the end and what is sent.
            String seen = client.see(ask).replaceAll("Remote host \\w+ the \\w+",
                "Remote host ended");
            return seen + "; the proxy gets " + peer.seen();
        }
    }
}
