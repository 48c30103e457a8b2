// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** Which TLS does a JSSE peer speak? The JDK's defaults, with or without tickets. */
final class PeerContext {
    // With a timeout above the seven days that RFC 8446, 4.6.1, allows, JSSE sends no tickets.
    static final int NO_TICKETS_S = 8 * 24 * 3600;

    private PeerContext() { }

    /** Sets what must be set before the JVM's first use of TLS. */
    static void prepare(boolean tickets) {
        if (!tickets) {
            // Otherwise, a TLS 1.2 peer would promise a ticket and then not send it.
            System.setProperty("jdk.tls.server.enableSessionTicketExtension", "false");
        }
    }

    /**
     * Makes the context; must be the JVM's first use of TLS.
     *
     * @param tickets false: none are sent. Sessions of TLS 1.2 can still be resumed by their ids.
     */
    static SSLContext of(KeyManager[] keys, boolean tickets) throws GeneralSecurityException {
        prepare(tickets);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, new TrustManager[0], null);
        if (!tickets) {
            context.getServerSessionContext().setSessionTimeout(NO_TICKETS_S);
        }
        return context;
    }
}
