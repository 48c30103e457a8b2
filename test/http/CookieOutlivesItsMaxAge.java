// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8351983: HttpCookie Parser Incorrectly Handles Cookies with Expires Attribute
 *
 * What goes wrong: a server takes a cookie back with Max-Age=0 and also sends Expires, for old
 * browsers. The cookie stays: the attribute that comes first counts, whereas Max-Age should count
 * in any order (RFC 6265 4.1.2.2). A user who has logged out is still sent as logged in.
 *
 * What it takes: a CookieManager, and Set-Cookie with Expires before Max-Age.
 *
 * Control: Max-Age comes first.
 *
 * Judged by a count of cookies kept.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: did not say the cookie
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/http/CookieOutlivesItsMaxAge.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib http/CookieOutlivesItsMaxAge.java
 *     java -cp classes CookieOutlivesItsMaxAge [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     cookies_kept = 1 cookies (bound 1)
 *       taken_back_by: Expires=Thu, 01-Jan-2099 00:00:00 GMT; Max-Age=0
 *       said_after_it_was_set: true
 *       said_after_it_was_taken_back: true
 *     reproduced: A cookie that the server had taken back was sent again (cookies_kept 1,
 *         bound 1).
 * On a fixed build:
 *     # java: 26.0.2.1+1-1-Debian, Debian
 *     cookies_kept = 0 cookies (bound 1)
 *       taken_back_by: Expires=Thu, 01-Jan-2099 00:00:00 GMT; Max-Age=0
 *       said_after_it_was_set: true
 *       said_after_it_was_taken_back: false
 *     not-reproduced: The cookie was gone (cookies_kept 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files says whether the next request carried the cookie.
 */

/*
 * @test
 * @bug 8351983
 * @summary Max-Age of a cookie must count before Expires, in any order
 * @key waits
 * @library /lib
 * @run main/othervm CookieOutlivesItsMaxAge control
 * @run main/othervm CookieOutlivesItsMaxAge subject
 */

import java.io.IOException;
import java.net.CookieHandler;
import java.net.CookieManager;

public class CookieOutlivesItsMaxAge {
    private static final String LATER = "Expires=Thu, 01-Jan-2099 00:00:00 GMT";
    private static final String NOW = "Max-Age=0";

    public static void main(String[] args) throws Exception {
        Reproducer.run("CookieOutlivesItsMaxAge", "JDK-8351983", args,
            CookieOutlivesItsMaxAge::measure);
    }

    private static String takenBack(Case which) {
        return which == Case.SUBJECT ? LATER + "; " + NOW : NOW + "; " + LATER;
    }

    private static void measure(Case which, Findings findings) throws Exception {
        CookieHandler.setDefault(new CookieManager());
        boolean[] said = new boolean[4];
        try (ScriptedPeer peer =
                new ScriptedPeer("peer", exchange -> answer(which, exchange, said))) {
            for (int request = 1; request < said.length; request++) {
                PlainClient.drain(PlainClient.open(peer.url("/" + request)).getInputStream());
            }
            findings.fact("taken_back_by", takenBack(which));
            findings.fact("said_after_it_was_set", said[2]);
            findings.fact("said_after_it_was_taken_back", said[3]);
            findings.require(said[2], "The client did not say the cookie that it was sent.");
            findings.judgeCount("cookies_kept", said[3] ? 1 : 0, 1, "cookies",
                "A cookie that the server had taken back was sent again",
                "The cookie was gone");
        }
    }

    private static void answer(Case which, Exchange exchange, boolean[] said) throws IOException {
        int request = Integer.parseInt(exchange.path.substring(1));
        said[request] = exchange.asks("Cookie: user=1");
        exchange.send("HTTP/1.1 200 OK\r\nSet-Cookie: user=1; Path=/"
            + (request == 1 ? "" : "; " + takenBack(which))
            + "\r\nContent-Length: 0\r\n\r\n");
    }
}
