// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import javax.net.ssl.SSLSession;

/**
 * Was a session resumed? A resumed one keeps the time at which it was first created, to the
 * millisecond: the clock must move on between two handshakes to tell them apart.
 */
final class Resumption {
    // For the kit's own tests: if the client forgets its sessions, no test may pass.
    private static final boolean FORGETS = "off".equals(System.getProperty("sessions.kept"));

    private final long sinceMs;

    private Resumption(long sinceMs) {
        this.sinceMs = sinceMs;
    }

    /** Waits for the clock's next ms; a session created before that is an old one. */
    static Resumption fromNow() throws InterruptedException {
        long begin = System.currentTimeMillis();
        while (System.currentTimeMillis() == begin) {
            Thread.sleep(1);
        }
        return new Resumption(System.currentTimeMillis());
    }

    boolean resumed(SSLSession session) {
        return session.getCreationTime() < sinceMs;
    }

    /** Call when the client has all that it needs to resume this session later. */
    static void sessionIsComplete(SSLSession session) {
        if (FORGETS) {
            session.invalidate();
        }
    }
}
