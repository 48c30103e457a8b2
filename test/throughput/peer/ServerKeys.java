// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** Delegates to a server's key manager; a subclass watches the calls that it needs. */
abstract class ServerKeys extends X509ExtendedKeyManager {
    private final X509ExtendedKeyManager keys;

    ServerKeys(X509ExtendedKeyManager keys) {
        this.keys = keys;
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
    public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
        return keys.chooseEngineServerAlias(type, issuers, engine);
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
