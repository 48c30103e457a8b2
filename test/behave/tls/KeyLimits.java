// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.Security;
import java.util.Arrays;
import java.util.List;

/** Are new keys made once so many bytes went by the old ones ({@code jdk.tls.keyLimits})? */
final class KeyLimits implements Topic {
    private static final String[] SUITES = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"};
    private static final int PIECES = 20;
    private static final int PIECE_BYTES = 16_000;
    /** A byte, the head of its message, the inner type and the tag; JSSE adds zeros (5.4). */
    private static final int MOST_KEY_UPDATE_BYTES = 1 + 4 + 1 + 16 + 16;

    @Override
    public String name() {
        return "key-limit";
    }

    @Override
    public List<String> options() {
        // The limits are read when JSSE is loaded, and those rows use no TLS.
        return new Lookups().options();
    }

    @Override
    public boolean isAlone() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        for (String suite : SUITES) {
            for (boolean isClient : new boolean[] {true, false}) {
                String side = isClient ? "client" : "server";
                rows.row("key-limit." + side + "." + suite, "a " + side + " sends 320,000 bytes by "
                    + suite + ", the limit being 65,536", () -> updates(suite, isClient));
            }
        }
    }

    private static String updates(String suite, boolean isClient) throws Exception {
        Security.setProperty("jdk.tls.keyLimits", "AES/GCM/NoPadding KeyUpdate 2^16");
        EngineTalk talk = EngineTalk.rsa("TLSv1.3").suite(suite).run();
        EngineTalk.Side sender = isClient ? talk.client : talk.server;
        EngineTalk.Side reader = isClient ? talk.server : talk.client;
        int senderBegin = sender.sent.size();
        int readerBegin = reader.sent.size();
        for (int i = 0; i < PIECES; i++) {
            sender.send(new byte[PIECE_BYTES]);
            talk.run();
        }
        return updates(sender, senderBegin) + " key updates, " + updates(reader, readerBegin)
            + " back; " + reader.read.size() + " bytes read; " + talk.ends();
    }

    private static int updates(EngineTalk.Side side, int begin) {
        byte[] sent = Arrays.copyOfRange(side.sent.toByteArray(), begin, side.sent.size());
        int count = 0;
        for (int at = 0; at + 5 <= sent.length;) {
            int length = (sent[at + 3] & 0xff) << 8 | sent[at + 4] & 0xff;
            count += length <= MOST_KEY_UPDATE_BYTES ? 1 : 0;
            at += 5 + length;
        }
        return count;
    }
}
