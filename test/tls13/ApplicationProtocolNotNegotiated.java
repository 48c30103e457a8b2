// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8230977: JEP 244/JDK-8051498 - TLS Application-Layer Protocol Negotiation Extension
 *
 * What goes wrong: two SSLEngines that both name h2 agree on no application protocol (RFC 7301), so
 * HTTP/2 is not spoken. 8 before 8u252 has no way to name one without a jar on the boot class path.
 * This is a guard: every build at hand negotiates.
 *
 * What it takes: two SSLEngines. In the control neither names a protocol, and none is agreed on.
 *
 * Judged by a count of handshakes in which both sides name h2 and none is agreed on.
 *
 * Without its precondition
 *     since 12 -Djdk.tls.server.disableExtensions=application_layer_protocol_negotiation:
 *         reproduced: TLSv1.3 none, TLSv1.2 none
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/ApplicationProtocolNotNegotiated.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/ApplicationProtocolNotNegotiated.java
 *     java -cp classes ApplicationProtocolNotNegotiated [CASE]
 * where CASE is control or subject (the default).
 *
 * On a build that ignores it (planted/alpn-ignored-17.diff):
 *     # java: 17.0.21.1+2-1-deb12u1-Debian, Debian
 *     handshakes_without_alpn = 2 handshakes (bound 1)
 *       agreed: TLSv1.3 none, TLSv1.2 none
 *     reproduced: Both sides named h2, and it was not agreed on (handshakes_without_alpn 2,
 *           bound 1).
 * On a fixed build:
 *     # java: 1.8.0_504-8u504-ga-1-b01, Debian
 *     handshakes_without_alpn = 0 handshakes (bound 1)
 *       agreed: TLSv1.3 h2, TLSv1.2 h2
 *     not-reproduced: Both sides named h2, and it was agreed on (handshakes_without_alpn 0,
 *           bound 1).
 */

/*
 * @test
 * @bug 8230977
 * @summary h2 must be negotiated over the JDK's TLS without any jar
 * @key waits
 * @library /lib
 * @run main/othervm ApplicationProtocolNotNegotiated control
 * @run main/othervm ApplicationProtocolNotNegotiated subject
 */

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

public class ApplicationProtocolNotNegotiated {
    private static final String HOST = "peer.example";
    private static final int PORT = 443;
    private static final String WANTED = "h2";
    private static final String[] OFFERED = {WANTED, "http/1.1"};
    private static final List<String> VERSIONS = Arrays.asList("TLSv1.3", "TLSv1.2");

    public static void main(String[] args) throws Exception {
        Reproducer.run("ApplicationProtocolNotNegotiated", "JDK-8230977", args,
            ApplicationProtocolNotNegotiated::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLContext client = which.clientContext();
        SSLContext server = Identity.serverContext();
        List<String> supported =
            Arrays.asList(server.getSupportedSSLParameters().getProtocols());
        String wanted = which == Case.CONTROL ? "" : WANTED;
        List<String> found = new ArrayList<>();
        int wrong = 0;
        for (String version : VERSIONS) {
            if (!supported.contains(version)) {
                continue;
            }
            EnginePair pair = new EnginePair(client, server, HOST, PORT);
            for (SSLEngine engine : new SSLEngine[] {pair.client, pair.server}) {
                engine.setEnabledProtocols(new String[] {version});
                // From 8u272 to 8u345 a client's defaults have no suite of TLS 1.3 (JDK-8245263).
                engine.setEnabledCipherSuites(engine.getSupportedCipherSuites());
                if (which != Case.CONTROL) {
                    offer(engine);
                }
            }
            pair.handshake();
            String agreed = agreed(pair.client);
            findings.require(version.equals(pair.client.getSession().getProtocol()),
                "The engines agreed on " + pair.client.getSession().getProtocol() + ", not on "
                + version + ".");
            found.add(version + " " + (agreed.isEmpty() ? "none" : agreed));
            wrong += agreed.equals(wanted) && agreed(pair.server).equals(wanted) ? 0 : 1;
        }
        findings.fact("agreed", String.join(", ", found));
        findings.judgeCount("handshakes_without_alpn", wrong, 1, "handshakes",
            "Both sides named h2, and it was not agreed on",
            which == Case.CONTROL ? "Nobody named a protocol, and none was agreed on"
                : "Both sides named h2, and it was agreed on");
    }

    /** By reflection: 8 before 8u252 has no such method. */
    private static void offer(SSLEngine engine)
            throws IllegalAccessException, InvocationTargetException {
        SSLParameters parameters = engine.getSSLParameters();
        try {
            Method name =
                SSLParameters.class.getMethod("setApplicationProtocols", String[].class);
            name.invoke(parameters, (Object) OFFERED);
            engine.setSSLParameters(parameters);
        } catch (NoSuchMethodException thereIsNoWay) {
            // Then no protocol is agreed on, which is what is counted.
        }
    }

    /** The protocol agreed on; empty if there is none. */
    private static String agreed(SSLEngine engine)
            throws IllegalAccessException, InvocationTargetException {
        try {
            Object agreed = SSLEngine.class.getMethod("getApplicationProtocol").invoke(engine);
            return agreed == null ? "" : agreed.toString();
        } catch (NoSuchMethodException thereIsNoWay) {
            return "";
        }
    }
}
