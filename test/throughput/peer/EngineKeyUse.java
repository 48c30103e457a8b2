// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Did this engine's handshake need the server's key? As {@link KeyUse}, for a server whose
 * handshakes go over from thread to thread: a full one has a key chosen, a resumed one has not.
 */
final class EngineKeyUse {
    private final Set<SSLEngine> full = ConcurrentHashMap.newKeySet();

    /** @return whether a key was chosen for the engine; it is forgotten then */
    boolean taken(SSLEngine engine) {
        return full.remove(engine);
    }

    KeyManager[] watched(KeyManager[] keys) {
        return new KeyManager[] {new Watched((X509ExtendedKeyManager) keys[0])};
    }

    private final class Watched extends X509ExtendedKeyManager {
        private final X509ExtendedKeyManager keys;

        Watched(X509ExtendedKeyManager keys) {
            this.keys = keys;
        }

        @Override
        public String chooseEngineServerAlias(
                String type, Principal[] issuers, SSLEngine engine) {
            String alias = keys.chooseEngineServerAlias(type, issuers, engine);
            if (alias != null) {
                full.add(engine);
            }
            return alias;
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return keys.getPrivateKey(alias);
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return keys.getCertificateChain(alias);
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return keys.chooseServerAlias(type, issuers, socket);
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return keys.getServerAliases(type, issuers);
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return null;
        }
    }
}
