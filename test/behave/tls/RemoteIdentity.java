// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import javax.net.ssl.SSLContext;
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
        CertificateDraft leaf = TrustCheck.leaf().extendedKeyUsage("1.3.6.1.5.5.7.3.1");
        if (host.equals("same")) {
            leaf.names(CertificateDraft.ip(127, 0, 0, 1));
        }
        java.security.KeyStore trusted = java.security.KeyStore.getInstance("JKS");
        trusted.load(null, null);
        trusted.setCertificateEntry("root", TrustCheck.root().sign(TrustCheck.key()));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(Identity.keys(RowsIdentity.key(), leaf.sign(TrustCheck.key())),
            Identity.trust(trusted), null);
        return context;
    }
}
