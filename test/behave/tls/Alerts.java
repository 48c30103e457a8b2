// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.Arrays;

/** What does a server make of an alert that comes after the handshake (RFC 8446 6)? */
final class Alerts implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final int WARNING = 1;
    private static final int FATAL = 2;
    private static final int NO_LEVEL = 3;

    @Override
    public String name() {
        return "alert";
    }

    @Override
    public void declare(TopicRows rows) {
        goingOn(rows, "user-canceled", 90);
        goingOn(rows, "no-renegotiation", 100);
        goingOn(rows, "unrecognized-name", 112);
        ending(rows, "close-notify", WARNING, 0);
        ending(rows, "unknown", WARNING, 200);
        ending(rows, "fatal", FATAL, 80);
        ending(rows, "no-level", NO_LEVEL, 100);
        ending(rows, "short", WARNING);
    }

    private static void goingOn(TopicRows rows, String id, int code) {
        rows.row("alert." + id, "a server of TLS 1.3 is sent the warning " + code + ", and a byte that"
            + " it is to send back", () -> seen(RawClient::answer, WARNING, code))
            .within(WITHIN_MS);
    }

    /** Nothing is sent after it: what a server that ends has not read resets the connection. */
    private static void ending(TopicRows rows, String id, int... alert) {
        rows.row("alert." + id, "a server of TLS 1.3 is sent an alert of the bytes "
            + Arrays.toString(alert) + "; what does it send?", () -> seen(RawClient::said, alert))
            .within(WITHIN_MS);
    }

    private interface Look {
        String at(RawClient client) throws Exception;
    }

    private static String seen(Look look, int... alert) throws Exception {
        byte[] bytes = new byte[alert.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) alert[i];
        }
        try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo);
                RawClient client = RawClient.connect(server.address())) {
            client.send(TlsRecord.ALERT, bytes);
            return look.at(client);
        }
    }
}
