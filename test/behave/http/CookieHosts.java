// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** To which hosts does a cookie go that one of them has set? No server is asked. */
final class CookieHosts implements Topic {
    private static final String[][] FIELDS = {
        {"plain", "Set-Cookie", "a=b"},
        {"domain", "Set-Cookie", "a=b; Domain=a.example"},
        {"domain-dot", "Set-Cookie", "a=b; Domain=.a.example"},
        {"domain-host", "Set-Cookie", "a=b; Domain=www.a.example"},
        {"domain-foreign", "Set-Cookie", "a=b; Domain=b.example"},
        {"domain-top", "Set-Cookie", "a=b; Domain=.example"},
        {"version-1", "Set-Cookie2", "a=b;Version=1"},
        {"version-1-domain", "Set-Cookie2", "a=b;Version=1;Domain=.a.example"},
        {"path", "Set-Cookie", "a=b; Path=/x"},
        {"secure", "Set-Cookie", "a=b; Secure"},
    };
    private static final String[] ASKED = {
        "http://www.a.example/x", "http://www.a.example/y", "http://www.a.example:81/x",
        "https://www.a.example/x", "http://WWW.A.EXAMPLE/x", "http://a.example/x",
        "http://other.a.example/x", "http://wwwa.example/x", "http://xwww.a.example/x",
        "http://www.a.example.org/x", "http://b.example/x", "https://b.example/x",
        "http://localhost/x", "http://127.0.0.1/x",
    };

    private static final String[][] PATHS = {{"none", ""}, {"root", "/"}, {"a", "/a"},
        {"a-slash", "/a/"}, {"a-b", "/a/b"}, {"relative", "a"}, {"capital", "/A"}};
    private static final String[] PATHS_ASKED = {"", "/", "/a", "/a/", "/a/b", "/a/b/c", "/ab", "/a?b",
        "/A", "/b"};

    @Override
    public String name() {
        return "cookie-host";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] field : FIELDS) {
            rows.row("cookie-host." + field[0], "www.a.example sets '" + field[1] + ": " + field[2]
                + "'; which of " + ASKED.length + " addresses get it?", () -> hosts(field));
        }
        for (String[] path : PATHS) {
            rows.row("cookie-host.path-of-" + path[0], "/a/set sets a cookie with "
                + (path[1].isEmpty() ? "no path" : "the path " + path[1]) + "; which of "
                + PATHS_ASKED.length + " paths get it?", () -> paths(path[1]));
        }
    }

    private static String paths(String path) throws Exception {
        CookieManager manager = new CookieManager(null, CookiePolicy.ACCEPT_ALL);
        manager.put(new URI("http://a.example/a/set"), Collections.singletonMap("Set-Cookie",
            Collections.singletonList("a=b" + (path.isEmpty() ? "" : "; Path=" + path))));
        List<String> given = new ArrayList<>();
        for (String asked : PATHS_ASKED) {
            List<String> cookies = manager.get(new URI("http://a.example" + asked),
                Collections.emptyMap()).get("Cookie");
            if (cookies != null && !cookies.isEmpty()) {
                given.add("'" + asked + "'");
            }
        }
        return given.isEmpty() ? "none" : String.join(", ", given);
    }

    private static String hosts(String[] field) throws Exception {
        CookieManager manager = new CookieManager(null, CookiePolicy.ACCEPT_ORIGINAL_SERVER);
        URI setter = new URI("https://www.a.example/x");
        manager.put(setter, Collections.singletonMap(field[1], Collections.singletonList(field[2])));
        List<String> given = new ArrayList<>();
        for (String address : ASKED) {
            URI uri = new URI(address);
            List<String> cookies = manager.get(uri, Collections.emptyMap()).get("Cookie");
            if (cookies != null && !cookies.isEmpty()) {
                given.add(address);
            }
        }
        return given.isEmpty() ? "none" : String.join(", ", given);
    }
}
