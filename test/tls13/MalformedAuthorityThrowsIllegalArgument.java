// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8294985: SSLEngine throws IAE during parsing of X500Principal
 *
 * What goes wrong: a server asks its client for a certificate, and the name of an authority in its
 * request cannot be read. The client's handshake ends with an IllegalArgumentException, which
 * wrap() or unwrap() throws where callers expect an SSLException: it bypasses the error handling of
 * event loops, and no alert is sent.
 *
 * What it takes: a CertificateRequest with such a name. The test puts one into what a JSSE server
 * sends over TLS 1.2, so the handshake cannot succeed on any build: the two sides have seen
 * different messages.
 *
 * Control: the test puts in a name that can be read.
 *
 * Judged by a count of IllegalArgumentExceptions from where JSSE reads the request.
 *
 * Without its precondition
 *     -Drequest.tampered=off: inconclusive: no CertificateRequest to change
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/MalformedAuthorityThrowsIllegalArgument.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/MalformedAuthorityThrowsIllegalArgument.java
 *     java -cp classes MalformedAuthorityThrowsIllegalArgument [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     illegal_arguments = 1 exceptions (bound 1)
 *       thrown: java.lang.IllegalArgumentException: improperly specified input name
 *       thrown_in: CertificateRequest$T12CertificateRequestMessage.getAuthorities
 *     reproduced: The client's engine threw IllegalArgumentException (illegal_arguments 1, bound
 *         1).
 * On a fixed build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     illegal_arguments = 0 exceptions (bound 1)
 *       thrown: javax.net.ssl.SSLHandshakeException: The distinguished names of the peer's
 *           certificate authorities could not be parsed
 *       thrown_in: Alert.createSSLException
 *     not-reproduced: The handshake ended with an SSLException (illegal_arguments 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the exception, and where in JSSE it was
 * thrown.
 */

/*
 * @test
 * @bug 8294985
 * @summary A name of an authority that cannot be read must end the handshake with an SSLException
 * @key waits
 * @library /lib
 * @run main/othervm MalformedAuthorityThrowsIllegalArgument control
 * @run main/othervm MalformedAuthorityThrowsIllegalArgument subject
 */

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

public class MalformedAuthorityThrowsIllegalArgument {
    /** A name in DER whose outer length is more than there is; and CN=x. */
    private static final byte[] MALFORMED = {0x30, 0x20, 0x31};
    private static final byte[] WELL_FORMED =
        {0x30, 0x0c, 0x31, 0x0a, 0x30, 0x08, 0x06, 0x03, 0x55, 0x04, 0x03, 0x0c, 0x01, 0x78};

    public static void main(String[] args) throws Exception {
        Reproducer.run("MalformedAuthorityThrowsIllegalArgument", "JDK-8294985", args,
            MalformedAuthorityThrowsIllegalArgument::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLContext server = SSLContext.getInstance("TLS");
        server.init(Identity.serverKeys(), Identity.clientTrust(), null);
        TamperedRequest request = TamperedRequest.withAuthority(
            which == Case.CONTROL ? WELL_FORMED : MALFORMED);
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
        findings.judgeCount("illegal_arguments", thrown instanceof IllegalArgumentException ? 1 : 0,
            1, "exceptions", "The client's engine threw IllegalArgumentException",
            "The handshake ended with an SSLException");
    }

    private static Exception thrownBy(EnginePair pair) {
        try {
            pair.handshake();
            return null;
        } catch (SSLException | IllegalArgumentException e) {
            return e;
        }
    }
}
