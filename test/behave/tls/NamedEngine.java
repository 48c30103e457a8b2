// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.ByteBuffer;
import java.security.Principal;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

/**
 * Would this chain be trusted for that host? All that a trust manager asks of a connection: the
 * host, the protocol, the rule for names. There is no connection, so a hundred checks cost little.
 */
final class NamedEngine extends SSLEngine {
    private final String host;
    private final String protocol;
    private final SSLParameters parameters = new SSLParameters();
    List<SNIServerName> requestedNames = new ArrayList<>();
    String[] localSchemes = {"SHA256withRSA", "SHA384withRSA", "SHA512withRSA", "SHA224withRSA",
        "SHA1withRSA", "MD5withRSA", "RSASSA-PSS", "SHA256withECDSA", "SHA384withECDSA",
        "SHA512withECDSA", "SHA224withECDSA", "SHA1withECDSA", "SHA1withDSA", "SHA256withDSA",
        "Ed25519", "Ed448", "ML-DSA-65"};

    /** @param rule {@code HTTPS}, {@code LDAPS}, or null for none */
    NamedEngine(String host, String rule, String protocol) {
        super(host, 443);
        this.host = host;
        this.protocol = protocol;
        parameters.setEndpointIdentificationAlgorithm(rule);
    }

    @Override
    public SSLParameters getSSLParameters() {
        return parameters;
    }

    @Override
    public SSLSession getHandshakeSession() {
        return new Session();
    }

    @Override
    public SSLSession getSession() {
        return new Session();
    }

    private final class Session extends ExtendedSSLSession {
        @Override
        public String getPeerHost() {
            return host;
        }

        @Override
        public int getPeerPort() {
            return 443;
        }

        @Override
        public String getProtocol() {
            return protocol;
        }

        @Override
        public String getCipherSuite() {
            return "TLS_AES_128_GCM_SHA256";
        }

        @Override
        public List<SNIServerName> getRequestedServerNames() {
            return requestedNames;
        }

        @Override
        public String[] getLocalSupportedSignatureAlgorithms() {
            return localSchemes;
        }

        @Override
        public String[] getPeerSupportedSignatureAlgorithms() {
            return localSchemes;
        }

        /** Not overridden by annotation: it came with 9. */
        public List<byte[]> getStatusResponses() {
            return new ArrayList<>();
        }

        @Override
        public byte[] getId() {
            return new byte[0];
        }

        @Override
        public SSLSessionContext getSessionContext() {
            return null;
        }

        @Override
        public long getCreationTime() {
            return 0;
        }

        @Override
        public long getLastAccessedTime() {
            return 0;
        }

        @Override
        public void invalidate() { }

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public void putValue(String name, Object bound) { }

        @Override
        public Object getValue(String name) {
            return null;
        }

        @Override
        public void removeValue(String name) { }

        @Override
        public String[] getValueNames() {
            return new String[0];
        }

        @Override
        public Certificate[] getPeerCertificates() {
            return new Certificate[0];
        }

        @Override
        public Certificate[] getLocalCertificates() {
            return null;
        }

        @SuppressWarnings({"deprecation", "removal"})
        public javax.security.cert.X509Certificate[] getPeerCertificateChain() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Principal getPeerPrincipal() {
            return null;
        }

        @Override
        public Principal getLocalPrincipal() {
            return null;
        }

        @Override
        public int getPacketBufferSize() {
            return 16_709;
        }

        @Override
        public int getApplicationBufferSize() {
            return 16_704;
        }
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer[] from, int offset, int length, ByteBuffer into) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer from, ByteBuffer[] into, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Runnable getDelegatedTask() {
        return null;
    }

    @Override
    public void closeInbound() { }

    @Override
    public boolean isInboundDone() {
        return false;
    }

    @Override
    public void closeOutbound() { }

    @Override
    public boolean isOutboundDone() {
        return false;
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return new String[0];
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return new String[0];
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) { }

    @Override
    public String[] getSupportedProtocols() {
        return new String[0];
    }

    @Override
    public String[] getEnabledProtocols() {
        return new String[0];
    }

    @Override
    public void setEnabledProtocols(String[] protocols) { }

    @Override
    public void beginHandshake() { }

    @Override
    public SSLEngineResult.HandshakeStatus getHandshakeStatus() {
        return SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING;
    }

    @Override
    public void setUseClientMode(boolean mode) { }

    @Override
    public boolean getUseClientMode() {
        return true;
    }

    @Override
    public void setNeedClientAuth(boolean need) { }

    @Override
    public boolean getNeedClientAuth() {
        return false;
    }

    @Override
    public void setWantClientAuth(boolean want) { }

    @Override
    public boolean getWantClientAuth() {
        return false;
    }

    @Override
    public void setEnableSessionCreation(boolean enable) { }

    @Override
    public boolean getEnableSessionCreation() {
        return true;
    }
}
