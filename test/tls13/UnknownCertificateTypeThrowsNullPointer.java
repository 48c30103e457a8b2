// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8295068: SSLEngine throws NPE parsing CertificateRequests
 *
 * What goes wrong: a server asks its client for a certificate, and names a certificate type that
 * the JDK does not know, beside those that it does. The client's handshake ends with a
 * NullPointerException, which wrap() or unwrap() throws where callers expect an SSLException: it
 * bypasses the error handling of event loops, and no alert is sent.
 *
 * What it takes: TLS 1.2 or before, and a CertificateRequest with such a type. The test puts one
 * into what a JSSE server sends, so the handshake cannot succeed on any build: the two sides have
 * seen different messages.
 *
 * Control: the test puts in a known type.
 *
 * Judged by a count of NullPointerExceptions from where JSSE reads the request.
 *
 * Without its precondition
 *     -Drequest.tampered=off: inconclusive: no CertificateRequest to change
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/UnknownCertificateTypeThrowsNullPointer.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/UnknownCertificateTypeThrowsNullPointer.java
 *     java -cp classes UnknownCertificateTypeThrowsNullPointer [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     null_pointers = 1 exceptions (bound 1)
 *       thrown: java.lang.NullPointerException: Cannot read field "isAvailable" because "<local6>"
 *           is null
 *       thrown_in: CertificateRequest$ClientCertificateType.getKeyTypes
 *     reproduced: The client's engine threw NullPointerException (null_pointers 1, bound 1).
 * On a fixed build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     null_pointers = 0 exceptions (bound 1)
 *       thrown: javax.net.ssl.SSLException: Tag mismatch
 *       thrown_in: Alert.createSSLException
 *     not-reproduced: The handshake ended with an SSLException (null_pointers 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the exception, and where in JSSE it was
 * thrown.
 */

/*
 * @test
 * @bug 8295068
 * @summary A client must pass over types of certificates that it does not know
 * @key waits
 * @library /lib
 * @run main/othervm UnknownCertificateTypeThrowsNullPointer control
 * @run main/othervm UnknownCertificateTypeThrowsNullPointer subject
 */

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

public class UnknownCertificateTypeThrowsNullPointer {
    /** An undefined certificate type, and rsa_sign (RFC 5246 section 7.4.4). */
    private static final byte UNKNOWN = (byte) 0xe0;
    private static final byte RSA_SIGN = 1;

    public static void main(String[] args) throws Exception {
        Reproducer.run("UnknownCertificateTypeThrowsNullPointer", "JDK-8295068", args,
            UnknownCertificateTypeThrowsNullPointer::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLContext server = SSLContext.getInstance("TLS");
        server.init(Identity.serverKeys(), Identity.clientTrust(), null);
        TamperedRequest request = TamperedRequest.withType(
            which == Case.CONTROL ? RSA_SIGN : UNKNOWN);
        EnginePair pair = new EnginePair(which.clientContext(), server, "peer.example", 443);
        pair.client.setEnabledProtocols(new String[] {"TLSv1.2"});
        pair.server.setWantClientAuth(true);
        Exception thrown = thrownBy(pair.fromServer(request::apply));
        findings.fact("thrown", String.valueOf(thrown));
        findings.require(request.seen(), "The server sent no CertificateRequest to change.");
        String frame = TamperedRequest.frameOfJsse(thrown);
        findings.fact("thrown_in", frame);
        findings.require(thrown instanceof SSLException || frame.startsWith("CertificateRequest"),
            "The handshake ended with " + thrown + ", thrown in " + frame + ".");
        findings.judgeCount("null_pointers", thrown instanceof NullPointerException ? 1 : 0,
            1, "exceptions", "The client's engine threw NullPointerException",
            "The handshake ended with an SSLException");
    }

    private static Exception thrownBy(EnginePair pair) {
        try {
            pair.handshake();
            return null;
        } catch (SSLException | NullPointerException e) {
            return e;
        }
    }
}
