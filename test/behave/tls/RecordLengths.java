// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** What goes over a connection that stands? Lengths of records, resumption, tickets, and the end. */
public final class RecordLengths implements Topic {
    private static final String[][] KINDS = {{"TLSv1.3", "TLS_AES_128_GCM_SHA256"},
        {"TLSv1.3", "TLS_CHACHA20_POLY1305_SHA256"},
        {"TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"},
        {"TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"}};
    private static final int[] BYTES = {1, 16_383, 16_384, 16_385, 40_000};
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    @Override
    public String name() {
        return "sent-records";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] kind : KINDS) {
            for (int bytes : BYTES) {
                rows.row("sent-records.data." + kind[0] + "." + kind[1] + "." + bytes, "a client writes "
                    + bytes + " bytes with " + kind[1], () -> {
                        EngineTalk talk = EngineTalk.rsa(kind[0]).suite(kind[1]).run();
                        int begin = talk.client.sent.size();
                        talk.client.send(new byte[bytes]);
                        talk.run();
                        return talk.client.failure + talk.client.recordsFrom(begin) + "; "
                            + talk.server.read.size() + " read";
                    });
            }
        }
        for (String protocol : PROTOCOLS) {
            flights(rows, protocol);
            resumptions(rows, protocol);
            ends(rows, protocol);
        }
    }

    private static void flights(TopicRows rows, String protocol) {
        rows.row("sent-records.flight." + protocol + ".server", "a server of " + protocol
            + " shakes hands", () -> {
                EngineTalk talk = EngineTalk.rsa(protocol).run();
                return WireText.of(talk.server.sent.toByteArray(), false);
            });
        rows.row("sent-records.flight." + protocol + ".client", "a client of " + protocol
            + " shakes hands", () -> {
                EngineTalk talk = EngineTalk.rsa(protocol).run();
                return WireText.of(talk.client.sent.toByteArray(), false);
            });
        rows.row("sent-records.flight." + protocol + ".request", "a server of " + protocol
            + " wants a certificate, and the client has none", () -> {
                EngineTalk talk = EngineTalk.rsa(protocol);
                talk.server.engine.setNeedClientAuth(true);
                talk.run();
                return talk.server.end() + "; " + WireText.of(talk.server.sent.toByteArray(), false);
            });
        rows.row("sent-records.flight." + protocol + ".wish", "a server of " + protocol
            + " would like a certificate, and the client has none", () -> {
                EngineTalk talk = EngineTalk.rsa(protocol);
                talk.server.engine.setWantClientAuth(true);
                return talk.run().ends();
            });
        for (int size : new int[] {512, 4096, 20_000}) {
            rows.row("sent-records.largest." + protocol + "." + size, "both sides of " + protocol
                + " allow packets of " + size, () -> {
                    EngineTalk talk = EngineTalk.rsa(protocol);
                    limit(talk.client.engine, size);
                    limit(talk.server.engine, size);
                    talk.run();
                    int begin = talk.client.sent.size();
                    talk.client.send(new byte[6_000]);
                    return talk.client.end() + "; " + talk.client.recordsFrom(begin);
                });
        }
    }

    /** By name: 8 lacks it. */
    private static void limit(SSLEngine engine, int bytes) {
        SSLParameters parameters = engine.getSSLParameters();
        try {
            SSLParameters.class.getMethod("setMaximumPacketSize", int.class).invoke(parameters, bytes);
        } catch (ReflectiveOperationException e) {
            throw new Absent("setMaximumPacketSize");
        }
        engine.setSSLParameters(parameters);
    }

    private static void resumption(TopicRows rows, String protocol, String id, String does,
            Consumer<EngineTalk> between) {
        rows.row("sent-records.resumed." + protocol + "." + id, "a client of " + protocol
            + " comes again " + does, () -> {
                SSLContext client = RowsIdentity.clientContext();
                SSLContext server = RowsIdentity.serverContext();
                EngineTalk first = new EngineTalk(client, server, "localhost", 443).protocol(protocol).run();
                first.server.send(new byte[1]);
                first.client.send(new byte[1]);
                first.run();
                EngineTalk second = new EngineTalk(client, server,
                    id.equals("other-port") ? "localhost" : id.equals("other-host") ? "other" : "localhost",
                    id.equals("other-port") ? 444 : 443).protocol(protocol);
                if (id.startsWith("after")) {
                    between.accept(first);
                } else {
                    between.accept(second);
                }
                second.run();
                String answer = second.server.recordsFrom(0);
                boolean isResumed = protocol.equals("TLSv1.3") ? answer.contains("pre_shared_key")
                    : !answer.contains("Certificate ");
                return second.client.end() + (isResumed ? ", resumed" : ", in full");
            });
    }

    private static void resumptions(TopicRows rows, String protocol) {
        resumption(rows, protocol, "same", "to the same host", talk -> { });
        resumption(rows, protocol, "other-port", "to another port", talk -> { });
        resumption(rows, protocol, "other-host", "to another host", talk -> { });
        resumption(rows, protocol, "after-invalidation", "after its session was made invalid",
            talk -> talk.client.engine.getSession().invalidate());
        resumption(rows, protocol, "after-server-invalidation", "after the server made it invalid",
            talk -> talk.server.engine.getSession().invalidate());
        resumption(rows, protocol, "client-needed", "and must show a certificate",
            talk -> talk.server.engine.setNeedClientAuth(true));
        resumption(rows, protocol, "named", "and the rule for names is HTTPS", talk -> {
            SSLParameters parameters = talk.client.engine.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            talk.client.engine.setSSLParameters(parameters);
        });
        resumption(rows, protocol, "no-creation", "and may create no session",
            talk -> talk.client.engine.setEnableSessionCreation(false));
        resumption(rows, protocol, "other-suite", "with another cipher suite", talk -> {
            String suite = protocol.equals("TLSv1.3") ? "TLS_AES_128_GCM_SHA256"
                : "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA";
            talk.client.engine.setEnabledCipherSuites(new String[] {suite});
        });
    }

    private static void ends(TopicRows rows, String protocol) {
        rows.row("sent-records.end." + protocol + ".client-close", "a client of " + protocol + " closes", () -> {
            EngineTalk talk = EngineTalk.rsa(protocol).run();
            int begin = talk.client.sent.size();
            int answer = talk.server.sent.size();
            talk.client.engine.closeOutbound();
            talk.run();
            return talk.client.recordsFrom(begin) + "; " + talk.server.recordsFrom(answer) + "; server "
                + (talk.server.engine.isInboundDone() ? "in done " : "")
                + (talk.server.engine.isOutboundDone() ? "out done " : "")
                + talk.server.engine.getHandshakeStatus();
        });
        rows.row("sent-records.end." + protocol + ".after-close", "a client of " + protocol
            + " closes, and the server still sends", () -> {
                EngineTalk talk = EngineTalk.rsa(protocol).run();
                talk.client.engine.closeOutbound();
                talk.run();
                talk.server.send(new byte[5]);
                talk.run();
                return talk.ends() + "; " + talk.client.read.size() + " read";
            });
        rows.row("sent-records.end." + protocol + ".cut", "the stream ends without close_notify", () -> {
            EngineTalk talk = EngineTalk.rsa(protocol).run();
            talk.client.engine.closeInbound();
            return "no exception";
        });
        rows.row("sent-records.end." + protocol + ".early", "a client of " + protocol
            + " closes before it has sent anything", () -> {
                EngineTalk talk = EngineTalk.rsa(protocol);
                talk.client.engine.closeOutbound();
                return talk.run().ends() + "; " + talk.client.recordsFrom(0);
            });
        rows.row("sent-records.end." + protocol + ".tampered", "one bit of a record is changed", () -> {
            EngineTalk talk = EngineTalk.rsa(protocol).run();
            talk.client.send(new byte[5]);
            talk.server.flipLastBit();
            int begin = talk.server.sent.size();
            talk.run();
            return talk.server.end() + "; " + talk.server.recordsFrom(begin);
        });
    }
}
