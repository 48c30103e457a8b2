// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.Provider;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;

/** By whose TLS does a service answer, if by any? */
enum ServiceTls {
    NONE, JSSE, CONSCRYPT, BORINGSSL, HAPROXY;

    /**
     * What the argument {@code tls} says.
     *
     * @param accepted which a service knows besides {@link #NONE}
     */
    static ServiceTls of(Arguments arguments, ServiceTls... accepted) {
        String name = arguments.text("tls", "none");
        StringBuilder names = new StringBuilder(NONE.argument());
        if (name.equals(NONE.argument())) {
            return NONE;
        }
        for (ServiceTls one : accepted) {
            if (name.equals(one.argument())) {
                return one;
            }
            names.append(", ").append(one.argument());
        }
        throw new IllegalArgumentException("tls=" + name + ": give one of " + names);
    }

    private String argument() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The keys of a service, each choice of which counts; of one without tickets the first use. */
    KeyManager[] keys(LongAdder keysChosen, boolean tickets)
            throws GeneralSecurityException, IOException {
        PeerContext.prepare(tickets);
        return watched(Identity.serverKeys(), keysChosen);
    }

    /** The context of a service by JSSE or Conscrypt. */
    SSLContext context(LongAdder keysChosen, boolean tickets)
            throws GeneralSecurityException, IOException {
        KeyManager[] keys = keys(keysChosen, tickets);
        if (this == JSSE) {
            return PeerContext.of(keys, tickets);
        }
        SSLContext context = SSLContext.getInstance("TLS", conscrypt());
        context.init(keys, new TrustManager[0], null);
        return context;
    }

    /** By reflection: a service of another TLS need not have the jar. */
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

    /** No tickets of TLS 1.3 for a client of this engine; JSSE's context sends none already. */
    void withoutTickets(SSLEngine engine) {
        if (this == CONSCRYPT) {
            try {
                Class.forName("org.conscrypt.Conscrypt")
                    .getMethod("setUseSessionTickets", SSLEngine.class, boolean.class)
                    .invoke(null, engine, false);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static KeyManager[] watched(KeyManager[] keys, LongAdder keysChosen) {
        return new KeyManager[] {
            new ServerKeys((X509ExtendedKeyManager) keys[0]) {
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
            }
        };
    }
}
