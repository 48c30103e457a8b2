// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;

/** Which case is run? Only the subject: Subject.java of the flattener folds code by that. */
final class Case {
    static final Case TLS12 = null;
    static final Case NO_READ_TIMEOUT = null;
    static final Case CONTROL = null;
    static final Case SUBJECT = null;

    private Case() { }

    static Client client() throws GeneralSecurityException, IOException {
        return new Client(Identity.clientContext("TLS"));
    }

    static SSLContext clientContext() throws GeneralSecurityException, IOException {
        return Identity.clientContext("TLS");
    }

    static SSLContext tls13ClientContext() throws GeneralSecurityException, IOException {
        return Identity.clientContext("TLS");
    }

    static int readTimeoutMs(int subjectMs) {
        return subjectMs;
    }

    static void checkProtocol(Reply reply, Findings findings) {
        Findings.requireTls13(reply.protocol);
    }

    static void checkProtocol(SSLSession session, Findings findings) {
        Findings.requireTls13(session.getProtocol());
    }
}
