// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** How long may chains, handshake messages and lists of authorities be? */
public final class ChainLimits implements Topic {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    @Override
    public String name() {
        return "limit";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String protocol : PROTOCOLS) {
            for (int length = 8; length <= 11; length++) {
                int count = length;
                rows.row("limit.server-chain." + protocol + "." + count, "a client of " + protocol
                    + " is shown a chain of " + count, () -> chain(protocol, count, 1, 0).client.end());
                rows.row("limit.client-chain." + protocol + "." + count, "a server of " + protocol
                    + " is shown a chain of " + count, () -> {
                        EngineTalk talk = chain(protocol, 1, count, 0);
                        return talk.server.end();
                    });
            }
            for (int kilobytes : new int[] {16, 31, 33, 64}) {
                rows.row("limit.server-certificate." + protocol + "." + kilobytes, "a client of " + protocol
                    + " is shown a certificate of " + kilobytes + " KiB", () ->
                    large(protocol, kilobytes, false).client.end());
                rows.row("limit.client-certificate." + protocol + "." + kilobytes, "a server of " + protocol
                    + " is shown a certificate of " + kilobytes + " KiB", () ->
                    large(protocol, kilobytes, true).server.end());
            }
            for (int names : new int[] {1, 300, 600, 1000}) {
                rows.row("limit.authorities." + protocol + "." + names, "a server of " + protocol
                    + " names " + names + " authorities", () -> chain(protocol, 1, 1, names).ends());
            }
        }
    }

    private static EngineTalk chain(String protocol, int serverLength, int clientLength, int names)
            throws Exception {
        X509Certificate certificate = RowsIdentity.certificate();
        return talk(protocol, repeated(certificate, serverLength), repeated(certificate, clientLength),
            clientLength > 1 || names > 0, names);
    }

    private static EngineTalk large(String protocol, int kilobytes, boolean ofClient) throws Exception {
        CertificateDraft draft = TrustCheck.leaf();
        draft.extension("1.2.3.4", false, Der.octets(new byte[1024 * kilobytes - 800]));
        X509Certificate[] large = {draft.sign(TrustCheck.key())};
        X509Certificate[] small = {RowsIdentity.certificate()};
        return talk(protocol, ofClient ? small : large, ofClient ? large : small, ofClient, 0);
    }

    private static EngineTalk talk(String protocol, X509Certificate[] ofServer, X509Certificate[] ofClient,
            boolean clientAuth, int names) throws Exception {
        SSLContext server = SSLContext.getInstance("TLS");
        server.init(new KeyManager[] {new Shown(ofServer)}, new TrustManager[] {new All(names)}, null);
        SSLContext client = SSLContext.getInstance("TLS");
        client.init(new KeyManager[] {new Shown(ofClient)}, new TrustManager[] {new All(0)}, null);
        EngineTalk talk = new EngineTalk(client, server, "localhost", 443).protocol(protocol);
        talk.server.engine.setNeedClientAuth(clientAuth);
        return talk.run();
    }

    private static X509Certificate[] repeated(X509Certificate certificate, int count) {
        X509Certificate[] chain = new X509Certificate[count];
        Arrays.fill(chain, certificate);
        return chain;
    }

    /** Shows this chain to whoever asks. */
    private static final class Shown extends X509ExtendedKeyManager {
        private final X509Certificate[] chain;

        Shown(X509Certificate[] chain) {
            this.chain = chain;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return chain;
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            try {
                return RowsIdentity.key();
            } catch (java.security.GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }

        private static String alias(String... types) {
            return Arrays.asList(types).contains("RSA") ? "key" : null;
        }

        @Override
        public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
            return alias(type);
        }

        @Override
        public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
            return alias(types);
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return alias(type);
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return alias(types);
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return new String[] {"key"};
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return new String[] {"key"};
        }
    }

    /** Trusts all, and names authorities that there are not. */
    private static final class All extends X509ExtendedTrustManager {
        private final X509Certificate[] issuers;

        /** The certificates of names as long as the last one are one and the same. */
        All(int names) throws java.security.GeneralSecurityException {
            issuers = new X509Certificate[names];
            for (int i = 0; i < names; i++) {
                issuers[i] = i > 0 && length(i) == length(i - 1) ? issuers[i - 1] : authority(i);
            }
        }

        private static int length(int number) {
            return String.valueOf(number).length();
        }

        private static X509Certificate authority(int number) throws java.security.GeneralSecurityException {
            CertificateDraft draft = TrustCheck.root().subject("authority number " + number
                + " with a name that is about as long as real ones are: O=Kit, C=XX");
            return CertificateDraft.parse(Der.sequence(draft.unsigned(),
                CertificateDraft.identifier("SHA256withRSA"), Der.bits(new byte[256])));
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return issuers;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) { }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) { }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) { }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) { }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) { }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) { }
    }
}
