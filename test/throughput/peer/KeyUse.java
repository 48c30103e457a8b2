// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.PrivateKey;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Did this thread's handshake need the private key? A full one does, a resumed one does not, in
 * TLS 1.2 and 1.3 alike: the fact itself, not a guess from a session's age.
 */
final class KeyUse {
    private final ThreadLocal<Boolean> used = ThreadLocal.withInitial(() -> false);

    /** @return whether this thread has used the key since it last called this */
    boolean taken() {
        boolean was = used.get();
        used.set(false);
        return was;
    }

    KeyManager[] watched(KeyManager[] keys) {
        return new KeyManager[] {
            new ServerKeys((X509ExtendedKeyManager) keys[0]) {
                @Override
                public PrivateKey getPrivateKey(String alias) {
                    used.set(true);
                    return super.getPrivateKey(alias);
                }
            }
        };
    }
}
