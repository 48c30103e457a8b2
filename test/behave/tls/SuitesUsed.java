// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import javax.net.ssl.SSLSession;

/** Does each suite carry data, in which records, and does it notice a record that was changed? */
final class SuitesUsed implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final int LARGE_BYTES = 20_000;
    private static final String[][] SUITES = {
        {"TLSv1.3", "TLS_AES_128_GCM_SHA256"}, {"TLSv1.3", "TLS_AES_256_GCM_SHA384"},
        {"TLSv1.3", "TLS_CHACHA20_POLY1305_SHA256"},
        {"TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"},
        {"TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"},
        {"TLSv1.2", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"},
        {"TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"},
        {"TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA"},
        {"TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256"},
        {"TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384"},
    };

    @Override
    public String name() {
        return "suite";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] suite : SUITES) {
            rows.row("suite.used." + suite[1], "two engines send 0, 1 and 20,000 bytes by " + suite[1],
                () -> used(suite)).within(WITHIN_MS);
            rows.row("suite.changed." + suite[1], "the last bit of a record is changed, " + suite[1],
                () -> changed(suite)).within(WITHIN_MS);
        }
    }

    private static EngineTalk talk(String[] suite) throws Exception {
        return SessionsSeen.ran(EngineTalk.rsa(suite[0]).suite(suite[1]));
    }

    private static String used(String[] suite) throws Exception {
        EngineTalk talk = talk(suite);
        int client = talk.client.sent.size();
        int server = talk.server.sent.size();
        talk.client.send(new byte[1]);
        talk.run();
        talk.server.send(new byte[LARGE_BYTES]);
        talk.run();
        talk.client.engine.closeOutbound();
        talk.run();
        SSLSession session = talk.server.engine.getSession();
        return "read " + talk.server.read.size() + " and " + talk.client.read.size() + "; client "
            + talk.client.recordsFrom(client) + "; server " + talk.server.recordsFrom(server) + "; "
            + talk.ends() + "; " + session.getCipherSuite().equals(suite[1]);
    }

    /** By chance the padding is wrong or what comes before it. */
    private static String changed(String[] suite) throws Exception {
        EngineTalk talk = talk(suite);
        talk.server.send(new byte[100]);
        talk.client.flipLastBit();
        talk.run();
        return talk.client.failure.replaceFirst(":.*", "") + "; read " + talk.client.read.size()
            + "; is closed " + talk.client.engine.isOutboundDone();
    }
}
