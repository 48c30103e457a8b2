// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;

/**
 * Which case of a reproducer does this JVM run? A control, in which the symptom must not show on
 * any build, or the subject. One JVM runs one case, because the JDK's caches exist once per JVM.
 */
enum Case {
    /** Control: the client allows no more than TLS 1.2, whose close does not wait for the peer. */
    TLS12("tls12", "TLSv1.2"),

    /** Control: without a read timeout a close does not wait either. */
    NO_READ_TIMEOUT("no-read-timeout", "TLS"),

    /** Control: the subject without one of the bug's conditions; the header says which. */
    CONTROL("control", "TLS"),

    /** The JDK's defaults and a read timeout. */
    SUBJECT("subject", "TLS");

    private static final String TLS13 = "TLSv1.3";

    final String word;
    private final String contextAlgorithm;

    Case(String word, String contextAlgorithm) {
        this.word = word;
        this.contextAlgorithm = contextAlgorithm;
    }

    /**
     * @param args of main: none means the subject
     * @throws CaseEnd with one clear line for anything else
     */
    static Case of(String[] args) {
        if (args.length == 0) {
            return SUBJECT;
        }
        for (Case which : values()) {
            if (args.length == 1 && which.word.equals(args[0])) {
                return which;
            }
        }
        throw new CaseEnd(Outcome.ERROR, "unknown case " + Arrays.toString(args)
            + ": give one of tls12, no-read-timeout, control, subject, or nothing for subject");
    }

    Client client() throws GeneralSecurityException, IOException {
        return new Client(clientContext());
    }

    SSLContext clientContext() throws GeneralSecurityException, IOException {
        return Identity.clientContext(contextAlgorithm);
    }

    /** @return the argument for setReadTimeout where the subject's is {@code subjectMs} */
    int readTimeoutMs(int subjectMs) {
        return this == NO_READ_TIMEOUT ? 0 : subjectMs;
    }

    /**
     * The context of a client that offers TLS 1.3 by default. Ends the case if it does not, as from
     * 8u272 to 8u345 (JDK-8245263): a handshake of TLS 1.2 could fail before checkProtocol is
     * asked.
     */
    SSLContext tls13ClientContext() throws GeneralSecurityException, IOException {
        SSLContext client = clientContext();
        List<String> offered = Arrays.asList(client.getDefaultSSLParameters().getProtocols());
        if (!offered.contains(TLS13)) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE, "The client's defaults offer "
                + String.join(", ", offered) + ", and the bug needs " + TLS13 + ".");
        }
        return client;
    }

    /** Ends the case unless the protocol it is about was negotiated. */
    void checkProtocol(Reply reply, Findings findings) {
        checkProtocol(reply.protocol, reply.cipher, findings);
    }

    /** Ends the case unless the protocol it is about was negotiated. */
    void checkProtocol(SSLSession session, Findings findings) {
        checkProtocol(session.getProtocol(), session.getCipherSuite(), findings);
    }

    private void checkProtocol(String protocol, String cipher, Findings findings) {
        findings.fact("protocol", protocol);
        findings.fact("cipher", cipher);
        if (this == TLS12) {
            findings.require("TLSv1.2".equals(protocol),
                "The control asked for TLSv1.2, yet " + protocol + " was negotiated.");
        } else if (!TLS13.equals(protocol)) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE, "The client's defaults negotiated protocol "
                + protocol + ", and the bug needs " + TLS13 + ".");
        }
    }
}
