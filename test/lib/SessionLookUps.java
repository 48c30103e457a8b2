// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * Do threads that look up sessions in the cache of one context wait for one another? As clients,
 * they begin handshakes to one host and ask for a session by its id; as servers, they take a
 * ClientHello with a session id. Each stops once the session has been looked up, so that look-ups
 * are frequent.
 */
final class SessionLookUps {
    private static final int SESSION_ID_BYTES = 32;
    private static final String[] TLS12 = {"TLSv1.2"};

    // Only the server has it: it looks up the session, and then ends the handshake.
    private static final String SERVERS_SUITE = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";

    private SessionLookUps() { }

    /** Looks at such threads; the caller judges. */
    static AskedAtOnce look(SSLContext client, SSLContext server, Findings findings)
            throws Exception {
        ByteBuffer hello = clientHello(client);
        TimedCall.Call begin = () -> {
            begin(client);
            client.getClientSessionContext().getSession(new byte[SESSION_ID_BYTES]);
        };
        TimedCall.Call accept = () -> accept(server, hello.duplicate());
        // Once beforehand, so that one-time initialisation does not count.
        begin.run();
        accept.run();
        Sign.Place cache = AskedAtOnce.within(
            "sun.security.ssl.SSLSessionContextImpl", "sun.security.util.Cache",
            "sun.security.util.MemoryCache");
        AskedAtOnce asked = new AskedAtOnce(cache)
            .by("client-1", begin).by("client-2", begin).by("client-3", begin)
            .by("server-1", accept).by("server-2", accept).by("server-3", accept);
        asked.look(cache);
        asked.check(findings);
        return asked;
    }

    private static void begin(SSLContext context) throws SSLException {
        SSLEngine engine = context.createSSLEngine("peer.example", 443);
        engine.setUseClientMode(true);
        // Not TLS 1.3: the key shares of its first message take the most time.
        engine.setEnabledProtocols(TLS12);
        engine.beginHandshake();
    }

    private static void accept(SSLContext context, ByteBuffer hello) throws SSLException {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setEnabledProtocols(TLS12);
        engine.setEnabledCipherSuites(new String[] {SERVERS_SUITE});
        engine.unwrap(hello, ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()));
        for (Runnable task = engine.getDelegatedTask(); task != null;
                task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /** The first message to a host without a cached session; in TLS 1.3 with a session id. */
    private static ByteBuffer clientHello(SSLContext context) throws SSLException {
        SSLEngine engine = context.createSSLEngine("unknown.example", 443);
        engine.setUseClientMode(true);
        List<String> suites = new ArrayList<>(Arrays.asList(engine.getEnabledCipherSuites()));
        suites.remove(SERVERS_SUITE);
        engine.setEnabledCipherSuites(suites.toArray(new String[0]));
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);
        hello.flip();
        return hello;
    }
}
