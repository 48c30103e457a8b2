// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.CookieStore;
import java.net.HttpCookie;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** What is a cookie as an application sees it, and which ones does a manager keep and give? */
final class CookiesKept implements Topic {
    private static final String SET = "Set-Cookie";
    private static final String SET2 = "Set-Cookie2";

    /** Domains of cookies, and hosts (RFC 2965, section 1). */
    private static final String[][] DOMAINS = {
        {".example.com", "www.example.com"}, {".example.com", "a.b.example.com"},
        {".example.com", "example.com"}, {"example.com", "www.example.com"},
        {"www.example.com", "WWW.example.com"}, {".com", "example.com"},
        {".local", "host.local"}, {".local", "host"}, {"host.local", "host"},
        {"127.0.0.1", "127.0.0.1"}, {".0.0.1", "127.0.0.1"}, {"", "example.com"},
    };

    /** Ports that a server names, each asked for on 80, 8080 and 443. */
    private static final String[][] PORTS = {
        {"none", ""}, {"bare", ";Port"}, {"one", ";Port=\"80\""}, {"two", ";Port=\"80,8080\""},
        {"blank", ";Port=\"80, 8080\""}, {"word", ";Port=\"eighty\""}, {"other", ";Port=\"1\""},
    };

    /** What an application does to a store with two cookies of two hosts. */
    private interface Act {
        Object on(CookieStore store) throws Exception;
    }

    @Override
    public String name() {
        return "cookie-kept";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] field : Cookies.FIELDS) {
            String shown = Cookies.shown(field[1].replace("\r\n", " | "));
            rows.row("cookie-kept.parsed." + field[0], "HttpCookie.parse of '" + shown + "'",
                () -> parsed(field[1].split("\r\n")[0]));
        }
        for (String[] domain : DOMAINS) {
            String id = domain[0].isEmpty() ? "none" : domain[0].replaceFirst("^\\.", "DOT-");
            rows.row("cookie-kept.domain." + id + "." + domain[1],
                "HttpCookie: does the domain '" + domain[0] + "' match the host " + domain[1] + "?",
                () -> String.valueOf(HttpCookie.domainMatches(domain[0], domain[1])));
        }
        for (String[] port : PORTS) {
            rows.row("cookie-kept.port." + port[0], "CookieManager: port 80 sets a cookie with the"
                + " attribute '" + port[1] + "'; which of three ports get it?", () -> ports(port[1]));
        }
        policies(rows);
        store(rows);
        rows.row("cookie-kept.order", "CookieManager: cookies of version 1 for /a, /a/b and / come in which"
            + " order?", () -> sent(SET2, "http://h.example/a/b/c", "x=1;Version=1;Path=\"/a\"",
                "y=2;Version=1;Path=\"/a/b\"", "z=3;Version=1;Path=\"/\""));
        rows.row("cookie-kept.order-plain", "CookieManager: cookies for /a, /a/b and / come in which order?",
            () -> sent(SET, "http://h.example/a/b/c", "x=1;Path=/a", "y=2;Path=/a/b", "z=3;Path=/"));
        rows.row("cookie-kept.again", "CookieManager: a cookie is set again", () -> sent(
            SET, "http://h.example/", "x=1", "y=2", "x=3"));
        rows.row("cookie-kept.other-path", "CookieManager: a cookie of that name has another path",
            () -> sent(SET, "http://h.example/a/b", "x=1;Path=/", "x=2;Path=/a"));
        rows.row("cookie-kept.deleted", "CookieManager: a cookie is set again with Max-Age=0", () -> sent(
            SET, "http://h.example/", "x=1", "y=2", "x=1;Max-Age=0"));
        rows.row("cookie-kept.attributes", "CookieManager: a cookie of version 1 has all its attributes",
            () -> sent(SET2, "http://h.a.example/a/b",
                "x=1;Version=1;Path=\"/a\";Domain=\".a.example\";Port=\"80\";Max-Age=60;Comment=\"c\""));
    }

    private static String parsed(String line) {
        List<String> seen = new ArrayList<>();
        try {
            for (HttpCookie cookie : HttpCookie.parse(line)) {
                seen.add(Cookies.shown(shown(cookie)));
            }
        } catch (IllegalArgumentException e) {
            return Failure.refusal(e);
        }
        return seen.toString();
    }

    private static String shown(HttpCookie cookie) {
        long age = cookie.getMaxAge();
        return cookie + " version " + cookie.getVersion() + ", path " + cookie.getPath() + ", domain "
            + cookie.getDomain() + ", age " + (Math.abs(age) > 1_000_000 ? "years" : age) + ", ports "
            + cookie.getPortlist() + ", comment " + cookie.getComment() + " " + cookie.getCommentURL()
            + (cookie.getSecure() ? ", secure" : "") + (cookie.isHttpOnly() ? ", HttpOnly" : "")
            + (cookie.getDiscard() ? ", discard" : "") + (cookie.hasExpired() ? ", expired" : "");
    }

    private static void policies(TopicRows rows) {
        CookiePolicy[] policies = {CookiePolicy.ACCEPT_ALL, CookiePolicy.ACCEPT_NONE,
            CookiePolicy.ACCEPT_ORIGINAL_SERVER, (uri, cookie) -> cookie.getName().equals("own"), null};
        String[] names = {"all", "none", "original", "own", "null"};
        for (int i = 0; i < policies.length; i++) {
            CookiePolicy policy = policies[i];
            rows.row("cookie-kept.policy." + names[i], "CookieManager with the policy " + names[i]
                + ": which of four cookies are kept?", () -> {
                    CookieManager manager = new CookieManager();
                    manager.setCookiePolicy(policy);
                    manager.put(new URI("http://www.a.example/x"), Collections.singletonMap(SET,
                        Arrays.asList("host=1", "own=2", "parent=3; Domain=.a.example",
                            "foreign=4; Domain=.b.example")));
                    TreeSet<String> kept = new TreeSet<>();
                    manager.getCookieStore().getCookies().forEach(cookie -> kept.add(cookie.getName()));
                    return kept.toString();
                });
        }
    }

    private static void store(TopicRows rows) {
        act(rows, "all", "its cookies", CookieStore::getCookies);
        act(rows, "uris", "its addresses", store -> new TreeSet<>(store.getURIs()));
        act(rows, "get-other-path", "what is asked for another path of the first host",
            store -> store.get(new URI("http://a.example/elsewhere")));
        act(rows, "get-secure", "what is asked for https of the first host",
            store -> store.get(new URI("https://a.example/")));
        act(rows, "get-unknown", "what is asked for an unknown host",
            store -> store.get(new URI("http://c.example/")));
        act(rows, "get-null", "no address", store -> store.get(null));
        act(rows, "add-null", "a cookie that is null", store -> {
            store.add(new URI("http://a.example/"), null);
            return store.getCookies();
        });
        act(rows, "add-expired", "one that has expired", store -> {
            HttpCookie cookie = new HttpCookie("late", "1");
            cookie.setMaxAge(0);
            store.add(new URI("http://a.example/"), cookie);
            return store.getCookies();
        });
        act(rows, "add-no-host", "one that has a domain and comes without an address", store -> {
            HttpCookie cookie = new HttpCookie("d", "1");
            cookie.setDomain(".d.example");
            cookie.setVersion(0);
            store.add(null, cookie);
            return store.get(new URI("http://www.d.example/"));
        });
        act(rows, "remove", "the first one, which is taken out",
            store -> store.remove(null, store.getCookies().get(0)) + " " + store.getCookies());
        act(rows, "remove-unknown", "one that is not there, which is taken out",
            store -> store.remove(new URI("http://a.example/"), new HttpCookie("q", "1")));
        act(rows, "clear", "nothing, as all are taken out twice",
            store -> store.removeAll() + " " + store.removeAll() + " " + store.getCookies());
        act(rows, "changed", "a cookie that is added to the list it gives",
            store -> store.getCookies().add(new HttpCookie("q", "1")));
    }

    private static void act(TopicRows rows, String id, String does, Act act) {
        rows.row("cookie-kept.store." + id, "a CookieStore of two cookies: " + does, () -> {
            CookieStore store = new CookieManager().getCookieStore();
            store.add(new URI("http://a.example/x"), HttpCookie.parse("a=1").get(0));
            store.add(new URI("http://b.example/x"), HttpCookie.parse("b=2; Secure").get(0));
            try {
                return String.valueOf(act.on(store));
            } catch (NullPointerException | UnsupportedOperationException e) {
                return "refused";       // as documented
            }
        });
    }

    private static String ports(String attribute) throws Exception {
        CookieManager manager = new CookieManager();
        manager.put(new URI("http://h.example/"), Collections.singletonMap(SET2,
            Collections.singletonList("a=b;Version=1" + attribute)));
        List<String> given = new ArrayList<>();
        for (String address : new String[] {"http://h.example/", "http://h.example:8080/",
            "https://h.example/"}) {
            if (!cookies(manager, address).isEmpty()) {
                given.add(address);
            }
        }
        return given.toString();
    }

    /** What goes to an address that has set these. */
    private static String sent(String field, String address, String... contents) throws Exception {
        CookieManager manager = new CookieManager();
        for (String content : contents) {
            manager.put(new URI(address), Collections.singletonMap(field,
                Collections.singletonList(content)));
        }
        return cookies(manager, address).toString();
    }

    private static List<String> cookies(CookieManager manager, String address) throws Exception {
        Map<String, List<String>> fields = manager.get(new URI(address), Collections.emptyMap());
        List<String> cookies = fields.get("Cookie");
        return cookies == null ? Collections.emptyList() : cookies;
    }
}
