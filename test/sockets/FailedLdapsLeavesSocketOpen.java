// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8314063: The socket is not closed in Connection::createSocket when the handshake failed for
 * LDAP connection
 *
 * What goes wrong: a directory server accepts an LDAPS connection and does not answer. The client
 * gives up after its timeout, but leaves the socket open until the collector finds it. An
 * application that tries again and again runs out of descriptors.
 *
 * What it takes: ldaps, com.sun.jndi.ldap.connect.timeout, and a handshake that fails.
 *
 * Control: the same over ldap, where the first reply does not come.
 *
 * Judged by a count of sockets not closed.
 *
 * Without its precondition
 *     -Dpeer.listens=off: inconclusive: Of 5 sockets 0 were connected
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/sockets/FailedLdapsLeavesSocketOpen.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib sockets/FailedLdapsLeavesSocketOpen.java
 *     java -cp classes FailedLdapsLeavesSocketOpen [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     sockets_open = 5 sockets (bound 1)
 *       failure: javax.naming.CommunicationException: 127.0.0.1:36617 [Root exception
 *           is java.net.SocketTimeoutException: Read timed out]
 *       sockets_connected: 5
 *     reproduced: Connections that had failed stayed open (sockets_open 5, bound 1).
 * On a fixed build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     sockets_open = 0 sockets (bound 1)
 *       failure: javax.naming.CommunicationException: 127.0.0.1:45875 [Root exception
 *           is java.net.SocketTimeoutException: Read timed out]
 *       sockets_connected: 5
 *     not-reproduced: Connections that had failed were closed (sockets_open 0, bound
 *         1).
 *
 * Evidence: outcome.json beside the scratch files has how the attempts failed.
 */

/*
 * @test
 * @bug 8314063
 * @summary A connection of LDAPS whose handshake fails must be closed
 * @key waits
 * @library /lib
 * @run main/othervm FailedLdapsLeavesSocketOpen control
 * @run main/othervm FailedLdapsLeavesSocketOpen subject
 */

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Hashtable;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.directory.InitialDirContext;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;

public class FailedLdapsLeavesSocketOpen {
    /** For the kit's own tests: a server that is not there. */
    private static final boolean LISTENS = !"off".equals(System.getProperty("peer.listens"));

    private static final int ATTEMPTS = 5;
    private static final String TIMEOUT_MS = "200";
    private static final List<Socket> MADE = new CopyOnWriteArrayList<>();

    public static void main(String[] args) throws Exception {
        Reproducer.run("FailedLdapsLeavesSocketOpen", "JDK-8314063", args,
            FailedLdapsLeavesSocketOpen::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("javax.naming.ldap.LdapContext", "java.naming");
        try (ServerSocket silent = new ServerSocket(0, Listener.BACKLOG, TlsPeer.loopback())) {
            Hashtable<String, String> settings = settings(which, silent.getLocalPort());
            if (!LISTENS) {
                silent.close();
            }
            for (int i = 0; i < ATTEMPTS; i++) {
                String failure = connect(settings);
                findings.fact("failure", failure);
                findings.require(!failure.isEmpty(), "The silent server was connected to.");
            }
            long connected = MADE.stream().filter(Socket::isConnected).count();
            findings.fact("sockets_connected", connected);
            findings.require(connected == ATTEMPTS, "Of " + ATTEMPTS + " sockets " + connected
                + " were connected (bound " + ATTEMPTS + ").");
            findings.judgeCount("sockets_open",
                MADE.stream().filter(socket -> !socket.isClosed()).count(), 1, "sockets",
                "Connections that had failed stayed open",
                "Connections that had failed were closed");
        }
    }

    private static Hashtable<String, String> settings(Case which, int port) {
        boolean isTls = which == Case.SUBJECT;
        Hashtable<String, String> settings = new Hashtable<>();
        settings.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.ldap.LdapCtxFactory");
        settings.put(Context.PROVIDER_URL, (isTls ? "ldaps" : "ldap") + "://127.0.0.1:" + port);
        settings.put("com.sun.jndi.ldap.connect.timeout", TIMEOUT_MS);
        settings.put("com.sun.jndi.ldap.read.timeout", TIMEOUT_MS);
        settings.put("java.naming.ldap.factory.socket",
            (isTls ? TlsSockets.class : PlainSockets.class).getName());
        return settings;
    }

    /** @return how it failed, or "" */
    private static String connect(Hashtable<String, String> settings) {
        try {
            new InitialDirContext(settings).close();
            return "";
        } catch (NamingException e) {
            return e.toString();
        }
    }

    /** Keeps the sockets it makes: the collector may close one that nothing refers to. */
    public static class PlainSockets extends SocketFactory {
        private final SocketFactory factory;

        /** For {@link #getDefault}. */
        protected PlainSockets(SocketFactory factory) {
            this.factory = factory;
        }

        /** Called by the naming service. */
        public static SocketFactory getDefault() {
            return new PlainSockets(SocketFactory.getDefault());
        }

        @Override
        public Socket createSocket() throws IOException {
            return kept(factory.createSocket());
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return kept(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return kept(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress from, int fromPort)
                throws IOException {
            return kept(factory.createSocket(host, port, from, fromPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
                throws IOException {
            return kept(factory.createSocket(host, port, from, fromPort));
        }

        private static Socket kept(Socket socket) {
            MADE.add(socket);
            return socket;
        }
    }

    /** The same for TLS. */
    public static final class TlsSockets extends PlainSockets {
        private TlsSockets() {
            super(SSLSocketFactory.getDefault());
        }

        /** Called by the naming service. */
        public static SocketFactory getDefault() {
            return new TlsSockets();
        }
    }
}
