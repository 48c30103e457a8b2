// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.GeneralSecurityException;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** How does Jetty use the TLS that a service is given? Works with Jetty 9.4 and 12. */
final class JettyTls extends SslContextFactory.Server {
    private final ServiceSettings settings;

    JettyTls(ServiceSettings settings, ServiceCounters counters) throws GeneralSecurityException {
        this.settings = settings;
        setSslContext(settings.context(counters.keysChosen));
        // Jetty's list excludes suites that clients may choose; driver and JDK decide.
        setExcludeCipherSuites();
        setExcludeProtocols("SSLv3", "TLSv1", "TLSv1.1");
    }

    @Override
    public void customize(SSLEngine engine) {
        super.customize(engine);
        settings.prepare(engine);
    }
}
