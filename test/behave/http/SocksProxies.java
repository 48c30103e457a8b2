// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;

/** What does a socket say to a proxy, by SOCKS (RFC 1928, 1929) or CONNECT, and make of its answers? */
final class SocksProxies implements Topic {
    private static final String[] REFUSALS = {"none", "failure", "rules", "network", "host", "refused",
        "ttl", "command", "address-type", "9"};
    private static final String OPEN = "00000001000000000000";
    private static final String REPLY = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";

    @Override
    public String name() {
        return "socks";
    }

    /** They set the default Authenticator. */
    @Override
    public boolean isAlone() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        for (int code = 0; code < REFUSALS.length; code++) {
            String answer = "05" + "0" + code + OPEN.substring(4);
            row(rows, "answer." + REFUSALS[code], "it answers by the code " + code, "0500", "05" + answer
                .substring(2));
        }
        row(rows, "method.none", "it takes no method", "05ff");
        row(rows, "method.unknown", "it chooses a method that was not offered", "0505");
        row(rows, "method.cut", "it ends after one byte", "05");
        row(rows, "method.end", "it ends at once", "");
        row(rows, "version-4", "it is of version 4, which accepts", "0000", "005a000000000000");
        row(rows, "version-4.refused", "it is of version 4, which refuses", "0000", "005b000000000000");
        row(rows, "version-4.identd", "it is of version 4, which cannot ask who", "0000",
            "005c000000000000");
        row(rows, "version-4.other-user", "it is of version 4, which was told of another", "0000",
            "005d000000000000");
        row(rows, "version-4.odd", "it is of version 4, and its answer is none", "0000",
            "0001000000000000");
        row(rows, "bound.name", "its answer has a name", "0500", "0500000301610050");
        row(rows, "bound.ipv6", "its answer has an address of IPv6", "0500",
            "05000004000000000000000000000000000000010050");
        row(rows, "bound.odd", "its answer has an address of no kind", "0500", "0500000900000000");
        row(rows, "bound.cut", "its answer is cut", "0500", "0500");
        row(rows, "answer.version", "its answer is of version 9", "0500", "09000001000000000000");
        for (String[] host : new String[][] {{"name", "host.invalid"}, {"idn", "h\u00fc.invalid"},
            {"long", ReplyRows.times(30, "long-host.") + "invalid"}}) {
            rows.row("socks.host." + host[0], "a socket asks a SOCKS proxy for a host that is not resolved: "
                + host[0], () -> connect(Proxy.Type.SOCKS,
                    InetSocketAddress.createUnresolved(host[1], 80), "0500", "0500" + OPEN.substring(4)));
        }
        for (String status : new String[] {"00", "01"}) {
            rows.row("socks.password." + status, "a SOCKS proxy asks for a password, and answers " + status,
                () -> {
                    Authenticator.setDefault(new Authenticator() {
                        @Override
                        protected PasswordAuthentication getPasswordAuthentication() {
                            return new PasswordAuthentication("kit", (getRequestingProtocol() + " "
                                + getRequestingPrompt()).toCharArray());
                        }
                    });
                    try {
                        return connect(Proxy.Type.SOCKS, target(), "0502", "01" + status,
                            "0500" + OPEN.substring(4));
                    } finally {
                        Authenticator.setDefault(null);
                    }
                });
        }
        rows.row("socks.url", "HttpURLConnection sends a request through a SOCKS proxy", SocksProxies::url);
        tunnels(rows);
    }

    private static InetSocketAddress target() throws IOException {
        return new InetSocketAddress(java.net.InetAddress.getByAddress(new byte[] {10, 0, 0, 1}), 80);
    }

    private static void row(TopicRows rows, String id, String does, String... answers) {
        rows.row("socks." + id, "a socket connects through a SOCKS proxy: " + does,
            () -> connect(Proxy.Type.SOCKS, target(), answers));
    }

    /** Socket with a proxy of the kind HTTP, which has a tunnel made. */
    private static void tunnels(TopicRows rows) {
        for (String status : new String[] {"200 OK", "403 No", "407 Who"}) {
            rows.row("socks.tunnel." + status.substring(0, 3), "a socket connects through a proxy of HTTP,"
                + " which answers " + status, () -> {
                    try (WirePeer peer = WirePeer.answering("HTTP/1.1 " + status
                            + "\r\nContent-Length: 0\r\n\r\n");
                            Socket socket = new Socket(new Proxy(Proxy.Type.HTTP,
                                new InetSocketAddress("127.0.0.1", peer.port())))) {
                        String seen;
                        try {
                            socket.connect(target(), Client.PATIENCE_MS);
                            seen = "connected to " + socket.getInetAddress().getHostAddress() + ":"
                                + socket.getPort();
                        } catch (IOException e) {
                            seen = Failure.text(e);
                        }
                        return seen + "; " + peer.seen();
                    }
                });
        }
    }

    private static String connect(Proxy.Type type, InetSocketAddress target, String... answers)
            throws IOException {
        try (SocksPeer peer = new SocksPeer("", answers);
                Socket socket = new Socket(new Proxy(type, peer.address()))) {
            String seen;
            try {
                socket.connect(target, Client.PATIENCE_MS);
                seen = "connected to " + socket.getPort();
            } catch (IOException e) {
                seen = Failure.text(e);
            }
            return seen + "; " + peer.seen();
        }
    }

    private static String url() throws IOException {
        try (SocksPeer peer = new SocksPeer(REPLY, "0500", "0500" + OPEN.substring(4))) {
            HttpURLConnection connection = (HttpURLConnection) new URL("http://host.invalid/x")
                .openConnection(new Proxy(Proxy.Type.SOCKS, peer.address()));
            return connection.getResponseCode() + ", a proxy " + connection.usingProxy() + "; "
                + peer.seen();
        }
    }

    /** Answers each message of a client by the next of some bytes, then ends, or replies by HTTP. */
    private static final class SocksPeer implements Closeable {
        private final List<String> seen = new ArrayList<>();
        private final String[] answers;
        private final String reply;
        private final Listener listener;

        /** @param answers in hexadecimal digits */
        SocksPeer(String reply, String... answers) throws IOException {
            this.reply = reply;
            this.answers = answers;
            listener = new Listener("socks-peer",
                new ServerSocket(0, Listener.BACKLOG, TlsPeer.loopback()), this::serve);
            listener.start();
        }

        InetSocketAddress address() {
            return listener.address();
        }

        /** What came, in hexadecimal digits: one message each. */
        synchronized String seen() {
            return "sends " + seen;
        }

        private void serve(Socket socket, int connection) throws IOException {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            for (String answer : answers) {
                String message = message(in, answer);
                synchronized (this) {
                    seen.add(message);
                }
                for (int i = 0; i + 1 < answer.length(); i += 2) {
                    socket.getOutputStream().write(Integer.parseInt(answer.substring(i, i + 2), 16));
                }
            }
            if (!reply.isEmpty()) {
                RequestHead.read(in);
                socket.getOutputStream().write(reply.getBytes("ISO-8859-1"));
            }
        }

        /** A whole message by its first bytes: of version 5 or 4, or a password (RFC 1929). */
        private String message(DataInputStream in, String answer) throws IOException {
            StringBuilder text = new StringBuilder();
            int version = take(in, text);
            int second = take(in, text);
            if (version == 1) {
                take(in, text, second);
                take(in, text, take(in, text));
            } else if (version == 4) {
                take(in, text, 6);
                while (take(in, text) != 0) { }
                return text.substring(0, 16);       // then comes the user of this machine
            } else if (seen.isEmpty()) {
                take(in, text, second);
            } else {
                take(in, text);
                int kind = take(in, text);
                take(in, text, kind == 1 ? 4 : kind == 4 ? 16 : take(in, text));
                take(in, text, 2);
            }
            return text.toString();
        }

        private static int take(DataInputStream in, StringBuilder text) throws IOException {
            int next = in.readUnsignedByte();
            text.append(String.format("%02x", next));
            return next;
        }

        private static void take(DataInputStream in, StringBuilder text, int count) throws IOException {
            for (int i = 0; i < count; i++) {
                take(in, text);
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }
}
