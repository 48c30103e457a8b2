// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** How does an application without HTTP use TLS? Over a plain SSLSocket. */
final class TlsClient {
    private TlsClient() { }

    /** Connects and completes the handshake; the read timeout is {@link Client#PATIENCE_MS}. */
    static SSLSocket connect(SSLSocketFactory factory, InetSocketAddress address)
            throws IOException {
        SSLSocket socket = (SSLSocket) factory.createSocket("127.0.0.1", address.getPort());
        socket.setSoTimeout(Client.PATIENCE_MS);
        socket.setTcpNoDelay(true);
        socket.startHandshake();
        return socket;
    }

    /** Sends a byte and reads its echo; afterwards the peer's session ticket has been read, too. */
    static void exchange(SSLSocket socket) throws IOException {
        socket.getOutputStream().write(42);
        int back = socket.getInputStream().read();
        if (back != 42) {
            throw new IOException("the echo of 42 was " + back);
        }
        Resumption.sessionIsComplete(socket.getSession());
    }
}
