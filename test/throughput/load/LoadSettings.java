// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Properties;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** What does a client need to know of the run before its first request? */
public final class LoadSettings {
    private final Properties properties;
    private final SSLContext sslContext;
    private final TrustManager trust;

    /** @param properties the sample's, as described in the README of this folder's parent */
    LoadSettings(Properties properties) throws GeneralSecurityException, IOException {
        this.properties = properties;
        boolean anyKey = properties.getProperty("expect.key") != null;
        TrustManager[] trusted = anyKey ? RsaIdentity.clientTrust() : Identity.clientTrust();
        sslContext = SSLContext.getInstance("TLS");
        sslContext.init(null, trusted, null);
        trust = trusted[0];
    }

    /** The one context of this JVM: it trusts the kit's own certificates and nothing else. */
    public SSLContext sslContext() {
        return sslContext;
    }

    /** The same trust, for a library that makes its own context. */
    public TrustManager trust() {
        return trust;
    }

    /** The protocols to enable, no others: {@code TLSv1.3} or {@code TLSv1.2}. */
    public String[] protocols() {
        return properties.getProperty("protocols", "TLSv1.3").split(",");
    }

    /** Whether any group of the sample asks to close after each reply. */
    public boolean someGroupCloses() {
        return properties.stringPropertyNames().stream().anyMatch(
            name -> name.endsWith(".close_after") && "true".equals(properties.getProperty(name)));
    }
}
