// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.Security;
import java.security.Signature;
import javax.net.ssl.SSLContext;

/**
 * Do look-ups of algorithms wait for a lock? Threads ask the first provider directly, and all
 * providers through the JVM's list, as code that names no provider does; the list asks the first
 * one first. Meanwhile another thread holds that provider's lock, the monitor of the object. Where
 * look-ups take it, they wait for that thread; where the list has a lock, for one another.
 */
final class ProviderLock {
    private ProviderLock() { }

    /**
     * Judges by what look-ups are seen to wait for.
     *
     * @param several whether several threads ask while another holds the lock; if not, one asks,
     *     and this is a control
     * @param found whether the provider must have the algorithms that are looked up
     */
    static void judge(boolean several, boolean found, Findings findings) throws Exception {
        Provider first = Security.getProviders()[0];
        String algorithm = found ? "SHA-256" : "AES";
        String type = found ? "MessageDigest" : "Cipher";
        findings.fact("provider", first.getName());
        findings.fact("look_up", type + " " + algorithm);
        boolean has = first.getService(type, algorithm) != null;
        findings.require(has == found, first.getName() + (has ? " has " : " does not have ")
            + type + " " + algorithm + ".");
        TimedCall.Call ask = () -> {
            first.getService(type, algorithm);
            // From the list, this call takes the first match; those below go through providers.
            if (found) {
                MessageDigest.getInstance("SHA-256");
            } else {
                SSLContext.getInstance("TLS");
            }
            Signature.getInstance(found ? "SHA256withDSA" : "SHA256withRSA");
            KeyFactory.getInstance(found ? "DSA" : "RSA");
        };
        // Once beforehand, so that one-time initialisation does not count.
        ask.run();
        AskedAtOnce asked =
            new AskedAtOnce(AskedAtOnce.within("java.security.Provider", "sun.security.jca."));
        if (several) {
            asked.by("asker-1", ask).by("asker-2", ask).by("asker-3", ask).by("asker-4", ask);
            synchronized (first) {
                asked.look(anybody -> true);
            }
        } else {
            asked.by("asker", ask).look(anybody -> true);
        }
        asked.check(findings);
        findings.judgeCount("looks_at_waiting_look_ups", asked.looksSeen(),
            AskedAtOnce.BOUND_LOOKS, "looks",
            "Look-ups of algorithms waited for a lock, " + asked.who(),
            "Look-ups of algorithms waited for no lock");
    }
}
