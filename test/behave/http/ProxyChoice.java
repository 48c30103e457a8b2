// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Which proxy does the default selector choose, and what does HttpURLConnection make of several? */
final class ProxyChoice implements Topic {
    private static final String[][] URLS = {
        {"plain", "http://a.example/x"}, {"tls", "https://a.example/x"}, {"ftp", "ftp://a.example/x"},
        {"socket", "socket://a.example:1"}, {"exact", "http://exact.example/x"},
        {"exact-below", "http://sub.exact.example/x"}, {"exact-port", "http://exact.example:81/x"},
        {"exact-capitals", "http://EXACT.example/x"}, {"exact-tls", "https://exact.example/x"},
        {"star-first", "http://host.first.example/x"}, {"star-first-deep", "http://a.b.first.example/x"},
        {"star-first-bare", "http://first.example/x"}, {"star-last", "http://10.1.2.3/x"},
        {"star-last-not", "http://110.1.2.3/x"}, {"star-both", "http://the-middle-host.example/x"},
        {"localhost", "http://localhost/x"}, {"loopback", "http://127.0.0.1/x"},
        {"loopback-other", "http://127.1.2.3/x"}, {"loopback-6", "http://[::1]/x"},
        {"any", "http://0.0.0.0/x"}, {"no-dot", "http://host/x"}, {"unknown-scheme", "other://a/x"},
        {"no-host", "http:/x"},
    };

    @Override
    public String name() {
        return "proxy-choice";
    }

    @Override
    public boolean isAlone() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] url : URLS) {
            rows.row("proxy-choice.default." + url[0], "the default selector is asked for " + url[1]
                + ", http.nonProxyHosts having names and patterns", () -> chosen(url[1]));
        }
        for (String last : new String[] {"a proxy that answers", "no proxy"}) {
            rows.row("proxy-choice.second." + HttpUser.word(last), "HttpURLConnection: a selector names"
                + " a proxy that is down, and then " + last,
                () -> second(last.equals("no proxy")));
        }
    }

    private static String chosen(String url) {
        String[][] properties = {{"http.proxyHost", "proxy.example"}, {"http.proxyPort", "8080"},
            {"https.proxyHost", "tls-proxy.example"}, {"ftp.proxyHost", "ftp-proxy.example"},
            {"http.nonProxyHosts", "exact.example|*.first.example|10.*|*middle*"}};
        for (String[] property : properties) {
            System.setProperty(property[0], property[1]);
        }
        try {
            return String.valueOf(ProxySelector.getDefault().select(URI.create(url)))
                .replaceAll("/<unresolved>", "");
        } catch (IllegalArgumentException e) {
            return Failure.refusal(e);
        } finally {
            for (String[] property : properties) {
                System.clearProperty(property[0]);
            }
        }
    }

    private static String second(boolean isDirect) throws Exception {
        try (WirePeer peer = WirePeer.answering(Redirected.OK)) {
            Proxy down = new Proxy(Proxy.Type.HTTP, new java.net.InetSocketAddress(
                TlsPeer.loopback(), closedPort()));
            Proxy next = isDirect ? Proxy.NO_PROXY : new Proxy(Proxy.Type.HTTP,
                new java.net.InetSocketAddress(TlsPeer.loopback(), peer.port()));
            return asked(Arrays.asList(down, next), peer);
        }
    }

    private static String asked(List<Proxy> proxies, WirePeer peer) throws Exception {
        List<String> events = Collections.synchronizedList(new ArrayList<>());
        ProxySelector old = ProxySelector.getDefault();
        ProxySelector.setDefault(new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
                events.add("asked for " + uri);
                return proxies;
            }

            @Override
            public void connectFailed(URI uri, SocketAddress address, IOException e) {
                events.add("told of " + e.getClass().getSimpleName());
            }
        });
        try {
            String seen;
            try {
                seen = String.valueOf(((java.net.HttpURLConnection) peer.url("/x")
                    .openConnection()).getResponseCode());
            } catch (IOException e) {
                seen = Failure.text(e);
            }
            return seen + "; " + events + "; requests " + peer.requests().size();
        } finally {
            ProxySelector.setDefault(old);
        }
    }

    /** A port on which nobody listens. */
    private static int closedPort() throws IOException {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0, 1, TlsPeer.loopback())) {
            return socket.getLocalPort();
        }
    }
}
