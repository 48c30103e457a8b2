// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

/** An HTTPS server that answers each request without a body by the same raw bytes. */
final class TlsWire implements Closeable {
    private final Listener listener;
    private final String host;
    private final byte[] answer;

    /**
     * Starts to listen.
     *
     * @param host an address of loopback; its certificate is for 127.0.0.1 and no other
     * @param answer ISO 8859-1
     */
    TlsWire(String host, String answer) throws IOException, GeneralSecurityException {
        this.host = host;
        this.answer = answer.getBytes(StandardCharsets.ISO_8859_1);
        listener = new Listener("tls-wire", RowsIdentity.serverContext().getServerSocketFactory()
            .createServerSocket(0, Listener.BACKLOG, InetAddress.getByName(host)), this::serve);
        listener.start();
    }

    URL url(String path) throws IOException {
        return new URL("https", host, listener.address().getPort(), path);
    }

    int connections() {
        return listener.connections();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void serve(Socket socket, int connection) throws IOException {
        InputStream in = socket.getInputStream();
        for (String head = RequestHead.read(in); head != null; head = RequestHead.read(in)) {
            socket.getOutputStream().write(answer);
        }
    }
}
