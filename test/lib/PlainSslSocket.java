// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.lang.reflect.Proxy;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/**
 * What does HttpsURLConnection do with its sockets? This one claims to be a TLS socket, speaks
 * plain TCP, and reports when it is closed. Its session knows no peer, so the client needs a
 * HostnameVerifier of its own.
 */
final class PlainSslSocket extends SSLSocket {
    static final String CIPHER = "TLS_AES_128_GCM_SHA256";
    private static final String PROTOCOL = "TLSv1.3";

    /** What happens in close(), before the socket itself is closed? */
    interface OnClose {
        void closing(int number) throws IOException;
    }

    private final int number;
    private final OnClose onClose;

    PlainSslSocket(int number, OnClose onClose) {
        this.number = number;
        this.onClose = onClose;
    }

    @Override
    public void close() throws IOException {
        if (!isClosed()) {
            onClose.closing(number);
        }
        super.close();
    }

    @Override
    public SSLSession getSession() {
        return (SSLSession) Proxy.newProxyInstance(PlainSslSocket.class.getClassLoader(),
            new Class<?>[] {SSLSession.class}, (proxy, method, arguments) -> {
                switch (method.getName()) {
                    case "getCipherSuite":
                        return CIPHER;
                    case "getProtocol":
                        return PROTOCOL;
                    case "isValid":
                        return true;
                    case "hashCode":
                        return System.identityHashCode(proxy);
                    case "equals":
                        return proxy == arguments[0];
                    default:
                        throw new SSLPeerUnverifiedException("a plain socket knows no peer");
                }
            });
    }

    @Override
    public void startHandshake() { }

    @Override
    public String[] getSupportedCipherSuites() {
        return new String[] {CIPHER};
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return getSupportedCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) { }

    @Override
    public String[] getSupportedProtocols() {
        return new String[] {PROTOCOL};
    }

    @Override
    public String[] getEnabledProtocols() {
        return getSupportedProtocols();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) { }

    @Override
    public void addHandshakeCompletedListener(HandshakeCompletedListener listener) { }

    @Override
    public void removeHandshakeCompletedListener(HandshakeCompletedListener listener) { }

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
    public void setEnableSessionCreation(boolean flag) { }

    @Override
    public boolean getEnableSessionCreation() {
        return true;
    }
}
