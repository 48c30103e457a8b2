// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.Provider;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;

/** How is a service configured? Its TLS implementation, key and tickets, and what it counts. */
final class ServiceSettings {
    final ServiceTls tls;
    final boolean tickets;
    final X509ExtendedKeyManager key;
    /** Whether its counters report memory without garbage, which takes a collection. */
    final boolean collects;

    /**
     * Reads {@code tls=}, {@code key=ec|rsa}, {@code tickets=true} and {@code collects=false}.
     *
     * @param accepted the TLS implementations that the service supports, besides none
     */
    ServiceSettings(Arguments arguments, ServiceTls... accepted)
            throws GeneralSecurityException, IOException {
        tls = ServiceTls.of(arguments, accepted);
        tickets = arguments.flag("tickets", true);
        PeerContext.prepare(tickets);
        collects = arguments.flag("collects", false);
        String type = arguments.text("key", "ec");
        if (!type.equals("ec") && !type.equals("rsa")) {
            throw new IllegalArgumentException("key=" + type + ": give ec or rsa");
        }
        key = (X509ExtendedKeyManager)
            (type.equals("rsa") ? RsaIdentity.serverKeys() : Identity.serverKeys())[0];
    }

    /** A context of JSSE or Conscrypt that counts each choice of the key. */
    SSLContext context(LongAdder keysChosen) throws GeneralSecurityException {
        KeyManager[] keys = {watched(keysChosen)};
        if (tls == ServiceTls.JSSE) {
            return PeerContext.of(keys, tickets);
        }
        SSLContext context = SSLContext.getInstance("TLS", conscrypt());
        context.init(keys, new TrustManager[0], null);
        return context;
    }

    /** By reflection: a service with another TLS implementation need not have the jar. */
    private static Provider conscrypt() {
        try {
            return (Provider) Class.forName("org.conscrypt.Conscrypt")
                .getMethod("newProvider").invoke(null);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException("Conscrypt has no native library for "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch")
                + ": ask for the services without it", e);
        }
    }

    /** Without tickets: Conscrypt must be told for each engine; JSSE's context sends none. */
    void prepare(SSLEngine engine) {
        if (tls == ServiceTls.CONSCRYPT && !tickets) {
            try {
                Class.forName("org.conscrypt.Conscrypt")
                    .getMethod("setUseSessionTickets", SSLEngine.class, boolean.class)
                    .invoke(null, engine, false);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A key manager that counts each choice of the key. */
    KeyManager watched(LongAdder keysChosen) {
        return new ServerKeys(key) {
            @Override
            public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
                return counted(super.chooseServerAlias(type, issuers, socket));
            }

            @Override
            public String chooseEngineServerAlias(
                    String type, Principal[] issuers, SSLEngine engine) {
                return counted(super.chooseEngineServerAlias(type, issuers, engine));
            }

            private String counted(String alias) {
                if (alias != null) {
                    keysChosen.increment();
                }
                return alias;
            }
        };
    }
}
