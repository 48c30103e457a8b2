// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How is a failure described in one line? */
final class Told {
    private static final Pattern ALERT =
        Pattern.compile("(?:fatal alert: |alert description: |\\(fatal\\) |^\\(|: \\(|\\()([a-z]+_[a-z_]+)\\)?");

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

    /** The alert that an exception's text names; empty if none. */
    static String alert(String text) {
        Matcher alert = ALERT.matcher(text);
        return alert.find() ? alert.group(1) : "";
    }
}
