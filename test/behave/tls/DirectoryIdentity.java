// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.directory.InitialDirContext;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** To which directories does LDAP connect? Its URLs, socket factories and, over TLS, whom it trusts. */
public final class DirectoryIdentity implements Topic {
    private static final int WITHIN_MS = 10_000;

    /** Hosts and paths of URLs: no such host exists, so what matters is whether they are parsed. */
    private static final String[][] URLS = {{"underscore", "ldap://my_host_1.invalid:PORT"},
        {"underscore-only", "ldap://my_host:PORT"}, {"name", "ldap://host.invalid:PORT"},
        {"user", "ldap://user@host.invalid:PORT"}, {"no-host", "ldap://:PORT"}, {"no-slashes", "ldap:host.invalid"},
        {"path", "ldap://127.0.0.1:PORT/dc=a"}, {"query", "ldap://127.0.0.1:PORT/dc=a?b"},
        {"fragment", "ldap://127.0.0.1:PORT/dc=a#b"}, {"blank", "ldap://127.0.0.1:PORT/dc=a b"},
        {"ipv4", "ldap://127.0.0.1:PORT"}, {"ipv6-open", "ldap://[::1"}, {"two", "ldap://127.0.0.1:PORT ldap://127.0.0.1:PORT"},
        {"upper", "LDAP://127.0.0.1:PORT"}, {"http", "http://127.0.0.1:PORT"}, {"percent", "ldap://127.0.0.1:PORT/%zz"},
        {"port-word", "ldap://127.0.0.1:port"}, {"port-large", "ldap://127.0.0.1:70000"}, {"port-empty", "ldap://[::1]:"},
        {"idn", "ldap://b\u00fccher.invalid:PORT"}, {"slash-host", "ldap://a/b.invalid:PORT"},
        {"backslash", "ldap://a\\b.invalid:PORT"}, {"semicolon", "ldap://127.0.0.1:PORT/dc=a;b"}};

    @Override
    public String name() {
        return "ldap";
    }

    @Override
    public boolean isAlone() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] url : URLS) {
            rows.row("ldap.url." + url[0], "LDAP connects to a URL of this kind: " + url[0], () -> {
                try (Directory directory = Directory.plain()) {
                    return bind(url[1].replace("PORT", "" + directory.port()), "", "");
                }
            });
        }
        for (String timeout : new String[] {"", "2000"}) {
            String when = timeout.isEmpty() ? "no timeout" : "a timeout of " + timeout + " ms";
            for (String factory : new String[] {"NoUnconnected", "Whole"}) {
                rows.row("ldap.factory." + factory + (timeout.isEmpty() ? "" : ".timeout"),
                    "LDAP with an own socket factory (" + factory + ") and " + when, () -> {
                        try (Directory directory = Directory.plain()) {
                            return bind("ldap://127.0.0.1:" + directory.port(), factory, timeout);
                        }
                    });
            }
            for (String host : new String[] {"127.0.0.1", "localhost"}) {
                rows.row("ldap.tls." + host.replace('.', '-') + (timeout.isEmpty() ? "" : ".timeout"),
                    "LDAPS with " + when + " to " + host + ", whose certificate is of 127.0.0.1",
                    () -> secure(host, timeout));
            }
        }
        rows.row("ldap.silent.tls", "LDAPS with a time-out to connect, to a directory that says"
            + " nothing", DirectoryIdentity::silent).within(WITHIN_MS);
    }

    private static String silent() throws Exception {
        Own.secure = RowsIdentity.clientContext();
        try (ServerSocket listener = new ServerSocket(0, 50, TlsPeer.loopback())) {
            return bind("ldaps://127.0.0.1:" + listener.getLocalPort(), "Secure", "300");
        }
    }

    private static String secure(String host, String timeout) throws Exception {
        CertificateDraft leaf = TrustCheck.leaf().names(CertificateDraft.ip(127, 0, 0, 1));
        java.security.KeyStore trusted = java.security.KeyStore.getInstance("JKS");
        trusted.load(null, null);
        trusted.setCertificateEntry("root", TrustCheck.root().sign(TrustCheck.key()));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(Identity.keys(RowsIdentity.key(), leaf.sign(TrustCheck.key())),
            Identity.trust(trusted), null);
        Own.secure = context;
        SSLServerSocket listener = (SSLServerSocket) context.getServerSocketFactory()
            .createServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        try (Directory directory = new Directory(listener)) {
            String end = bind("ldaps://" + host + ":" + directory.port(), "Secure", timeout);
            return end.replaceFirst(" <-.*", "");       // how the other side breaks off is chance
        }
    }

    private static String bind(String url, String factory, String timeout) {
        Hashtable<String, String> settings = new Hashtable<>();
        settings.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.ldap.LdapCtxFactory");
        settings.put(Context.PROVIDER_URL, url);
        settings.put("com.sun.jndi.ldap.read.timeout", "2000");
        if (!factory.isEmpty()) {
            settings.put("java.naming.ldap.factory.socket", "DirectoryIdentity$" + factory);
        }
        if (!timeout.isEmpty()) {
            settings.put("com.sun.jndi.ldap.connect.timeout", timeout);
        }
        try {
            new InitialDirContext(settings).close();
            return "connected";
        } catch (IllegalArgumentException e) {
            return HelloAnswer.thrown(e);
        } catch (NamingException e) {
            return HelloAnswer.thrown(e) + (e.getRootCause() == null ? ""
                : "; " + HelloAnswer.thrown(e.getRootCause()));
        }
    }

    /** What any socket factory must have. */
    public abstract static class Own extends SocketFactory {
        static volatile SSLContext secure;

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return new Socket(host, port);
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort)
                throws IOException {
            return createSocket(host, port);
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return createSocket(host.getHostAddress(), port);
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
                throws IOException {
            return createSocket(host.getHostAddress(), port);
        }
    }

    /** Makes no socket that is not connected, as many do not. */
    public static final class NoUnconnected extends Own {
        /** As LDAP asks for it. */
        public static SocketFactory getDefault() {
            return new NoUnconnected();
        }
    }

    /** Makes sockets of both kinds. */
    public static final class Whole extends Own {
        /** As LDAP asks for it. */
        public static SocketFactory getDefault() {
            return new Whole();
        }

        @Override
        public Socket createSocket() {
            return new Socket();
        }
    }

    /** Makes sockets of TLS that trust the root of the rows. */
    public static final class Secure extends Own {
        /** As LDAP asks for it. */
        public static SocketFactory getDefault() {
            return new Secure();
        }

        @Override
        public Socket createSocket() throws IOException {
            return secure.getSocketFactory().createSocket();
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return secure.getSocketFactory().createSocket(host, port);
        }
    }
}
