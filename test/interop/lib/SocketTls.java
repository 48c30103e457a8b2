// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Map;
import javax.net.ssl.SSLSocket;

/** A side that uses SSLSocket. */
final class SocketTls implements Tls {
    private final Socket tcp;
    private final SSLSocket socket;

    /** @param socket laid over {@code tcp}, configured and not yet used */
    SocketTls(Socket tcp, SSLSocket socket) {
        this.tcp = tcp;
        this.socket = socket;
    }

    @Override
    public InputStream in() throws IOException {
        return socket.getInputStream();
    }

    @Override
    public OutputStream out() throws IOException {
        return socket.getOutputStream();
    }

    @Override
    public void handshake() throws IOException {
        socket.startHandshake();
    }

    @Override
    public Map<String, String> facts(long begunMs) {
        return Tls.facts(socket.getSession(), socket, tcp, begunMs);
    }

    @Override
    public long createdMs() {
        return socket.getSession().getCreationTime();
    }

    /** Before 11, a TLS 1.2 socket cannot be half closed, so this closes all of it. */
    @Override
    public void closeOutput() throws IOException {
        try {
            socket.shutdownOutput();
        } catch (UnsupportedOperationException e) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        tcp.close();
    }
}
