// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import io.netty.handler.ssl.SslProvider;
import javax.net.ssl.SSLEngine;

/** The Azure SDK's HTTP client with the JDK's own TLS. */
public final class AzureJdkClient extends AzureNettyClient {
    public AzureJdkClient() {
        super(SslProvider.JDK);
    }

    @Override
    boolean isOwn(SSLEngine engine) {
        return engine.getClass().getName().startsWith("sun.security.ssl.");
    }
}
