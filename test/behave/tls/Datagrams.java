// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/** DTLS between two engines: datagrams that arrive, are lost, come twice or in another order. */
final class Datagrams implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final int MOST_STEPS = 400;
    private static final int SMALL_BYTES = 512;
    private static final int BUFFER_BYTES = 40_000;

    /** What happens to the datagrams of one flight on their way. */
    private interface Way {
        void change(List<byte[]> flight);
    }

    @Override
    public String name() {
        return "dtls";
    }

    @Override
    public void declare(TopicRows rows) {
        row(rows, "sound", "all arrive", flight -> { });
        row(rows, "lost", "the second one is lost", nth(2, flight -> flight.remove(0)));
        row(rows, "lost-hello", "the first hello is lost", nth(1, flight -> flight.remove(0)));
        row(rows, "lost-last", "the last one of a flight is lost",
            nth(4, flight -> flight.remove(flight.size() - 1)));
        row(rows, "twice", "each comes twice", flight -> flight.addAll(new ArrayList<>(flight)));
        row(rows, "reversed", "each flight comes in reverse", Collections::reverse);
        row(rows, "junk", "junk comes first", flight -> flight.add(0, new byte[] {1, 2, 3}));
        row(rows, "cut", "one is cut by half, then comes whole", nth(4, flight ->
            flight.add(0, Arrays.copyOf(flight.get(0), flight.get(0).length / 2))));
        rows.row("dtls.small", "DTLS: an application wants packets of 512 bytes", () ->
            new Talk(SMALL_BYTES).run(flight -> { })).within(WITHIN_MS);
        rows.row("dtls.once", "DTLS: nothing is sent again, and one is lost", () -> {
            Talk talk = new Talk(0);
            talk.retransmits(false);
            return talk.run(nth(4, flight -> flight.remove(0)));
        }).within(WITHIN_MS);
        rows.row("dtls.protocols", "DTLS: which protocols are supported, and which are enabled?", () -> {
            SSLEngine engine = context(null, new TrustManager[0]).createSSLEngine();
            return Arrays.toString(engine.getSupportedProtocols()) + ", "
                + Arrays.toString(engine.getEnabledProtocols());
        }).within(WITHIN_MS);
        rows.row("dtls.socket", "DTLS: an SSLSocket of it", () -> {
            SSLContext context = context(null, new TrustManager[0]);
            try {
                return String.valueOf(context.getSocketFactory() != null);
            } catch (UnsupportedOperationException e) {
                return "refused";       // as documented
            }
        }).within(WITHIN_MS);
    }

    private static void row(TopicRows rows, String id, String does, Way way) {
        rows.row("dtls." + id, "DTLS: of the handshake's datagrams " + does, () -> new Talk(0).run(way))
            .within(WITHIN_MS);
    }

    /** Changes one flight only, counted over both sides. */
    private static Way nth(int number, Way way) {
        int[] flights = {0};
        return flight -> {
            if (++flights[0] == number) {
                way.change(flight);
            }
        };
    }

    private static SSLContext context(KeyManager[] keys, TrustManager[] trust) throws Exception {
        SSLContext context = SSLContext.getInstance("DTLS");
        context.init(keys, trust, null);
        return context;
    }

    /** One side. */
    private static final class Side {
        final SSLEngine engine;
        final Deque<byte[]> toRead = new ArrayDeque<>();
        final List<Integer> sizes = new ArrayList<>();
        int readBytes;

        Side(SSLEngine engine) {
            this.engine = engine;
        }

        /** Sends until it wants something else. */
        List<byte[]> flight() throws SSLException {
            List<byte[]> flight = new ArrayList<>();
            for (int i = 0; i < MOST_STEPS; i++) {
                String status = engine.getHandshakeStatus().name();
                if (status.equals("NEED_TASK")) {
                    engine.getDelegatedTask().run();
                } else if (status.equals("NEED_WRAP")) {
                    byte[] sent = wrap(new byte[0]);
                    if (sent.length > 0) {
                        flight.add(sent);
                    }
                } else if (status.equals("NEED_UNWRAP_AGAIN")) {
                    unwrap(new byte[0]);
                } else if (!toRead.isEmpty() && !engine.isInboundDone()) {
                    unwrap(toRead.remove());
                } else {
                    return flight;
                }
            }
            throw new IllegalStateException("a side never comes to rest");
        }

        byte[] wrap(byte[] bytes) throws SSLException {
            ByteBuffer out = ByteBuffer.allocate(BUFFER_BYTES);
            engine.wrap(ByteBuffer.wrap(bytes), out);
            sizes.add(out.position());
            return Arrays.copyOf(out.array(), out.position());
        }

        void unwrap(byte[] datagram) throws SSLException {
            ByteBuffer out = ByteBuffer.allocate(BUFFER_BYTES);
            SSLEngineResult result = engine.unwrap(ByteBuffer.wrap(datagram), out);
            readBytes += result.bytesProduced();
        }
    }

    private static final class Talk {
        private final Side client;
        private final Side server;

        Talk(int packetBytes) throws Exception {
            client = new Side(context(null, RowsIdentity.trust()).createSSLEngine("localhost", 443));
            server = new Side(context(RowsIdentity.keys(), new TrustManager[0]).createSSLEngine());
            client.engine.setUseClientMode(true);
            server.engine.setUseClientMode(false);
            if (packetBytes > 0) {
                for (Side side : new Side[] {client, server}) {
                    SSLParameters parameters = side.engine.getSSLParameters();
                    SSLParameters.class.getMethod("setMaximumPacketSize", int.class)
                        .invoke(parameters, packetBytes);
                    side.engine.setSSLParameters(parameters);
                }
            }
        }

        /** By reflection, as 8 has none of it. */
        void retransmits(boolean does) throws ReflectiveOperationException {
            for (Side side : new Side[] {client, server}) {
                SSLParameters parameters = side.engine.getSSLParameters();
                SSLParameters.class.getMethod("setEnableRetransmissions", boolean.class)
                    .invoke(parameters, does);
                side.engine.setSSLParameters(parameters);
            }
        }

        /** What both have made of it, and of 100 bytes each way. */
        String run(Way way) {
            String seen;
            try {
                client.engine.beginHandshake();
                server.engine.beginHandshake();
                int silences = 0;
                while (!(isOpen(client) && isOpen(server)) && silences < 3) {
                    boolean moved = pass(client, server, way) | pass(server, client, way);
                    silences = moved ? 0 : silences + 1;
                    if (!moved) {       // what a timer does: it sends its last flight again
                        again(client, server);
                        again(server, client);
                    }
                }
                pass(client, server, way);
                pass(server, client, way);
                seen = isOpen(client) && isOpen(server) ? "open, " + data() : "not open";
            } catch (SSLException | RuntimeException e) {
                seen = HelloAnswer.thrown(e);
            }
            return seen + "; client " + shown(client) + "; server " + shown(server);
        }

        private static boolean isOpen(Side side) {
            return side.engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING;
        }

        private static boolean pass(Side from, Side to, Way way) throws SSLException {
            List<byte[]> flight = from.flight();
            if (flight.isEmpty()) {
                return false;
            }
            way.change(flight);
            to.toRead.addAll(flight);
            return true;
        }

        private static void again(Side from, Side to) throws SSLException {
            if (from.engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_UNWRAP) {
                byte[] sent = from.wrap(new byte[0]);
                if (sent.length > 0) {
                    to.toRead.add(sent);
                }
            }
        }

        private String data() throws SSLException {
            server.unwrap(client.wrap(new byte[100]));
            byte[] back = server.wrap(new byte[100]);
            client.unwrap(back);
            client.unwrap(back);        // a copy of a datagram is dropped
            return client.engine.getSession().getProtocol() + ", read " + server.readBytes + " and "
                + client.readBytes;
        }

        /** Their lengths would tell of the hello, too. */
        private static String shown(Side side) {
            return side.sizes.size() + " datagrams, " + (Collections.max(side.sizes) > SMALL_BYTES
                ? "large ones too" : "small ones");
        }
    }
}
