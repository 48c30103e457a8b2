// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509KeyManager;

/**
 * Did this thread's handshake need the private key? A full one does, a resumed one does not, in
 * TLS 1.2 and 1.3 alike: the fact itself, not a guess from a session's age.
 */
final class KeyUse {
    private final ThreadLocal<Boolean> used = ThreadLocal.withInitial(() -> false);

    /** @return whether the key was used by this thread since it last asked */
    boolean taken() {
        boolean was = used.get();
        used.set(false);
        return was;
    }

    KeyManager[] watched(KeyManager[] keys) {
        return new KeyManager[] {new Watched((X509KeyManager) keys[0])};
    }

    private final class Watched extends X509ExtendedKeyManager {
        private final X509KeyManager keys;

        Watched(X509KeyManager keys) {
            this.keys = keys;
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            used.set(true);
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
