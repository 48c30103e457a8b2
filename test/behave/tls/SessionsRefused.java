// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.Socket;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** When does a server not resume the session that a client offers? */
final class SessionsRefused implements Topic {
    private static final int WITHIN_MS = 15_000;

    /** What is done before, or while, the client connects again. */
    private interface Change {
        EngineTalk again(SSLContext client, SSLContext server, EngineTalk first, String host)
            throws Exception;
    }

    /** Trusts all, and counts whom: a client that resumes is asked for nobody. */
    private static final class Counting extends X509ExtendedTrustManager {
        private int servers;

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            servers++;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
            servers++;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            servers++;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) { }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) { }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) { }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Override
    public String name() {
        return "resumed";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
            row(rows, protocol, "same", "connects to the same server again",
                (client, server, first, host) -> talk(client, server, protocol, host));
            row(rows, protocol, "other-server", "connects to another server of that name", (client,
                server, first, host) -> talk(client, RowsIdentity.serverContext(), protocol, host));
            row(rows, protocol, "ended-by-server", "connects again; the server has ended the session",
                (client, server, first, host) -> {
                    first.server.engine.getSession().invalidate();
                    return talk(client, server, protocol, host);
                });
            row(rows, protocol, "other-suite", "connects again, without the suite of its session",
                (client, server, first, host) -> {
                    String suite = first.client.engine.getSession().getCipherSuite();
                    EngineTalk talk = talk(client, server, protocol, host);
                    String[] rest = java.util.Arrays.stream(
                        talk.client.engine.getEnabledCipherSuites())
                        .filter(name -> !name.equals(suite)).toArray(String[]::new);
                    talk.client.engine.setEnabledCipherSuites(rest);
                    return talk;
                });
            row(rows, protocol, "needs-client", "connects again; the server now needs a certificate"
                + " of its client, which has none", (client, server, first, host) -> {
                    EngineTalk talk = talk(client, server, protocol, host);
                    talk.server.engine.setNeedClientAuth(true);
                    return talk;
                });
            row(rows, protocol, "third-time", "connects a third time", (client, server, first, host) -> {
                exchange(talk(client, server, protocol, host));
                return talk(client, server, protocol, host);
            });
            row(rows, protocol, "both-at-once", "connects twice before either handshake is over",
                (client, server, first, host) -> {
                    EngineTalk other = talk(client, server, protocol, host);
                    other.client.hello();
                    EngineTalk talk = talk(client, server, protocol, host);
                    talk.client.hello();
                    other.run();
                    return talk;
                });
        }
        row(rows, "TLSv1.3", "binder-changed", "connects again; the last byte of its hello, which is"
            + " of the PSK's binder, is changed on the way", (client, server, first, host) -> {
                EngineTalk talk = talk(client, server, "TLSv1.3", host);
                talk.client.hello();
                talk.server.flipLastBit();
                return talk;
            });
    }

    private static void row(TopicRows rows, String protocol, String id, String does, Change change) {
        rows.row("resumed." + id + "." + protocol, "a client of " + protocol + " " + does, () -> {
            Counting trust = new Counting();
            SSLContext client = SSLContext.getInstance("TLS");
            client.init(null, new TrustManager[] {trust}, null);
            SSLContext server = RowsIdentity.serverContext();
            // Of its own: a JDK whose contexts share a cache would mix the rows up.
            String host = id + "." + protocol + ".resumed.example";
            EngineTalk first = exchange(talk(client, server, protocol, host));
            if (!first.client.failure.isEmpty()) {
                throw new Absent(protocol);
            }
            EngineTalk again = change.again(client, server, first, host);
            final int servers = trust.servers;
            String ends = again.run().ends().replaceAll(" TLS_\\w+", "");
            return (trust.servers > servers ? "a whole handshake; " : "no certificate; ") + ends;
        }).within(WITHIN_MS);
    }

    private static EngineTalk talk(SSLContext client, SSLContext server, String protocol,
            String host) {
        return new EngineTalk(client, server, host, 443).protocol(protocol);
    }

    private static EngineTalk exchange(EngineTalk talk) {
        talk.run();
        talk.client.send(new byte[1]);
        talk.server.send(new byte[1]);
        return talk.run();
    }
}
