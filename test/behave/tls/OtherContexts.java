// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import javax.net.ssl.SSLContext;

/** Does a client offer a session to a host that another context of this JVM has made with it? */
final class OtherContexts implements Topic {
    private static final int TICKET = 35;
    private static final int PRE_SHARED_KEY = 41;

    @Override
    public String name() {
        return "context";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
            rows.row("context.same." + protocol, "a client of " + protocol + " meets a server twice,"
                + " by one context", () -> twice(protocol, "same.example", "same.example", true));
            rows.row("context.other." + protocol, "a client of " + protocol + " meets a server"
                + " twice, by two contexts", () -> twice(protocol, "two.example", "two.example", false));
            rows.row("context.other-host." + protocol, "a client of " + protocol + " meets two hosts"
                + " by one context", () -> twice(protocol, "a.example", "b.example", true));
        }
    }

    private static String twice(String protocol, String first, String second, boolean isSame)
            throws Exception {
        SSLContext server = HelloAnswer.context();
        SSLContext client = RowsIdentity.clientContext();
        String ends = talk(client, server, protocol, first).ends();
        SSLContext next = isSame ? client : RowsIdentity.clientContext();
        EngineTalk talk = talk(next, server, protocol, second);
        ClientHello hello = talk.hello();
        byte[] ticket = hello.extension(TICKET);
        boolean offers = hello.extension(PRE_SHARED_KEY) != null
            || ticket != null && ticket.length > 0;
        return ends + "; then " + talk.ends() + "; the second hello has "
            + (offers ? "a ticket" : "no ticket");
    }

    private static EngineTalk talk(SSLContext client, SSLContext server, String protocol,
            String host) {
        return new EngineTalk(client, server, host, 8443).protocol(protocol).run();
    }
}
