// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** What does java.net.http's WebSocket make of a server's frames, and what does it send (RFC 6455)? */
final class WebSockets implements Topic {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int TEXT = 0x81;
    private static final int TEXT_BEGIN = 0x01;
    private static final int LAST = 0x80;
    private static final int BINARY = 0x82;
    private static final int CLOSE = 0x88;
    private static final int PING = 0x89;
    private static final int PONG = 0x8a;
    private static final byte[] BYE = {0x03, (byte) 0xe8, 'b', 'y', 'e'};
    private static final int CLIENT_MS = 2_000;
    private static final int WITHIN_MS = 15_000;

    private final NetUser user = new NetUser();
    private HttpClient client;
    private TopicRows rows;

    @Override
    public String name() {
        return "ws";
    }

    @Override
    public void declare(TopicRows declared) {
        rows = declared;
        received();
        opened();
        sent("text", "a text", socket -> socket.sendText("hello", true));
        sent("parts", "a text in two parts", socket -> socket.sendText("hel", false)
            .thenCompose(next -> next.sendText("lo", true)));
        sent("binary", "bytes", socket -> socket.sendBinary(ByteBuffer.wrap(new byte[] {1}), true));
        sent("200-kb", "200 kB", socket -> socket.sendBinary(ByteBuffer.allocate(200_000), true));
        sent("ping", "a ping", socket -> socket.sendPing(ByteBuffer.wrap(new byte[] {1})));
        sent("pong", "a pong", socket -> socket.sendPong(ByteBuffer.allocate(0)));
        sent("close-4000", "a close of its own", socket -> socket.sendClose(4000, "mine"));
    }

    private void received() {
        row("text", "a text", frame(TEXT, text("hello")));
        row("text-empty", "an empty text", frame(TEXT, text("")));
        row("text-in-parts", "a text in two parts", frame(TEXT_BEGIN, text("hel")),
            frame(LAST, text("lo")));
        row("text-around-ping", "a text with a ping between its parts",
            frame(TEXT_BEGIN, text("hel")), frame(PING, text("p")), frame(LAST, text("lo")));
        row("text-70-kb", "a text of 70 kB", frame(TEXT, text(ReplyRows.times(70_000, "b"))));
        row("text-not-utf-8", "a text that is no UTF-8", frame(TEXT, new byte[] {(byte) 0xff}));
        row("binary", "bytes", frame(BINARY, new byte[] {1, 2}));
        row("ping", "a ping", frame(PING, text("p")));
        row("ping-of-126", "a ping of 126 bytes", frame(PING, new byte[126]));
        row("ping-in-part", "a ping that says it is a part", frame(PING & 0x7f, text("p")));
        row("pong", "a pong that nobody asked for", frame(PONG, text("p")));
        row("close-none", "a close without a code", frame(CLOSE, new byte[0]));
        row("close-1-byte", "a close of one byte", frame(CLOSE, new byte[1]));
        row("close-1005", "a close by 1005", frame(CLOSE, new byte[] {0x03, (byte) 0xed}));
        row("close-4000", "a close by 4000", frame(CLOSE, new byte[] {0x0f, (byte) 0xa0}));
        row("reserved-bit", "a text with a reserved bit", frame(TEXT | 0x40, text("x")));
        row("opcode-3", "a frame of no known kind", frame(0x83, text("x")));
        row("part-alone", "a part of nothing", frame(LAST, text("x")));
        row("masked", "a masked text", new byte[] {(byte) TEXT, (byte) 0x81, 0, 0, 0, 0, 'x'});
    }

    private void opened() {
        head("sound", "101", accept -> switching(accept, ""));
        head("other-accept", "101 with another key's answer", accept -> switching("AAAA", ""));
        head("changed-accept", "101 with the answer to its key, the first letter changed", accept ->
            switching((accept.charAt(0) == 'A' ? 'B' : 'A') + accept.substring(1), ""));
        head("lower-accept", "101 with the answer to its key in small letters",
            accept -> switching(accept.toLowerCase(java.util.Locale.ROOT), ""));
        head("no-accept", "101 without an answer to its key", accept -> "HTTP/1.1 101 Go\r\n"
            + "Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
        head("no-upgrade", "101 without Upgrade", accept -> "HTTP/1.1 101 Go\r\nConnection: Upgrade"
            + "\r\nSec-WebSocket-Accept: " + accept + "\r\n\r\n");
        head("protocol", "101 with the protocol that was asked for",
            accept -> switching(accept, "Sec-WebSocket-Protocol: asked\r\n"));
        head("other-protocol", "101 with a protocol that nobody asked for",
            accept -> switching(accept, "Sec-WebSocket-Protocol: other\r\n"));
        head("extension", "101 with an extension that nobody asked for",
            accept -> switching(accept, "Sec-WebSocket-Extensions: permessage-deflate\r\n"));
        for (String status : new String[] {"200 OK", "302 Go\r\nLocation: /y", "401 No", "404 No"}) {
            head(status.substring(0, 3), status.substring(0, 3),
                accept -> "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n");
        }
    }

    private static byte[] frame(int first, byte[] payload) {
        int length = payload.length;
        byte[] head = length < 126 ? Frames.bytes(first, length)
            : length < 65_536 ? Frames.bytes(first, 126, length >> 8, length)
            : Frames.join(Frames.bytes(first, 127), Frames.number(0), Frames.number(length));
        return Frames.join(head, payload);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** What the server answers, by the client's key as it is to be accepted. */
    private interface Head {
        String of(String accept);
    }

    /** What the application sends. */
    private interface Send {
        CompletableFuture<WebSocket> by(WebSocket socket);
    }

    private void row(String id, String does, byte[]... frames) {
        rows.row("ws." + id, "WebSocket: a server sends " + does + ", and closes", () -> talk(
            accept -> switching(accept, ""), Frames.join(Frames.join(frames), frame(CLOSE, BYE)), null))
            .within(WITHIN_MS);
    }

    private void head(String id, String does, Head head) {
        rows.row("ws.open-" + id, "WebSocket: a server answers the handshake by " + does,
            () -> talk(head, frame(CLOSE, BYE), null)).within(WITHIN_MS);
    }

    private void sent(String id, String does, Send send) {
        rows.row("ws.sent-" + id, "WebSocket: an application sends " + does,
            () -> talk(accept -> switching(accept, ""), new byte[0], send)).within(WITHIN_MS);
    }

    private static String switching(String accept, String more) {
        return "HTTP/1.1 101 Go\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: " + accept + "\r\n" + more + "\r\n";
    }

    private synchronized HttpClient client() throws GeneralSecurityException {
        if (client == null) {
            client = user.builder().build();
        }
        return client;
    }

    private String talk(Head head, byte[] frames, Send send) throws Exception {
        Events events = new Events();
        CompletableFuture<List<String>> received = new CompletableFuture<>();
        try (WirePeer peer = new WirePeer(request -> {
            String answer = head.of(accept(request.field("Sec-WebSocket-Key")));
            request.socket.getOutputStream().write(
                Frames.join(answer.getBytes(StandardCharsets.ISO_8859_1), frames));
            received.complete(answer.contains(" 101 ")
                ? read(new DataInputStream(request.socket.getInputStream()))
                : Collections.emptyList());
            return WirePeer.CLOSE;
        })) {
            URI uri = URI.create("ws://127.0.0.1:" + peer.port() + "/x");
            WebSocket socket;
            try {
                socket = client().newWebSocketBuilder().subprotocols("asked")
                    .buildAsync(uri, events).get();
            } catch (ExecutionException e) {
                return "not opened: " + Failure.text(e.getCause());
            }
            String result = send == null ? "" : sent(socket, send);
            if (send == null) {
                events.end.get(CLIENT_MS, TimeUnit.MILLISECONDS);
            }
            received.get(CLIENT_MS, TimeUnit.MILLISECONDS);
            socket.abort();
            return (socket.getSubprotocol().isEmpty() ? "" : "protocol " + socket.getSubprotocol()
                + "; ") + (send == null ? "told " + events.all() : result) + "; the server gets "
                + received.get();
        }
    }

    private static String sent(WebSocket socket, Send send) throws InterruptedException {
        String result;
        try {
            send.by(socket).get();
            result = "sent";
        } catch (ExecutionException e) {
            result = Failure.text(e.getCause());
        }
        if (!socket.isOutputClosed()) {
            try {
                socket.sendClose(1000, "done").join();
            } catch (CompletionException e) {
                result += ", no close";
            }
        }
        return result;
    }

    private static String accept(String key) throws IOException {
        try {
            return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1")
                .digest((key + GUID).getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** The client's frames up to its close, or to the end of the connection. */
    private static List<String> read(DataInputStream in) {
        List<String> frames = new ArrayList<>();
        try {
            boolean isOpen = true;
            while (isOpen) {
                int first = in.readUnsignedByte();
                int second = in.readUnsignedByte();
                int length = second & 0x7f;
                length = length == 126 ? in.readUnsignedShort()
                    : length == 127 ? (int) in.readLong() : length;
                byte[] mask = new byte[second >= 0x80 ? 4 : 0];
                in.readFully(mask);
                byte[] payload = new byte[length];
                in.readFully(payload);
                for (int i = 0; i < payload.length && mask.length > 0; i++) {
                    payload[i] ^= mask[i % mask.length];
                }
                frames.add(Integer.toHexString(first) + (mask.length > 0 ? "" : " unmasked") + " "
                    + shown(payload));
                isOpen = (first & 0x0f) != (CLOSE & 0x0f);
            }
        } catch (IOException e) {
            frames.add("the end");
        }
        return frames;
    }

    private static String shown(byte[] payload) {
        StringBuilder text = new StringBuilder();
        for (byte each : payload.length > 20 ? new byte[0] : payload) {
            text.append(each >= ' ' && each < 127 ? String.valueOf((char) each)
                : String.format("\\%02x", each & 0xff));
        }
        return payload.length > 20 ? payload.length + " bytes" : "'" + text + "'";
    }

    /** What the application is told, in order; into how many parts a message falls is a race. */
    private static final class Events implements WebSocket.Listener {
        private final List<String> events = new ArrayList<>();
        private final StringBuilder message = new StringBuilder();
        final CompletableFuture<Void> end = new CompletableFuture<>();

        synchronized List<String> all() {
            return new ArrayList<>(events);
        }

        private synchronized CompletionStage<?> add(WebSocket socket, String event) {
            events.add(event);
            socket.request(1);
            return null;
        }

        private CompletionStage<?> message(WebSocket socket, String kind, boolean isLast) {
            if (!isLast) {
                socket.request(1);
                return null;
            }
            String event = kind + " " + shown(message.toString().getBytes(StandardCharsets.ISO_8859_1));
            message.setLength(0);
            return add(socket, event);
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean isLast) {
            message.append(text);
            return message(socket, "text", isLast);
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer bytes, boolean isLast) {
            message.append(StandardCharsets.ISO_8859_1.decode(bytes));
            return message(socket, "bytes", isLast);
        }

        @Override
        public CompletionStage<?> onPing(WebSocket socket, ByteBuffer bytes) {
            return add(socket, "ping " + bytes.remaining());
        }

        @Override
        public CompletionStage<?> onPong(WebSocket socket, ByteBuffer bytes) {
            return add(socket, "pong " + bytes.remaining());
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            add(socket, "close " + code + " '" + reason + "'");
            end.complete(null);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            add(socket, Failure.text(error));
            end.complete(null);
        }
    }
}
