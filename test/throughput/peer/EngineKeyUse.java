// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.Principal;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Did this engine's handshake need the server's key? Like {@link KeyUse}, but for a server whose
 * handshakes move between threads: a full one has a key chosen, a resumed one does not.
 */
final class EngineKeyUse {
    private final Set<SSLEngine> full = ConcurrentHashMap.newKeySet();

    /** @return whether a key was chosen for the engine; forgets the engine */
    boolean taken(SSLEngine engine) {
        return full.remove(engine);
    }

    KeyManager[] watched(KeyManager[] keys) {
        return new KeyManager[] {
            new ServerKeys((X509ExtendedKeyManager) keys[0]) {
                @Override
                public String chooseEngineServerAlias(
                        String type, Principal[] issuers, SSLEngine engine) {
                    String alias = super.chooseEngineServerAlias(type, issuers, engine);
                    if (alias != null) {
                        full.add(engine);
                    }
                    return alias;
                }
            }
        };
    }
}
