// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URL;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;

/**
 * Which options have the sockets that HttpsURLConnection and RMI use, and how many do they open? An
 * option such as TCP_NODELAY shows on no wire: without it a head and its body that are written
 * apart wait for the peer's delayed acknowledgement, 40 ms on Linux.
 */
final class SocketOptions implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final int CALLS = 3;

    @Override
    public String name() {
        return "socket";
    }

    @Override
    public boolean isAlone() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        rows.row("socket.https", "HttpsURLConnection: the options of its socket", SocketOptions::https)
            .within(WITHIN_MS);
        rows.row("socket.rmi.client", "RMI: the options of a client's socket, and how many it opens"
            + " for " + CALLS + " calls", () -> remote(true)).within(WITHIN_MS);
        rows.row("socket.rmi.server", "RMI: the options of a socket that a server has accepted, and"
            + " how many it accepts for " + CALLS + " calls", () -> remote(false)).within(WITHIN_MS);
    }

    private static String options(Socket socket) throws IOException {
        return socket.isClosed() ? "closed" : "no delay " + socket.getTcpNoDelay() + ", keep alive " + socket.getKeepAlive()
            + ", linger " + socket.getSoLinger();
    }

    private static String https() throws Exception {
        Kept kept = new Kept(RowsIdentity.clientContext().getSocketFactory());
        try (TlsServer server = new TlsServer(RowsIdentity.serverContext(), socket -> {
            RequestHead.read(new java.io.BufferedInputStream(socket.getInputStream()));
            socket.getOutputStream().write(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes("ISO-8859-1"));
            socket.getInputStream().read();
        })) {
            URL url = new URL("https", "127.0.0.1", server.address().getPort(), "/x");
            HttpsURLConnection connection =
                (HttpsURLConnection) url.openConnection(java.net.Proxy.NO_PROXY);
            connection.setSSLSocketFactory(kept);
            connection.setHostnameVerifier((host, session) -> true);
            int status = connection.getResponseCode();
            String seen = status + "; " + options(kept.sockets.get(0));
            connection.disconnect();
            return seen + "; sockets " + kept.sockets.size();
        }
    }

    private static String remote(boolean ofClient) throws Exception {
        List<Socket> opened = new ArrayList<>();
        List<Socket> accepted = new ArrayList<>();
        RMIClientSocketFactory client = new Opening(opened);
        RMIServerSocketFactory server = port -> new java.net.ServerSocket(port) {
            @Override
            public Socket accept() throws IOException {
                Socket socket = super.accept();
                synchronized (accepted) {
                    accepted.add(socket);
                }
                return socket;
            }
        };
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        RemoteIdentity.Greeting greeter = () -> "hello";
        try {
            RemoteIdentity.Greeting stub = (RemoteIdentity.Greeting)
                UnicastRemoteObject.exportObject(greeter, 0, client, server);
            for (int i = 0; i < CALLS; i++) {
                stub.greet();
            }
            synchronized (accepted) {
                List<Socket> seen = ofClient ? opened : accepted;
                return options(seen.get(0)) + "; sockets " + seen.size();
            }
        } finally {
            UnicastRemoteObject.unexportObject(greeter, true);
        }
    }

    /** Keeps the sockets that it opens. */
    private static final class Opening implements RMIClientSocketFactory {
        private final List<Socket> opened;

        Opening(List<Socket> opened) {
            this.opened = opened;
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            Socket socket = new Socket(host, port);
            opened.add(socket);
            return socket;
        }
    }

    /** Keeps the sockets of another factory. */
    private static final class Kept extends SSLSocketFactory {
        final List<Socket> sockets = new ArrayList<>();
        private final SSLSocketFactory factory;

        Kept(SSLSocketFactory factory) {
            this.factory = factory;
        }

        private Socket keep(Socket socket) {
            sockets.add(socket);
            return socket;
        }

        @Override
        public Socket createSocket() throws IOException {
            return keep(factory.createSocket());
        }

        @Override
        public Socket createSocket(Socket below, String host, int port, boolean isClosedWithIt)
                throws IOException {
            return keep(factory.createSocket(below, host, port, isClosedWithIt));
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return keep(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort)
                throws IOException {
            return keep(factory.createSocket(host, port, local, localPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return keep(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
                throws IOException {
            return keep(factory.createSocket(host, port, local, localPort));
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return factory.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return factory.getSupportedCipherSuites();
        }
    }
}
