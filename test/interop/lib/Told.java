// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How is a failure described in one line? */
final class Told {
    /** What stands between the JDK's own words and the peer's. */
    static final String PEER = " | the peer: ";
    /** What a peer reports of RFC 8446: the alert that it read from the wire, or none. */
    private static final Pattern ANSWER = Pattern.compile("\\banswered=([a-z_]+)");
    /** A peer that was sent an alert: JSSE, and what OpenSSL, BoringSSL and Conscrypt call it. */
    private static final Pattern RECEIVED = Pattern.compile(
        "(?i)received fatal alert: ([a-z_]+)|(?:sslv3|tlsv1|tlsv13)[ _]alert[ _]([a-z_ ]+)");
    /** JSSE, from 13 on, names the alert that it sends or has received. */
    private static final Pattern NAMED = Pattern.compile("\\(([a-z]+_[a-z_]+)\\)");

    private Told() { }

    /** {@code SSLHandshakeException: Received fatal alert: handshake_failure}, with its causes. */
    static String chain(Throwable thrown) {
        List<String> parts = new ArrayList<>();
        for (Throwable one = thrown; one != null && parts.size() < 5; one = one.getCause()) {
            String text = one.getClass().getSimpleName() + ": " + one.getMessage();
            if (parts.isEmpty() || !parts.get(parts.size() - 1).endsWith(text)) {
                parts.add(text.replaceAll("\\s+", " "));
            }
        }
        return String.join(" < ", parts);
    }

    /**
     * The alert that the JDK under test sent, by its own words and the peer's; empty if none is
     * named, as in a row that the JDK did not refuse, or that it ended without an alert.
     */
    static String alertSent(String text) {
        Matcher answer = ANSWER.matcher(text);
        if (answer.find()) {
            return answer.group(1).equals("none") ? "" : answer.group(1);
        }
        int peer = text.indexOf(PEER);
        String own = peer < 0 ? text : text.substring(0, peer);
        if (RECEIVED.matcher(own).find()) {
            return "";      // the peer's alert ended the row
        }
        Matcher received = RECEIVED.matcher(text);
        if (received.find()) {
            String name = received.group(1) == null ? received.group(2) : received.group(1);
            return name.trim().toLowerCase(Locale.ROOT).replace(' ', '_');
        }
        Matcher named = NAMED.matcher(own);
        return named.find() ? named.group(1) : "";
    }
}
