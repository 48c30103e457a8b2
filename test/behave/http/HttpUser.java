// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.Locale;

/** A client of the JDK under test, as an application uses it. */
interface HttpUser {
    /** Part of the ids of rows: {@code url} for HttpURLConnection,
        {@code net} for java.net.http. */
    String name();

    /** Sends the request and reads the whole reply. */
    HttpAnswer send(Ask ask) throws Exception;

    /** What the application sees: status and body, or the exception. */
    default String see(Ask ask) {
        try {
            return send(ask).text();
        } catch (Exception e) {
            return Failure.text(e);
        }
    }

    /** A word for an id: small letters, digits and hyphens. */
    static String word(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-")
            .replaceAll("^-|-$", "");
    }
}
