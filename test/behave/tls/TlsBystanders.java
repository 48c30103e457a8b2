// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** While one thread is stuck in a read, or in an application's manager, do others go on? */
final class TlsBystanders implements Topic {
    private static final int WITHIN_MS = 30_000;

    /** What another thread does with a socket that is being read. */
    private interface Use {
        String of(SSLSocket socket, MemorySocket below) throws Exception;
    }

    @Override
    public String name() {
        return "beside";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
            read(rows, "write", protocol, "writes", (socket, below) -> {
                final int begin = below.sent().length;
                socket.getOutputStream().write(new byte[9]);
                return below.sent().length > begin ? "sent" : "not sent";
            });
            read(rows, "session", protocol, "asks for its session",
                (socket, below) -> socket.getSession().getProtocol());
            read(rows, "parameters", protocol, "asks for its parameters",
                (socket, below) -> socket.getSSLParameters().getProtocols()[0]);
            read(rows, "available", protocol, "asks how much can be read",
                (socket, below) -> String.valueOf(socket.getInputStream().available()));
            rows.row("beside.trust-manager." + protocol, "a client of " + protocol + " is stuck in"
                + " its trust manager; does another of the same context connect?",
                () -> trusting(protocol)).within(WITHIN_MS);
            rows.row("beside.key-manager." + protocol, "a server of " + protocol + " is stuck in"
                + " its key manager; does another of the same context connect?",
                () -> choosing(protocol)).within(WITHIN_MS);
        }
    }

    private static void read(TopicRows rows, String id, String protocol, String does, Use use) {
        rows.row("beside.read." + id + "." + protocol, "a thread reads from an SSLSocket of "
            + protocol + ", and nothing comes; another one " + does, () -> {
                Bystander bystander = new Bystander();
                EnginePeer peer = new EnginePeer(RowsIdentity.serverContext(), false);
                MemorySocket below = new MemorySocket(peer);
                SSLSocket socket = (SSLSocket) RowsIdentity.clientContext().getSocketFactory()
                    .createSocket(below, "localhost", 443, true);
                try {
                    socket.setEnabledProtocols(new String[] {protocol});
                } catch (IllegalArgumentException e) {
                    throw new Absent(protocol);
                }
                socket.startHandshake();
                peer.then(() -> {
                    bystander.stick();
                    return peer.record("a");
                }).thenClose();
                return bystander.see(() -> "'" + (char) socket.getInputStream().read() + "'",
                    () -> use.of(socket, below));
            }).within(WITHIN_MS);
    }

    private static String talk(SSLContext client, SSLContext server, String protocol, String host) {
        return new EngineTalk(client, server, host, 443).protocol(protocol).run().ends();
    }

    private static String both(Bystander bystander, SSLContext client, SSLContext server,
            String protocol) throws Exception {
        new EngineTalk(client, server, "absent.example", 443).protocol(protocol);
        return bystander.see(() -> talk(client, server, protocol, "stuck.example"),
            () -> talk(client, server, protocol, "other.example"));
    }

    private static String trusting(String protocol) throws Exception {
        Bystander bystander = new Bystander();
        SSLContext client = SSLContext.getInstance("TLS");
        client.init(null, new TrustManager[] {new Trusting(bystander)}, null);
        return both(bystander, client, RowsIdentity.serverContext(), protocol);
    }

    private static String choosing(String protocol) throws Exception {
        Bystander bystander = new Bystander();
        SSLContext server = SSLContext.getInstance("TLS");
        server.init(new KeyManager[] {new Choosing(bystander)}, new TrustManager[0], null);
        return both(bystander, RowsIdentity.clientContext(), server, protocol);
    }

    /** Trusts whoever comes; the first has to wait. */
    private static final class Trusting extends X509ExtendedTrustManager {
        private final Bystander bystander;

        Trusting(Bystander bystander) {
            this.bystander = bystander;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) { }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) { }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) { }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) { }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) { }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            bystander.stick();
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** Has the key of all rows; the first to ask has to wait. */
    private static final class Choosing extends X509ExtendedKeyManager {
        private final Bystander bystander;

        Choosing(Bystander bystander) {
            this.bystander = bystander;
        }

        @Override
        public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
            bystander.stick();
            return type.equals("RSA") ? "rsa" : null;
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return null;
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            try {
                return new X509Certificate[] {RowsIdentity.certificate()};
            } catch (java.security.GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            try {
                return RowsIdentity.key();
            } catch (java.security.GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
