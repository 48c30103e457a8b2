// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.KeyStore;
import java.security.Principal;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionBindingEvent;
import javax.net.ssl.SSLSessionBindingListener;
import javax.net.ssl.TrustManager;

/** What does a session tell an application of both sides, and what is it told itself? */
final class SessionsSeen implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final String HOST = "www.example.com";

    /** What an application asks. */
    private interface Look {
        String at(EngineTalk talk) throws Exception;
    }

    @Override
    public String name() {
        return "seen";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
            row(rows, protocol, "certificates", "whose certificates has each side's session?", false,
                talk -> sides(talk, SessionsSeen::certificates));
            row(rows, protocol, "both-certificates", "a client shows a certificate, too; whose"
                + " certificates has each side's session?", true,
                talk -> sides(talk, SessionsSeen::certificates));
            row(rows, protocol, "principals", "who is named by each side's session?", true,
                talk -> sides(talk, SessionsSeen::principals));
            row(rows, protocol, "address", "which host and port has each side's session?", false,
                talk -> sides(talk, engine -> engine.getSession().getPeerHost() + ":"
                    + engine.getSession().getPeerPort()));
            row(rows, protocol, "schemes", "how many signature schemes has each side's session?",
                true, talk -> sides(talk, SessionsSeen::schemes));
            row(rows, protocol, "names", "which server names has each side's session?", false,
                talk -> sides(talk, engine -> String.valueOf(
                    ((ExtendedSSLSession) engine.getSession()).getRequestedServerNames())));
            row(rows, protocol, "validity", "is a session valid after its end, and invalid when an"
                + " application says so?", false, SessionsSeen::validity);
            row(rows, protocol, "attributes", "an application's own object is bound to a session",
                false, SessionsSeen::attributes);
            row(rows, protocol, "buffers", "which sizes of buffers does each side's session name?",
                false, talk -> sides(talk, engine -> engine.getSession().getPacketBufferSize() + ", "
                    + engine.getSession().getApplicationBufferSize()));
            rows.row("seen.no-certificate." + protocol, "a server of " + protocol + " needs a"
                + " certificate of its client, which has none; what does the client make of it?",
                () -> {
                    EngineTalk talk = new EngineTalk(context(false), context(true), HOST, 443);
                    talk.server.engine.setNeedClientAuth(true);
                    return ran(talk.protocol(protocol)).run().ends();   // an alert moves once more
                }).within(WITHIN_MS);
            for (String pattern : new String[] {"www\\.example\\.com", "other\\.example"}) {
                String id = pattern.startsWith("www") ? "matched" : "not-matched";
                rows.row("seen." + id + "." + protocol, "a server of " + protocol + " takes the names "
                    + pattern + " alone, and " + HOST + " is asked for",
                    () -> matched(protocol, pattern)).within(WITHIN_MS);
            }
        }
    }

    private static void row(TopicRows rows, String protocol, String id, String does,
            boolean isMutual, Look look) {
        rows.row("seen." + id + "." + protocol, protocol + ": " + does,
            () -> look.at(ran(talk(protocol, isMutual)))).within(WITHIN_MS);
    }

    /** Each side has a leaf of the root, with its authority beside it. */
    private static EngineTalk talk(String protocol, boolean isMutual) throws Exception {
        EngineTalk talk = new EngineTalk(context(isMutual), context(true), HOST, 443);
        talk.server.engine.setNeedClientAuth(isMutual);
        return talk.protocol(protocol);
    }

    private static SSLContext context(boolean hasKey) throws Exception {
        X509Certificate root = TrustCheck.root().sign(TrustCheck.key());
        KeyStore trusted = Identity.emptyStore();
        trusted.setCertificateEntry("root", root);
        TrustManager[] trust = Identity.trust(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(hasKey ? keys() : null, trust, null);
        return context;
    }

    private static KeyManager[] keys() throws Exception {
        X509Certificate leaf = TrustCheck.leaf().issuer("first")
            .extendedKeyUsage("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2").sign(TrustCheck.key());
        X509Certificate authority = TrustCheck.intermediate("first").sign(TrustCheck.key());
        return Identity.keys(RowsIdentity.key(), leaf, authority);
    }

    /** What one side tells. */
    private interface Side {
        String of(SSLEngine engine) throws Exception;
    }

    private static String sides(EngineTalk talk, Side side) throws Exception {
        if (!talk.client.failure.isEmpty() || !talk.server.failure.isEmpty()) {
            return talk.ends();
        }
        return "client: " + side.of(talk.client.engine) + "; server: "
            + side.of(talk.server.engine);
    }

    private static String certificates(SSLEngine engine) {
        SSLSession session = engine.getSession();
        String peer;
        try {
            peer = names(session.getPeerCertificates());
        } catch (SSLException e) {
            peer = e.getClass().getSimpleName();
        }
        return "its own " + names(session.getLocalCertificates()) + ", its peer's " + peer;
    }

    private static String names(Certificate[] chain) {
        List<String> names = new ArrayList<>();
        for (Certificate certificate : chain == null ? new Certificate[0] : chain) {
            names.add(((X509Certificate) certificate).getSubjectX500Principal().getName());
        }
        return chain == null ? "none" : names.toString();
    }

    private static String principals(SSLEngine engine) throws Exception {
        Principal local = engine.getSession().getLocalPrincipal();
        return "itself " + local + ", its peer " + engine.getSession().getPeerPrincipal();
    }

    private static String schemes(SSLEngine engine) {
        ExtendedSSLSession session = (ExtendedSSLSession) engine.getSession();
        return (session.getLocalSupportedSignatureAlgorithms().length == 0 ? "none" : "some")
            + " of its own, "
            + (session.getPeerSupportedSignatureAlgorithms().length == 0 ? "none" : "some")
            + " of its peer's";
    }

    private static String validity(EngineTalk talk) {
        SSLSession session = talk.client.engine.getSession();
        String seen = "after the handshake " + session.isValid();
        talk.client.engine.closeOutbound();
        talk.run();
        seen += ", after the end " + session.isValid();
        session.invalidate();
        return seen + ", invalidated " + session.isValid() + ", in its context "
            + (talk.client.engine.getSession().getSessionContext() != null);
    }

    private static String attributes(EngineTalk talk) {
        List<String> events = new ArrayList<>();
        SSLSession session = talk.client.engine.getSession();
        session.putValue("bound", new SSLSessionBindingListener() {
            @Override
            public void valueBound(SSLSessionBindingEvent event) {
                events.add("bound as " + event.getName());
            }

            @Override
            public void valueUnbound(SSLSessionBindingEvent event) {
                events.add("unbound");
            }
        });
        int names = session.getValueNames().length;
        session.removeValue("bound");
        return events + ", names " + names + ", then " + session.getValueNames().length;
    }

    private static String matched(String protocol, String pattern) throws Exception {
        EngineTalk talk = talk(protocol, false);
        SSLParameters client = talk.client.engine.getSSLParameters();
        client.setServerNames(Collections.singletonList(new SNIHostName(HOST)));
        talk.client.engine.setSSLParameters(client);
        SNIMatcher matcher = SNIHostName.createSNIMatcher(pattern);
        SSLParameters server = talk.server.engine.getSSLParameters();
        server.setSNIMatchers(Collections.singletonList(matcher));
        talk.server.engine.setSSLParameters(server);
        return ran(talk).ends().replaceAll(" TLS_\\w+", "");    // the suite is for other rows
    }

    /** A client of 8 has no TLS 1.3 before 8u341. */
    static EngineTalk ran(EngineTalk talk) {
        talk.run();
        if (talk.client.failure.contains("No appropriate protocol")) {
            throw new Absent("TLS 1.3 of a client");
        }
        return talk;
    }
}
