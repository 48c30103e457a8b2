// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.Provider;
import java.security.Security;

/**
 * Does a look-up of an algorithm take the lock of a provider? A thread asks while another is inside
 * that lock, which is the monitor of the provider's own object. Providers are asked in turn, so
 * that the lock of the first stands before nearly all of a handshake's look-ups.
 */
final class ProviderLock {
    // A look-up that waits takes as long as the lock is held, one that does not some ms.
    static final long HELD_MS = 3_000;
    static final long BOUND_MS = HELD_MS / 2;

    private ProviderLock() { }

    /**
     * Judges how long a look-up takes.
     *
     * @param held whether the lock is held meanwhile; else it is a control
     * @param found whether the provider is to have the algorithm that is looked up
     */
    static void judge(boolean held, boolean found, Findings findings) throws Exception {
        Provider first = Security.getProviders()[0];
        String algorithm = found ? "SHA-256" : "AES";
        String type = found ? "MessageDigest" : "Cipher";
        findings.fact("provider", first.getName());
        findings.fact("look_up", type + " " + algorithm);
        // Once before, so that what is only made at first does not count.
        boolean has = first.getService(type, algorithm) != null;
        findings.require(has == found, first.getName() + (has ? " has " : " does not have ")
            + type + " " + algorithm + ".");
        findings.measuringBegins();
        TimedCall ask;
        if (held) {
            synchronized (first) {
                ask = new TimedCall("asker", () -> first.getService(type, algorithm));
                // Counted from the call, else a slow start of the thread would shorten the wait.
                findings.require(ask.begun(Client.PATIENCE_MS), "The look-up did not begin.");
                ask.over(HELD_MS);
            }
        } else {
            ask = new TimedCall("asker", () -> first.getService(type, algorithm));
        }
        findings.require(ask.over(Client.PATIENCE_MS), "The look-up did not return.");
        findings.judge("look_up_ms", ask.ms(), BOUND_MS,
            "A look-up of an algorithm waited for the provider's lock",
            "A look-up of an algorithm did not wait for the provider's lock");
    }
}
