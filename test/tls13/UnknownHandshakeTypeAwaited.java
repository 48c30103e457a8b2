// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8228757: Fail fast if the handshake type is unknown
 *
 * What goes wrong: a peer that does not speak TLS, or speaks it wrongly, sends what looks like the
 * head of a handshake message of a type that does not exist, up to 16 MB long. The engine keeps
 * what comes and waits for the rest before it looks at the type. A server without a timeout waits
 * for ever.
 *
 * What it takes: any version of TLS. The type is seen in the first record; the engine has no key,
 * as it needs none.
 *
 * Control: the head of a ClientHello, whose rest must be awaited.
 *
 * Judged by a count of messages of an undefined type that it waits for.
 *
 * Without its precondition
 *     -Dhandshake.type=1: inconclusive: of type 1, which is known
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/UnknownHandshakeTypeAwaited.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/UnknownHandshakeTypeAwaited.java
 *     java -cp classes UnknownHandshakeTypeAwaited [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.7+10-LTS, Azul Systems, Inc.
 *     unknown_types_awaited = 1 messages (bound 1)
 *       type: 99
 *       answer: NEED_UNWRAP
 *     reproduced: The engine waits for the rest of a message of an unknown type
 *         (unknown_types_awaited 1, bound 1).
 * On a fixed build:
 *     # java: 11.0.9.1+1, AdoptOpenJDK
 *     unknown_types_awaited = 0 messages (bound 1)
 *       type: 99
 *       answer: javax.net.ssl.SSLProtocolException: Unknown handshake type size,
 *           Handshake.msg_type = 99
 *     not-reproduced: The engine refused a message of an unknown type at once
 *         (unknown_types_awaited 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the engine's answer.
 */

/*
 * @test
 * @bug 8228757
 * @summary A handshake message of an unknown type must be refused when its type has come
 * @key waits
 * @library /lib
 * @run main/othervm UnknownHandshakeTypeAwaited control
 * @run main/othervm UnknownHandshakeTypeAwaited subject
 */

import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

public class UnknownHandshakeTypeAwaited {
    /** An undefined type of handshake message (RFC 8446, appendix B.3). */
    private static final int UNKNOWN = 99;

    /** Follows the type: the length of the rest, which no limit forbids. */
    private static final byte[] LENGTH = {0, 1, 0};

    public static void main(String[] args) throws Exception {
        Reproducer.run("UnknownHandshakeTypeAwaited", "JDK-8228757", args,
            UnknownHandshakeTypeAwaited::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        int type = which == Case.CONTROL ? TlsRecord.CLIENT_HELLO
            : Integer.getInteger("handshake.type", UNKNOWN);
        byte[] head = {(byte) type, LENGTH[0], LENGTH[1], LENGTH[2]};
        String answer = answer(TlsRecord.of(TlsRecord.HANDSHAKE, head));
        findings.fact("type", type);
        findings.fact("answer", answer);
        boolean awaits = answer.equals(HandshakeStatus.NEED_UNWRAP.toString());
        findings.require(which == Case.SUBJECT || awaits,
            "The engine does not wait for the rest of a ClientHello: " + answer + ".");
        findings.require(type == UNKNOWN || which == Case.CONTROL,
            "The message is of type " + type + ", which is known.");
        findings.judgeCount("unknown_types_awaited", awaits && type == UNKNOWN ? 1 : 0, 1,
            "messages", "The engine waits for the rest of a message of an unknown type",
            which == Case.CONTROL ? "The engine waits for the rest of a ClientHello"
                : "The engine refused a message of an unknown type at once");
    }

    /** @return what a server's engine wants next, or what it threw */
    private static String answer(TlsRecord first) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, null, null);
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.beginHandshake();
        ByteBuffer data = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        try {
            SSLEngineResult result = engine.unwrap(ByteBuffer.wrap(first.bytes), data);
            return result.getHandshakeStatus().toString();
        } catch (SSLException e) {
            return e.toString();
        }
    }
}
