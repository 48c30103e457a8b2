// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.IOException;

/** Where the server of a row waits for its client, on loopback. */
interface RowListener extends Closeable {
    int port();

    /** Accepts the next connection, before its handshake. */
    Tls accept() throws IOException;
}
