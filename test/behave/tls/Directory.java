// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Answers each bind of LDAP with success, on a plain socket. */
final class Directory implements AutoCloseable {
    private static final byte[] SUCCESS = {0x30, 0x0c, 2, 1, 1, 0x61, 7, 0x0a, 1, 0, 4, 0, 4, 0};

    private final ServerSocket listener;

    Directory(ServerSocket listener) {
        this.listener = listener;
        TlsPeer.daemon("directory", this::serve).start();
    }

    static Directory plain() throws IOException {
        return new Directory(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")));
    }

    int port() {
        return listener.getLocalPort();
    }

    private void serve() {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                socket.setSoTimeout(2_000);
                InputStream in = socket.getInputStream();
                OutputStream out = socket.getOutputStream();
                if (in.read(new byte[500]) > 0) {
                    out.write(SUCCESS);
                    out.flush();
                }
                while (in.read() >= 0) { }
            } catch (IOException e) {
                // the client decides what that means
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
