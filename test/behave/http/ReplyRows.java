// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/**
 * What does a client make of one reply, given as raw bytes, after which the server closes? Each
 * subclass is a table of replies, for any client.
 */
abstract class ReplyRows implements Topic {
    static final String OK = "HTTP/1.1 200 OK\r\n";
    static final String LENGTH_2 = "Content-Length: 2\r\n";
    static final String CHUNKED = OK + "Transfer-Encoding: chunked\r\n\r\n";

    final HttpUser user;
    private final String area;
    private TopicRows rows;

    ReplyRows(String area, HttpUser user) {
        this.area = area;
        this.user = user;
    }

    @Override
    public final String name() {
        return area;
    }

    @Override
    public final void declare(TopicRows declared) {
        rows = declared;
        table();
    }

    /** Calls {@link #reply} for each row. */
    abstract void table();

    /** A reply to GET. */
    final TopicRow reply(String id, String text, String raw) {
        return reply("GET", id, text, raw);
    }

    final TopicRow reply(String method, String id, String text, String raw) {
        return rows.row(area + "." + user.name() + "." + id, user + ": " + text, () -> {
            try (WirePeer peer = WirePeer.answering(raw + WirePeer.CLOSE)) {
                return see(Ask.any(method, peer.url("/x")));
            }
        });
    }

    /** What of the reply is looked at. */
    String see(Ask ask) throws Exception {
        return user.send(ask).text();
    }

    /** {@code count} times the same text. */
    static String times(int count, String text) {
        String all = text;
        while (all.length() < count * text.length()) {
            all += all;     // a few copies, where each piece for itself is a million calls
        }
        return all.substring(0, count * text.length());
    }
}
