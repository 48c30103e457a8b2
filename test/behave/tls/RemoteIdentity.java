// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.Socket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import javax.rmi.ssl.SslRMIServerSocketFactory;

/** Whom do remote calls over TLS trust? Its settings are those of the JVM. */
public final class RemoteIdentity implements Topic {
    private static final String[] RULES = {"", "true", "false"};

    /** What is called. */
    public interface Greeting extends Remote {
        /** A word. */
        String greet() throws RemoteException;
    }

    private static final class Greeter implements Greeting {
        @Override
        public String greet() {
            return "hello";
        }
    }

    @Override
    public String name() {
        return "rmi";
    }

    @Override
    public boolean isAlone() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        for (String rule : RULES) {
            for (String host : new String[] {"same", "other"}) {
                rows.row("rmi.identity." + host + "." + (rule.isEmpty() ? "default" : rule),
                    "RMI over TLS, the certificate is of " + (host.equals("same") ? "this host"
                    : "another") + ", jdk.rmi.ssl.client.enableEndpointIdentification "
                    + (rule.isEmpty() ? "is not set" : "is " + rule), () -> call(host, rule));
            }
        }
        for (String key : new String[] {"with", "without"}) {
            for (boolean need : new boolean[] {true, false}) {
                rows.row("rmi.client-" + (need ? "needed" : "not-needed") + "." + key + "-key",
                    "RMI over TLS, the server " + (need ? "needs" : "needs no") + " certificate of"
                    + " its client, which is " + key + " a key", () -> served(
                        new SslRMIServerSocketFactory(context("same"), null, null, need),
                        key.equals("with")));
            }
        }
        for (String[] setting : new String[][] {
            {"suite", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", null}, {"unknown-suite", "NONE", null},
            {"protocol", null, "TLSv1.2"}, {"unknown-protocol", null, "NONE"}}) {
            rows.row("rmi.server-" + setting[0], "RMI over TLS, the server's factory has the suite "
                + setting[1] + " and the protocol " + setting[2], () -> {
                    try {
                        return served(new SslRMIServerSocketFactory(context("same"),
                            alone(setting[1]), alone(setting[2]), false), false);
                    } catch (IllegalArgumentException e) {
                        return Failure.refusal(e);
                    }
                });
        }
    }

    private static String[] alone(String name) {
        return name == null ? null : new String[] {name};
    }

    /** A client whose key is its own: that of the JDK takes one context for the whole JVM. */
    private static final class OwnContext implements RMIClientSocketFactory {
        private final SSLContext context;
        private SSLSocket socket;

        OwnContext(SSLContext context) {
            this.context = context;
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            socket = (SSLSocket) context.getSocketFactory().createSocket(host, port);
            return socket;
        }
    }

    private static String served(RMIServerSocketFactory server, boolean hasKey) throws Exception {
        Greeter greeter = new Greeter();
        OwnContext client = new OwnContext(hasKey ? context("same") : contextWithoutKey());
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        try {
            Greeting stub = (Greeting) UnicastRemoteObject.exportObject(greeter, 0, client, server);
            return stub.greet() + " by " + client.socket.getSession().getProtocol() + ", "
                + client.socket.getSession().getCipherSuite();
        } catch (RemoteException e) {
            return "refused";       // which exception a client sees is a race
        } finally {
            UnicastRemoteObject.unexportObject(greeter, true);
        }
    }

    private static String call(String host, String rule) throws Exception {
        SSLContext old = SSLContext.getDefault();
        String property = "jdk.rmi.ssl.client.enableEndpointIdentification";
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        if (!rule.isEmpty()) {
            System.setProperty(property, rule);
        }
        SSLContext context = context(host);
        SSLContext.setDefault(context);     // the client takes the first one, all trust the same
        Greeter greeter = new Greeter();
        try {
            RMIClientSocketFactory client = new SslRMIClientSocketFactory();
            RMIServerSocketFactory server = new SslRMIServerSocketFactory(context, null, null, false);
            Greeting stub = (Greeting) UnicastRemoteObject.exportObject(greeter, 0, client, server);
            return stub.greet();
        } catch (RemoteException e) {
            return TrustCheck.refusal(e);
        } finally {
            UnicastRemoteObject.unexportObject(greeter, true);
            SSLContext.setDefault(old);
            System.clearProperty(property);
        }
    }

    /** Both sides have it: a certificate of 127.0.0.1 or of another host, and trust in its issuer. */
    private static SSLContext context(String host) throws Exception {
        CertificateDraft leaf = TrustCheck.leaf().extendedKeyUsage("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
        if (host.equals("same")) {
            leaf.names(CertificateDraft.ip(127, 0, 0, 1));
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(Identity.keys(RowsIdentity.key(), leaf.sign(TrustCheck.key())), trust(), null);
        return context;
    }

    private static SSLContext contextWithoutKey() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust(), null);
        return context;
    }

    private static TrustManager[] trust() throws Exception {
        KeyStore trusted = Identity.emptyStore();
        trusted.setCertificateEntry("root", TrustCheck.root().sign(TrustCheck.key()));
        return Identity.trust(trusted);
    }
}
