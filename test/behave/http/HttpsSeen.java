// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.HttpURLConnection;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.TreeMap;
import javax.net.ssl.HttpsURLConnection;

/** What does HttpsURLConnection tell of its connection, before, in and after the request? */
final class HttpsSeen implements Topic {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String[] ASKED = {"getCipherSuite", "getLocalCertificates",
        "getServerCertificates", "getPeerPrincipal", "getLocalPrincipal", "getSSLSession"};
    private static final int WITHIN_MS = 15_000;

    /** What an application does before it asks. */
    private interface Act {
        void on(HttpsURLConnection connection) throws IOException;
    }

    @Override
    public String name() {
        return "https";
    }

    @Override
    public void declare(TopicRows rows) {
        row(rows, "before", "nothing was sent", c -> { });
        row(rows, "connected", "it is connected", HttpURLConnection::connect);
        row(rows, "replied", "the head of the reply has come", HttpURLConnection::getResponseCode);
        row(rows, "read", "the reply has been read", c -> PlainClient.drain(c.getInputStream()));
        row(rows, "disconnected", "it was disconnected", c -> {
            c.getResponseCode();
            c.disconnect();
        });
        rows.row("https.null", "HttpsURLConnection: a factory and a verifier of null", () -> {
            try (TlsWire peer = new TlsWire("127.0.0.1", OK)) {
                HttpsURLConnection connection = Settings.openTls(peer.url("/x"));
                return refusal(() -> connection.setSSLSocketFactory(null)) + ", "
                    + refusal(() -> connection.setHostnameVerifier(null)) + ", "
                    + refusal(() -> HttpsURLConnection.setDefaultHostnameVerifier(null)) + ", "
                    + refusal(() -> HttpsURLConnection.setDefaultSSLSocketFactory(null));
            }
        });
        rows.row("https.default-verifier", "HttpsURLConnection: what says the default verifier?", () ->
            HttpsURLConnection.getDefaultHostnameVerifier().verify("127.0.0.1", null) + "");
        rows.row("https.fields", "HttpsURLConnection: fields, type and length of a reply", () -> {
            try (TlsWire peer = new TlsWire("127.0.0.1", OK)) {
                HttpsURLConnection c = Settings.openTls(peer.url("/x"));
                c.setRequestProperty("X-A", "a");
                return c.getRequestProperties() + ", " + c.getHeaderField("Content-Length") + ", "
                    + c.getHeaderField(0) + ", " + c.getHeaderFieldKey(1) + ", "
                    + c.getContentLength() + ", " + c.getContentType() + ", " + c.getResponseMessage()
                    + ", " + c.usingProxy();
            }
        }).within(WITHIN_MS);
    }

    private static void row(TopicRows rows, String id, String does, Act act) {
        rows.row("https." + id, "HttpsURLConnection: what does it tell of TLS when " + does + "?", () -> {
            try (TlsWire peer = new TlsWire("127.0.0.1", OK)) {
                HttpsURLConnection connection = Settings.openTls(peer.url("/x"));
                act.on(connection);
                return told(connection);
            }
        }).within(WITHIN_MS);
    }

    /** Not the suite itself, as that is for other rows. */
    private static String told(HttpsURLConnection connection) throws ReflectiveOperationException {
        TreeMap<String, String> told = new TreeMap<>();
        for (String asked : ASKED) {
            told.put(asked, told(connection, asked));
        }
        return told.toString();
    }

    /** Reflection, as getSSLSession came with 12, and with an update of 8 and 11. */
    private static String told(HttpsURLConnection connection, String asked)
            throws ReflectiveOperationException {
        Object answer;
        try {
            answer = HttpsURLConnection.class.getMethod(asked).invoke(connection);
        } catch (NoSuchMethodException e) {
            return "absent";
        } catch (InvocationTargetException e) {
            return e.getCause() instanceof RuntimeException
                ? Failure.refusal((RuntimeException) e.getCause()) : Failure.text(e.getCause());
        }
        if (asked.equals("getCipherSuite") || asked.equals("getSSLSession")) {
            return answer == null ? "null" : "some";
        }
        return answer instanceof Certificate[] ? Arrays.asList((Certificate[]) answer).size() + " of them"
            : String.valueOf(answer);
    }

    private static String refusal(Runnable call) {
        try {
            call.run();
            return "taken";
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }
}
