// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.URLConnection;
import java.util.List;

/** Over which connection did a reply come? Read from the headers that {@link TlsPeer} adds. */
final class Reply {
    /** Number of the connection at the peer, from 1. */
    final int connection;

    /** The position of this reply on its connection, from 1. */
    final int ordinal;

    /** As the server's session names it, such as {@code TLSv1.3}. */
    final String protocol;

    final String cipher;

    /** The Keep-Alive header; null without one. */
    final String keepAlive;

    Reply(URLConnection from) {
        connection = from.getHeaderFieldInt("X-Connection", 0);
        ordinal = from.getHeaderFieldInt("X-Ordinal", 0);
        protocol = from.getHeaderField("X-Protocol");
        cipher = from.getHeaderField("X-Cipher");
        keepAlive = from.getHeaderField("Keep-Alive");
    }

    boolean reused() {
        return ordinal > 1;
    }

    static int reused(List<Reply> replies) {
        int count = 0;
        for (Reply reply : replies) {
            count += reply.reused() ? 1 : 0;
        }
        return count;
    }
}
