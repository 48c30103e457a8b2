// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.CookieHandler;
import java.net.HttpCookie;
import java.util.ArrayList;
import java.util.List;

/** Which cookies are kept and sent again, by what a server sets? */
final class Cookies implements Topic {
    static final String[][] FIELDS = {
        {"sound", "Set-Cookie: a=b"}, {"empty", "Set-Cookie: a="}, {"name-only", "Set-Cookie: a"},
        {"no-name", "Set-Cookie: =b"}, {"nothing", "Set-Cookie:"},
        {"quoted", "Set-Cookie: a=\"b\""}, {"quoted-blank", "Set-Cookie: a=\"b c\""},
        {"blank", "Set-Cookie: a=b c"}, {"comma", "Set-Cookie: a=b,c=d"},
        {"equals", "Set-Cookie: a=b=c"}, {"semicolon-last", "Set-Cookie: a=b;"},
        {"blanks", "Set-Cookie:  a = b "}, {"high-byte", "Set-Cookie: a=\u00e4"},
        {"dollar", "Set-Cookie: $a=b"}, {"dollar-value", "Set-Cookie: a=$b"},
        {"token", "Set-Cookie: a(b=c"}, {"two", "Set-Cookie: a=b\r\nSet-Cookie: c=d"},
        {"same-twice", "Set-Cookie: a=b\r\nSet-Cookie: a=c"},
        {"cookie2", "Set-Cookie2: a=b;Version=1"},
        {"small", "set-cookie: a=b"}, {"path-root", "Set-Cookie: a=b; Path=/"},
        {"path-same", "Set-Cookie: a=b; Path=/x"}, {"path-other", "Set-Cookie: a=b; Path=/y"},
        {"path-prefix", "Set-Cookie: a=b; Path=/x/y"}, {"path-empty", "Set-Cookie: a=b; Path="},
        {"path-relative", "Set-Cookie: a=b; Path=x"}, {"path-slash", "Set-Cookie: a=b; Path=/x/"},
        {"domain-same", "Set-Cookie: a=b; Domain=127.0.0.1"},
        {"domain-dot", "Set-Cookie: a=b; Domain=.127.0.0.1"},
        {"domain-other", "Set-Cookie: a=b; Domain=other.example"},
        {"domain-suffix", "Set-Cookie: a=b; Domain=.0.0.1"},
        {"domain-empty", "Set-Cookie: a=b; Domain="}, {"secure", "Set-Cookie: a=b; Secure"},
        {"http-only", "Set-Cookie: a=b; HttpOnly"},
        {"same-site", "Set-Cookie: a=b; SameSite=Strict"},
        {"unknown", "Set-Cookie: a=b; Other=c"}, {"max-age-60", "Set-Cookie: a=b; Max-Age=60"},
        {"max-age-0", "Set-Cookie: a=b; Max-Age=0"},
        {"max-age-minus", "Set-Cookie: a=b; Max-Age=-5"},
        {"max-age-odd", "Set-Cookie: a=b; Max-Age=x"},
        {"max-age-huge", "Set-Cookie: a=b; Max-Age=99999999999999999999"},
        {"expires-past", "Set-Cookie: a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT"},
        {"expires-future", "Set-Cookie: a=b; Expires=Fri, 01 Jan 2100 00:00:00 GMT"},
        {"expires-hyphens", "Set-Cookie: a=b; Expires=Fri, 01-Jan-2100 00:00:00 GMT"},
        {"expires-2-digits", "Set-Cookie: a=b; Expires=Fri, 01-Jan-70 00:00:00 GMT"},
        {"expires-asctime", "Set-Cookie: a=b; Expires=Fri Jan 01 00:00:00 2100"},
        {"expires-odd", "Set-Cookie: a=b; Expires=never"},
        {"expires-and-max-age",
            "Set-Cookie: a=b; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"},
        {"max-age-and-expires",
            "Set-Cookie: a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60"},
        {"version-1", "Set-Cookie: a=b; Version=1"}, {"version-odd", "Set-Cookie: a=b; Version=x"},
        {"comment", "Set-Cookie: a=b; Comment=c"}, {"port", "Set-Cookie2: a=b;Version=1;Port"},
        {"port-other", "Set-Cookie2: a=b;Version=1;Port=\"1\""},
        {"discard", "Set-Cookie2: a=b;Version=1;Discard"}, {"long", "Set-Cookie: a="
            + ReplyRows.times(5000, "b")},
    };

    private final HttpUser user;

    /** @param user whose cookies are those of {@link PortCookies#shared} */
    Cookies(HttpUser user) {
        this.user = user;
    }

    @Override
    public String name() {
        return "cookie";
    }

    @Override
    public boolean isAlone() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] field : FIELDS) {
            String shown = field[1].length() > 200 ? "5 kB" : field[1].replace("\r\n", " | ");
            rows.row("cookie." + user.name() + "." + field[0], user + ": a server sends '" + shown
                + "'; which cookie comes with the next request?", () -> cookies(field[1],
                    "200 OK"));
        }
        for (String status : new String[] {"302 Go\r\nLocation: /x", "404 No", "401 No",
            "500 No"}) {
            rows.row("cookie." + user.name() + ".of-" + status.substring(0, 3), user + ": a cookie"
                + " is set by a reply " + status.substring(0, 3),
                () -> cookies("Set-Cookie: a=b", status));
        }
    }

    private String cookies(String field, String status) throws Exception {
        try (WirePeer peer = new WirePeer(request -> request.ordinal > 1 ? Redirected.OK
                : "HTTP/1.1 " + status + "\r\n" + field + "\r\nContent-Length: 0\r\n\r\n")) {
            CookieHandler.setDefault(PortCookies.shared());
            java.net.CookieManager manager = PortCookies.shared().keep(peer.port());
            String seen;
            try {
                seen = user.see(Ask.get(peer.url("/x")).following());
                user.see(Ask.get(peer.url("/x/next")));
            } finally {
                CookieHandler.setDefault(null);     // with it, other rows' own Cookie is dropped
            }
            List<String> kept = new ArrayList<>();
            for (HttpCookie cookie : manager.getCookieStore().getCookies()) {
                kept.add(shown(cookie.toString()) + " for " + cookie.getDomain()
                    + cookie.getPath());
            }
            int count = peer.requests().size();
            return seen + "; keeps " + kept + "; sends "
                + shown(peer.requests().get(count - 1).field("Cookie"));
        }
    }

    static String shown(String cookie) {
        return cookie.length() > 300 ? cookie.length() + " characters" : cookie;
    }
}
