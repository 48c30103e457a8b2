// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8254631: Better support ALPN byte wire values in SunJSSE
 *
 * What goes wrong: the name of an application protocol (ALPN, RFC 7301) is a string of bytes, for
 * which Java has a String. JSSE encodes that as UTF-8, so each byte from 0x80 on goes out as two
 * others, and no such protocol can be agreed on: no GREASE value (RFC 8701), for example.
 *
 * What it takes: a name with a byte that is not ASCII. The test reads the ClientHello.
 *
 * Control: h2, in ASCII.
 *
 * Judged by a count of extra bytes in the ClientHello.
 *
 * Without its precondition
 *     -Dalpn.named=off: inconclusive: names 0 application protocols
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/ApplicationProtocolBytesChanged.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/ApplicationProtocolBytesChanged.java
 *     java -cp classes ApplicationProtocolBytesChanged [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.10+9, AdoptOpenJDK
 *     bytes_too_many = 2 bytes (bound 1)
 *       bytes_named: 2
 *       bytes_sent: c28ac28a
 *     reproduced: The name of the protocol went out in more bytes than it has (bytes_too_many 2,
 *         bound 1).
 * On a fixed build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     bytes_too_many = 0 bytes (bound 1)
 *       bytes_named: 2
 *       bytes_sent: 8a8a
 *     not-reproduced: The name of the protocol went out byte for byte (bytes_too_many 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the bytes as sent.
 */

/*
 * @test
 * @bug 8254631
 * @summary A byte of an application protocol's name must go out as that byte
 * @key waits
 * @library /lib
 * @run main/othervm ApplicationProtocolBytesChanged control
 * @run main/othervm ApplicationProtocolBytesChanged subject
 */

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

public class ApplicationProtocolBytesChanged {
    /** A name that any server must ignore: two bytes, neither of them ASCII (RFC 8701). */
    private static final String GREASE = "\u008a\u008a";
    private static final String ASCII = "h2";

    /** For the kit's own tests: a client that names no protocol must make no test pass. */
    private static final boolean NAMES_NONE = "off".equals(System.getProperty("alpn.named"));

    public static void main(String[] args) throws Exception {
        Reproducer.run("ApplicationProtocolBytesChanged", "JDK-8254631", args,
            ApplicationProtocolBytesChanged::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        String name = which == Case.CONTROL ? ASCII : GREASE;
        String[] names = NAMES_NONE ? new String[0] : new String[] {name};
        ClientHello hello = new ClientHello(hello(names));
        List<byte[]> sent = hello.applicationProtocols();
        findings.require(sent.size() == 1,
            "The ClientHello names " + sent.size() + " application protocols, not one.");
        findings.fact("bytes_named", name.length());
        findings.fact("bytes_sent", hex(sent.get(0)));
        findings.judgeCount("bytes_too_many", sent.get(0).length - name.length(), 1, "bytes",
            "The name of the protocol went out in more bytes than it has",
            "The name of the protocol went out byte for byte");
    }

    private static TlsRecord hello(String... names) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, null, null);
        SSLEngine engine = context.createSSLEngine("peer.example", 443);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        name(parameters, names);
        engine.setSSLParameters(parameters);
        engine.beginHandshake();
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), out);
        return TlsRecord.read(new ByteArrayInputStream(out.array(), 0, out.position()));
    }

    /** By reflection: 8 before 8u252 has no such method. */
    private static void name(SSLParameters parameters, String... names)
            throws IllegalAccessException, InvocationTargetException, IOException {
        try {
            SSLParameters.class.getMethod("setApplicationProtocols", String[].class)
                .invoke(parameters, (Object) names);
        } catch (NoSuchMethodException e) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE, "This JDK has no ALPN.");
        }
    }

    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte each : bytes) {
            text.append(String.format("%02x", each));
        }
        return text.toString();
    }
}
