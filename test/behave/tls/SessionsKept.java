// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;

/** Which sessions does a client offer again, and may a handshake of TLS 1.2 be repeated? */
public final class SessionsKept implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final int TICKET = 35;
    private static final int EIGHT_DAYS_S = 691_200;
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    @Override
    public String name() {
        return "session";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String protocol : PROTOCOLS) {
            rows.row("session." + protocol + ".again", "a client of " + protocol
                + " connects twice to a host; what does its second hello offer?", () ->
                last(protocol, "again", "again")).within(WITHIN_MS);
            rows.row("session." + protocol + ".between", "a client of " + protocol
                + " connects to a host, to another, and to the first again", () ->
                last(protocol, "between", "other", "between")).within(WITHIN_MS);
            rows.row("session." + protocol + ".other-host", "a client of " + protocol
                + " connects to a host, and then to another", () ->
                last(protocol, "first", "second")).within(WITHIN_MS);
            rows.row("session." + protocol + ".other-port", "a client of " + protocol
                + " connects to a host, and then to another port of it", () -> {
                    SSLContext client = RowsIdentity.clientContext();
                    String host = "ports." + protocol + ".example";
                    talk(client, server(), protocol, host, 443);
                    EngineTalk talk = talk(client, server(), protocol, host, 444);
                    return offered(talk) + "; " + talk.client.end();
                }).within(WITHIN_MS);
            for (int lifeS : new int[] {0, EIGHT_DAYS_S}) {
                rows.row("session." + protocol + ".server-keeps-" + lifeS, "a server of " + protocol
                    + " keeps its sessions for " + lifeS + " s; what does its client's second hello"
                    + " offer?", () -> {
                        SSLContext client = RowsIdentity.clientContext();
                        SSLContext server = server();
                        server.getServerSessionContext().setSessionTimeout(lifeS);
                        String host = "life-" + lifeS + "." + protocol + ".example";
                        talk(client, server, protocol, host, 443);
                        EngineTalk talk = talk(client, server, protocol, host, 443);
                        return offered(talk) + "; " + talk.client.end();
                    }).within(WITHIN_MS);
            }
        }
        rows.row("session.renegotiated.client", "a client of TLS 1.2 begins a second handshake",
            () -> renegotiated(true));
        rows.row("session.renegotiated.server", "a server of TLS 1.2 begins a second handshake",
            () -> renegotiated(false));
    }

    private static SSLContext server() throws GeneralSecurityException, IOException {
        SSLContext server = SSLContext.getInstance("TLS");
        server.init(RowsIdentity.keys(), RowsIdentity.trust(), null);
        return server;
    }

    private static EngineTalk talk(SSLContext client, SSLContext server, String protocol,
            String host, int port) {
        EngineTalk talk = new EngineTalk(client, server, host, port).protocol(protocol).run();
        talk.client.send(new byte[1]);
        return talk.run();
    }

    /**
     * Connects to these hosts one after the other; what does the last hello offer? Each row has
     * hosts of its own: a JDK whose contexts share a cache would mix the rows up.
     */
    private static String last(String protocol, String... hosts) throws Exception {
        SSLContext client = RowsIdentity.clientContext();
        SSLContext server = server();
        String text = "";
        for (String host : hosts) {
            EngineTalk talk = talk(client, server, protocol, host + "." + protocol + ".example",
                443);
            text = offered(talk) + "; " + talk.client.end();
        }
        return text;
    }

    private static String offered(EngineTalk talk) throws IOException {
        ClientHello hello = talk.hello();
        byte[] ticket = hello.extension(TICKET);
        if (hello.extension(ClientHello.PRE_SHARED_KEY) != null) {
            return "offers a PSK";
        }
        if (ticket != null && ticket.length > 0) {
            return "offers a ticket";
        }
        boolean isCompatible = hello.extension(ClientHello.SUPPORTED_VERSIONS) != null
            && hello.extension(ClientHello.KEY_SHARE) != null;
        return hello.sessionId.length > 0 && !isCompatible ? "offers a session id"
            : "offers no session";
    }

    private static String renegotiated(boolean byClient) throws Exception {
        EngineTalk talk = EngineTalk.rsa("TLSv1.2").run();
        final int begin = talk.client.sent.size();
        EngineTalk.Side first = byClient ? talk.client : talk.server;
        first.engine.beginHandshake();
        talk.run();
        return talk.ends() + "; " + (talk.client.sent.size() - begin > 100
            ? "the handshake is repeated" : "it is not repeated");
    }
}
