// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslProvider;
import javax.net.ssl.SSLEngine;

/** The Azure SDK's HTTP client with BoringSSL, the TLS library that it comes with. */
public final class AzureBoringSslClient extends AzureNettyClient {
    public AzureBoringSslClient() {
        super(SslProvider.OPENSSL);
    }

    @Override
    public void prepare(LoadSettings settings) throws Exception {
        if (!OpenSsl.isAvailable()) {
            throw new IllegalStateException(
                "BoringSSL does not load here: " + OpenSsl.unavailabilityCause());
        }
        if (!"BoringSSL".equals(OpenSsl.versionString())) {
            throw new IllegalStateException("no BoringSSL, but " + OpenSsl.versionString());
        }
        super.prepare(settings);
    }

    @Override
    boolean isOwn(SSLEngine engine) {
        return engine instanceof ReferenceCountedOpenSslEngine;
    }
}
