// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;

/** What does an SSLEngine do with the buffers that it is given, and what does it say of it? */
final class EngineSteps implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final int BUFFER_BYTES = 40_000;
    private static final String[] PARTS = {"never", "ab", "", "cde", "not"};

    /** What is done with two engines whose handshake is over. */
    private interface Use {
        String of(SSLEngine client, SSLEngine server) throws Exception;
    }

    @Override
    public String name() {
        return "engine";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
            written(rows, protocol);
            read(rows, protocol);
            closed(rows, protocol);
            rows.row("engine.statuses." + protocol, "an SSLEngine's handshake of " + protocol
                + ": which states does each side name?", () -> statuses(protocol))
                .within(WITHIN_MS);
        }
        for (boolean byClient : new boolean[] {true, false}) {
            String side = byClient ? "client" : "server";
            rows.row("engine.key-update." + side, "a " + side + " of TLS 1.3 begins a handshake"
                + " again; how many records does each side send for it?",
                () -> updated(byClient)).within(WITHIN_MS);
        }
        rows.row("engine.no-mode", "an SSLEngine wraps before it is said whether it is a client",
            () -> {
                SSLEngine engine = RowsIdentity.clientContext().createSSLEngine();
                try {
                    return text(engine.wrap(ByteBuffer.allocate(0), room()));
                } catch (IllegalStateException e) {
                    return Failure.refusal(e);
                }
            }).within(WITHIN_MS);
    }

    private static void row(TopicRows rows, String id, String protocol, String does, Use use) {
        rows.row("engine." + id + "." + protocol, "an SSLEngine of " + protocol + " " + does, () -> {
            EngineTalk talk = EngineTalk.rsa(protocol).run();
            if (!talk.client.failure.isEmpty()) {
                throw new Absent(protocol);
            }
            try {
                return use.of(talk.client.engine, talk.server.engine);
            } catch (IllegalArgumentException e) {
                return Failure.refusal(e);
            }
        }).within(WITHIN_MS);
    }

    private static void written(TopicRows rows, String protocol) {
        row(rows, "wrap-some-of", protocol, "wraps some of the buffers of an array", (client, server) -> {
            ByteBuffer[] parts = parts();
            ByteBuffer out = room();
            SSLEngineResult result = client.wrap(parts, 1, 3, out);
            return text(result) + "; left " + left(parts) + "; the peer reads "
                + unwrapped(server, out);
        });
        row(rows, "wrap-all-of", protocol, "wraps an array of buffers", (client, server) -> {
            ByteBuffer[] parts = parts();
            ByteBuffer out = room();
            SSLEngineResult result = client.wrap(parts, out);
            return text(result) + "; left " + left(parts) + "; the peer reads "
                + unwrapped(server, out);
        });
        row(rows, "wrap-no-room", protocol, "wraps where there is too little room", (client, server) -> {
            ByteBuffer from = bytes("hello");
            return text(client.wrap(from, ByteBuffer.allocate(10))) + "; left " + from.remaining();
        });
        row(rows, "wrap-nothing", protocol, "wraps a buffer without a byte", (client, server) -> {
            ByteBuffer out = room();
            SSLEngineResult result = client.wrap(bytes(""), out);
            return result.getStatus() + ", consumed " + result.bytesConsumed()
                + (result.bytesProduced() > 0 ? ", a record" : ", no record");
        });
        row(rows, "wrap-20-kb", protocol, "wraps 20,000 bytes", (client, server) -> {
            SSLEngineResult result = client.wrap(ByteBuffer.allocate(20_000), room());
            return result.getStatus() + ", consumed " + result.bytesConsumed();
        });
        row(rows, "wrap-direct", protocol, "wraps from a direct buffer", (client, server) -> {
            ByteBuffer from = ByteBuffer.allocateDirect(5);
            from.put(bytes("hello")).flip();
            ByteBuffer out = room();
            return text(client.wrap(from, out)) + "; the peer reads " + unwrapped(server, out);
        });
        row(rows, "wrap-read-only", protocol, "wraps into a read-only buffer",
            (client, server) -> text(client.wrap(bytes("hello"), room().asReadOnlyBuffer())));
        row(rows, "wrap-null", protocol, "wraps an array with a null in it", (client, server) ->
            text(client.wrap(new ByteBuffer[] {bytes("a"), null}, room())));
    }

    private static void read(TopicRows rows, String protocol) {
        row(rows, "unwrap-some-of", protocol, "unwraps into some of the buffers of an array",
            (client, server) -> {
                ByteBuffer record = record(client, "hello");
                ByteBuffer[] into = {ByteBuffer.allocate(9), ByteBuffer.allocate(2),
                    ByteBuffer.allocate(900), ByteBuffer.allocate(9)};
                SSLEngineResult result = server.unwrap(record, into, 1, 2);
                return text(result) + "; buffers have " + into[0].position() + ", "
                    + into[1].position() + ", " + into[2].position() + ", " + into[3].position();
            });
        row(rows, "unwrap-no-room", protocol, "unwraps where there is too little room, and again",
            (client, server) -> {
                ByteBuffer record = record(client, "hello");
                return text(server.unwrap(record, ByteBuffer.allocate(2))) + "; then "
                    + unwrapped(server, record.position(record.limit()));
            });
        row(rows, "unwrap-part", protocol, "unwraps a record that has come in part",
            (client, server) -> {
                ByteBuffer record = record(client, "hello");
                int whole = record.limit();
                record.limit(whole - 1);
                String seen = text(server.unwrap(record, room()));
                record.limit(whole);
                return seen + "; then " + text(server.unwrap(record, room()));
            });
        row(rows, "unwrap-header", protocol, "unwraps four bytes of a record", (client, server) -> {
            ByteBuffer record = record(client, "hello");
            record.limit(4);
            return text(server.unwrap(record, room()));
        });
        row(rows, "unwrap-two", protocol, "unwraps two records that came together",
            (client, server) -> {
                ByteBuffer out = room();
                client.wrap(bytes("hello"), out);
                client.wrap(bytes("you"), out);
                out.flip();
                return text(server.unwrap(out, room())) + "; then "
                    + text(server.unwrap(out, room()));
            });
        row(rows, "unwrap-nothing", protocol, "unwraps nothing", (client, server) ->
            text(server.unwrap(bytes(""), room())));
        row(rows, "unwrap-changed", protocol, "unwraps a record with a changed bit, and again",
            (client, server) -> {
                ByteBuffer record = record(client, "hello");
                record.put(record.limit() - 1, (byte) (record.get(record.limit() - 1) ^ 1));
                String seen;
                try {
                    seen = text(server.unwrap(record, room()));
                } catch (javax.net.ssl.SSLException e) {
                    seen = Failure.text(e);
                }
                return seen + "; then " + server.getHandshakeStatus() + ", inbound done "
                    + server.isInboundDone();
            });
    }

    private static void closed(TopicRows rows, String protocol) {
        row(rows, "close-outbound", protocol, "is closed for output; what do both sides say?",
            (client, server) -> {
                client.closeOutbound();
                ByteBuffer out = room();
                String seen = client.getHandshakeStatus() + "; " + status(client.wrap(bytes("a"), out));
                out.flip();
                seen += "; the peer " + status(server.unwrap(out, room())) + ", inbound done "
                    + server.isInboundDone() + ", outbound done " + server.isOutboundDone();
                return seen + "; again " + status(client.wrap(bytes("a"), room()))
                    + ", outbound done " + client.isOutboundDone() + ", inbound done "
                    + client.isInboundDone();
            });
        row(rows, "close-inbound", protocol, "is closed for input before the peer's close_notify",
            (client, server) -> {
                client.closeInbound();
                return "closed without a word";
            });
        row(rows, "half-closed", protocol, "has ended its output; is it still sent data?",
            (client, server) -> {
                client.closeOutbound();
                ByteBuffer out = room();
                client.wrap(bytes(""), out);
                out.flip();
                server.unwrap(out, room());
                ByteBuffer back = room();
                String seen = status(server.wrap(bytes("hello"), back));
                back.flip();
                return seen + "; it reads " + status(client.unwrap(back, room()));
            });
    }

    /** States of both sides, each said when it changes; FINISHED is of one call alone. */
    private static String statuses(String protocol) throws Exception {
        EngineTalk talk = EngineTalk.rsa(protocol);
        SSLEngine client = talk.client.engine;
        SSLEngine server = talk.server.engine;
        ByteBuffer toServer = room();
        ByteBuffer toClient = room();
        StringBuilder text = new StringBuilder();
        String last = "";
        client.beginHandshake();
        server.beginHandshake();
        for (int i = 0; i < 100; i++) {
            String state = step(client, toClient, toServer) + "/" + step(server, toServer, toClient);
            text.append(state.equals(last) ? "" : " " + state);
            last = state;
        }
        return text.substring(1);
    }

    private static String step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws Exception {
        switch (engine.getHandshakeStatus().name()) {
            case "NEED_TASK":
                engine.getDelegatedTask().run();
                return "task";
            case "NEED_WRAP":
                return "wrap" + finished(engine.wrap(bytes(""), out));
            default:
                in.flip();
                SSLEngineResult result = in.hasRemaining() ? engine.unwrap(in, room()) : null;
                in.compact();
                return result == null ? "idle" : "unwrap" + finished(result);
        }
    }

    private static String finished(SSLEngineResult result) {
        return result.getHandshakeStatus().name().equals("FINISHED") ? "-finished" : "";
    }

    private static String updated(boolean byClient) throws Exception {
        EngineTalk talk = EngineTalk.rsa("TLSv1.3").run();
        if (!talk.client.failure.isEmpty()) {
            throw new Absent("TLSv1.3");
        }
        int fromClient = talk.client.sent.size();
        int fromServer = talk.server.sent.size();
        (byClient ? talk.client : talk.server).engine.beginHandshake();
        talk.run();
        final int clientBytes = talk.client.sent.size() - fromClient;
        final int serverBytes = talk.server.sent.size() - fromServer;
        talk.client.send(new byte[1]);
        talk.server.send(new byte[1]);
        talk.run();
        return "client " + (clientBytes == 0 ? "none" : "some") + ", server "
            + (serverBytes == 0 ? "none" : "some") + "; read afterwards "
            + talk.client.read.size() + " and " + talk.server.read.size() + "; " + talk.ends();
    }

    private static ByteBuffer room() {
        return ByteBuffer.allocate(BUFFER_BYTES);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static ByteBuffer[] parts() {
        ByteBuffer[] buffers = new ByteBuffer[PARTS.length];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = bytes(PARTS[i]);
        }
        return buffers;
    }

    private static String left(ByteBuffer... buffers) {
        StringBuilder text = new StringBuilder();
        for (ByteBuffer buffer : buffers) {
            text.append(text.length() == 0 ? "" : "-").append(buffer.remaining());
        }
        return text.toString();
    }

    private static ByteBuffer record(SSLEngine engine, String text) throws Exception {
        ByteBuffer out = room();
        engine.wrap(bytes(text), out);
        out.flip();
        return out;
    }

    /** What a record says that lies before this position. */
    private static String unwrapped(SSLEngine engine, java.nio.Buffer written) throws Exception {
        ByteBuffer record = (ByteBuffer) written;
        written.flip();
        ByteBuffer into = room();
        engine.unwrap(record, into);
        return "'" + new String(into.array(), 0, into.position(), StandardCharsets.US_ASCII) + "'";
    }

    private static String status(SSLEngineResult result) {
        return result.getStatus() + " " + result.getHandshakeStatus();
    }

    /** The length of a record is for other rows. */
    private static String text(SSLEngineResult result) {
        return status(result) + ", consumed " + (result.bytesConsumed() > 20 ? "a record"
            : result.bytesConsumed()) + ", produced " + (result.bytesProduced() > 20 ? "a record"
            : result.bytesProduced());
    }
}
