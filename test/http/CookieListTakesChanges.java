// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8365086: CookieStore.getURIs() and get(URI) should return an immutable List
 *
 * What goes wrong: the lists that the cookie store of a CookieManager returns take changes, as
 * CookieStore says they must not. The changes never reach the store: who logs a user out by
 * store.get(uri).clear() is told nothing, and the next request sends the cookie again. A fixed
 * build throws UnsupportedOperationException there.
 *
 * What it takes: a CookieManager with its own store.
 *
 * Control: removeAll(), which does take the cookies back.
 *
 * Judged by a count of cookies that were cleared in a list and are in the store all the same.
 *
 * Without its precondition
 *     -Dcookie.stored=off: inconclusive: The store had 0 cookies
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/http/CookieListTakesChanges.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib http/CookieListTakesChanges.java
 *     java -cp classes CookieListTakesChanges [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 21.0.9+10-LTS, Eclipse Adoptium
 *     cookies_cleared_and_kept = 1 cookies (bound 1)
 *       clear_threw: nothing
 *     reproduced: A list of the store was cleared, and the store still had the cookie
 *         (cookies_cleared_and_kept 1, bound 1).
 * On a fixed build:
 *     # java: 21.0.13+9-1-deb13u2-Debian, Debian
 *     cookies_cleared_and_kept = 0 cookies (bound 1)
 *       clear_threw: java.lang.UnsupportedOperationException
 *     not-reproduced: The list refused to be cleared (cookies_cleared_and_kept 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files says what clear() did.
 */

/*
 * @test
 * @bug 8365086
 * @summary A list of the cookie store must refuse changes
 * @library /lib
 * @run main/othervm CookieListTakesChanges control
 * @run main/othervm CookieListTakesChanges subject
 */

import java.net.CookieManager;
import java.net.CookieStore;
import java.net.HttpCookie;
import java.net.URI;

public class CookieListTakesChanges {
    private static final URI SITE = URI.create("https://a.example/");

    public static void main(String[] args) throws Exception {
        Reproducer.run("CookieListTakesChanges", "JDK-8365086", args,
            CookieListTakesChanges::measure);
    }

    private static void measure(Case which, Findings findings) {
        CookieStore store = new CookieManager().getCookieStore();
        if (!"off".equals(System.getProperty("cookie.stored"))) {
            store.add(SITE, new HttpCookie("user", "1"));
        }
        int cookies = store.get(SITE).size();
        findings.require(cookies == 1, "The store had " + cookies + " cookies (bound 1).");
        String answer = "nothing";
        if (which == Case.CONTROL) {
            store.removeAll();
        } else {
            try {
                store.get(SITE).clear();
            } catch (UnsupportedOperationException e) {
                answer = e.toString();
            }
        }
        findings.fact("clear_threw", answer);
        boolean isRefused = !"nothing".equals(answer);
        findings.judgeCount("cookies_cleared_and_kept",
            isRefused ? 0 : store.get(SITE).size(), 1, "cookies",
            "A list of the store was cleared, and the store still had the cookie",
            isRefused ? "The list refused to be cleared" : "The cookie was gone");
    }
}
