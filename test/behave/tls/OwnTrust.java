// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * What does JSSE check by itself, where an application has a trust manager of its own? Of the old
 * kind, which knows no connection, as most that accept all are.
 */
final class OwnTrust implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final String HOST = "www.example.com";
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    /** An application's own, as a row wants it. */
    private static class Own implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            check(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            check(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }

        /** Accepts all. */
        void check(X509Certificate[] chain, String type) throws CertificateException {
            // whoever it is
        }
    }

    /** A certificate that a row changes. */
    private interface Change {
        void change(CertificateDraft draft) throws Exception;
    }

    @Override
    public String name() {
        return "own-trust";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String protocol : PROTOCOLS) {
            for (String identity : new String[] {"none", "HTTPS", "LDAPS", "OTHER"}) {
                for (String host : new String[] {HOST, "other.example"}) {
                    rows.row("own-trust.identity." + identity + "." + host + "." + protocol, "a trust"
                        + " manager accepts all, the identification is " + identity + ", and " + host
                        + " shows a certificate of " + HOST, () -> talk(protocol, new Own(), host,
                            identity, leaf(draft -> { }))).within(WITHIN_MS);
                }
            }
            accepted(rows, protocol, "md5", "is signed with MD5", draft -> draft.algorithm("MD5withRSA"));
            accepted(rows, protocol, "sha1", "is signed with SHA-1",
                draft -> draft.algorithm("SHA1withRSA"));
            accepted(rows, protocol, "expired", "has expired", draft -> draft.valid(-2, -1));
            accepted(rows, protocol, "client-only", "is for clients",
                draft -> draft.extendedKeyUsage("1.3.6.1.5.5.7.3.2"));
            accepted(rows, protocol, "unknown-critical", "has an unknown critical extension",
                draft -> draft.extension("1.2.3.4", true, Der.nothing()));
            refusing(rows, protocol);
            server(rows, protocol);
        }
        rows.row("own-trust.late.HTTPS", "a trust manager accepts all, and the identification is set to"
            + " HTTPS after the hello was sent", () -> {
                EngineTalk talk = new EngineTalk(context(null, new Own()), serverContext(
                    leaf(draft -> { }), null), "other.example", 443).protocol("TLSv1.2");
                talk.client.hello();
                identify(talk, "HTTPS");
                return ends(talk);
            }).within(WITHIN_MS);
    }

    private static void accepted(TopicRows rows, String protocol, String id, String does, Change change) {
        rows.row("own-trust.accepted." + id + "." + protocol, "a trust manager accepts all, and the"
            + " server's certificate " + does + ", " + protocol,
            () -> talk(protocol, new Own(), HOST, "HTTPS", leaf(change))).within(WITHIN_MS);
    }

    private static void refusing(TopicRows rows, String protocol) {
        rows.row("own-trust.refuses." + protocol, "a trust manager refuses, " + protocol,
            () -> talk(protocol, new Own() {
                @Override
                void check(X509Certificate[] chain, String type) throws CertificateException {
                    throw new CertificateException("not this one");
                }
            }, HOST, "none", leaf(draft -> { }))).within(WITHIN_MS);
        rows.row("own-trust.throws." + protocol, "a trust manager throws an unchecked exception, "
            + protocol, () -> talk(protocol, new Own() {
                @Override
                void check(X509Certificate[] chain, String type) {
                    throw new IllegalStateException("it throws");
                }
            }, HOST, "none", leaf(draft -> { }))).within(WITHIN_MS);
        rows.row("own-trust.asked." + protocol, "what is a trust manager asked? " + protocol, () -> {
            StringBuilder asked = new StringBuilder();
            String end = talk(protocol, new Own() {
                @Override
                void check(X509Certificate[] chain, String type) {
                    asked.append("; asked of ").append(chain.length).append(", ").append(type);
                }
            }, HOST, "none", leaf(draft -> { }));
            return end + asked;
        }).within(WITHIN_MS);
    }

    /** The client shows a certificate, and the server's trust manager is the application's own. */
    private static void server(TopicRows rows, String protocol) {
        for (String issuers : new String[] {"none", "root"}) {
            rows.row("own-trust.server." + issuers + "." + protocol, "a server's trust manager accepts"
                + " all, and its authorities are " + issuers + ", " + protocol, () -> {
                    X509Certificate root = TrustCheck.root().sign(TrustCheck.key());
                    return clientShown(protocol, draft -> { }, new Own() {
                        @Override
                        public X509Certificate[] getAcceptedIssuers() {
                            return issuers.equals("none") ? new X509Certificate[0]
                                : new X509Certificate[] {root};
                        }
                    });
                }).within(WITHIN_MS);
        }
        rows.row("own-trust.server.md5." + protocol, "a server's trust manager accepts all, and the client's"
            + " certificate is signed with MD5, " + protocol, () -> clientShown(protocol,
                draft -> draft.algorithm("MD5withRSA"), new Own())).within(WITHIN_MS);
    }

    private static String clientShown(String protocol, Change change, Own own) throws Exception {
        X509Certificate client = leaf(draft -> {
            draft.extendedKeyUsage("1.3.6.1.5.5.7.3.2");
            change.change(draft);
        });
        EngineTalk talk = new EngineTalk(context(Identity.keys(RowsIdentity.key(), client), new Own()),
            serverContext(leaf(draft -> { }), own), HOST, 443).protocol(protocol);
        talk.server.engine.setNeedClientAuth(true);
        return ends(talk);
    }

    private static X509Certificate leaf(Change change) throws Exception {
        CertificateDraft draft = TrustCheck.leaf();
        change.change(draft);
        return draft.sign(TrustCheck.key());
    }

    private static SSLContext context(KeyManager[] keys, TrustManager trust) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust == null ? new TrustManager[0] : new TrustManager[] {trust}, null);
        return context;
    }

    private static SSLContext serverContext(X509Certificate certificate, TrustManager trust)
            throws Exception {
        return context(Identity.keys(RowsIdentity.key(), certificate), trust);
    }

    private static String talk(String protocol, Own own, String host, String identity,
            X509Certificate certificate) throws Exception {
        EngineTalk talk = new EngineTalk(context(null, own), serverContext(certificate, null), host, 443)
            .protocol(protocol);
        if (!identity.equals("none")) {
            identify(talk, identity);
        }
        return ends(talk);
    }

    private static void identify(EngineTalk talk, String identity) {
        SSLParameters parameters = talk.client.engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(identity);
        talk.client.engine.setSSLParameters(parameters);
    }

    /** The suite is for other rows, and what an application throws is not the JDK's. */
    private static String ends(EngineTalk talk) {
        return SessionsSeen.ran(talk).ends().replaceAll(" TLS_\\w+", "")
            .replace("IllegalStateException: it throws", "what it threw");
    }
}
