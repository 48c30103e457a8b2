// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** An SSLSocket upon another socket: its read time-outs, its end, and whether it ends the other. */
final class SocketReads implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final int HEADER_BYTES = 5;
    private static final String TEXT = "hello";

    /** A connection whose handshake is over. */
    private static final class Layered {
        final EnginePeer peer;
        final MemorySocket below;
        final SSLSocket socket;

        Layered(String protocol, boolean isClosedWithIt) throws Exception {
            peer = new EnginePeer(RowsIdentity.serverContext(), false);
            below = new MemorySocket(peer);
            socket = (SSLSocket) RowsIdentity.clientContext().getSocketFactory()
                .createSocket(below, "localhost", 443, isClosedWithIt);
            try {
                socket.setEnabledProtocols(new String[] {protocol});
            } catch (IllegalArgumentException e) {
                throw new Absent(protocol);
            }
            socket.startHandshake();
        }

        /** What the socket reads next, and again after each time-out. */
        String reads() {
            StringBuilder text = new StringBuilder();
            try {
                InputStream in = socket.getInputStream();
                byte[] buffer = new byte[100];
                while (true) {
                    try {
                        int count = in.read(buffer);
                        if (count < 0) {
                            return text + "the end";
                        }
                        text.append("'").append(new String(buffer, 0, count, "ISO-8859-1"))
                            .append("', ");
                    } catch (SocketTimeoutException e) {
                        text.append("a time-out, ");
                    }
                }
            } catch (IOException e) {
                return text + Failure.text(e);
            }
        }

        /** What the peer has, and the state of the socket below. */
        String ends() throws IOException {
            peer.answer(below.sent());
            return (peer.isEnded() ? "the peer is told" : "the peer is not told")
                + "; the socket below is " + (below.isClosed() ? "closed"
                : below.isOutputShutdown() ? "shut for output" : "open");
        }
    }

    /** What an application does with its socket. */
    private interface Use {
        void of(SSLSocket socket) throws IOException;
    }

    @Override
    public String name() {
        return "layered";
    }

    /** By JDK-8214418 the peer's engine asks for ever to be wrapped. */
    @Override
    public boolean isLast() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
            for (int bytes : new int[] {1, HEADER_BYTES - 1, HEADER_BYTES, HEADER_BYTES + 1, 20}) {
                read(rows, "time-out-after-" + bytes, protocol, "a read time-out comes after "
                    + bytes + " bytes of a record; is the text read afterwards?",
                    peer -> peer.thenTextInParts(TEXT, bytes).thenText("bye").thenClose());
            }
            read(rows, "time-out-first", protocol, "a read time-out comes before a record",
                peer -> peer.thenTimeOut().thenText(TEXT).thenClose());
            read(rows, "close-notify", protocol, "a text comes, then close_notify",
                peer -> peer.thenText(TEXT).thenClose());
            read(rows, "cut", protocol, "a text comes, then the end without close_notify",
                peer -> peer.thenText(TEXT));
            read(rows, "cut-in-record", protocol, "the end comes in a record", peer -> {
                byte[][] record = {null};
                peer.then(() -> {
                    record[0] = peer.record(TEXT);
                    return java.util.Arrays.copyOf(record[0], record[0].length - 1);
                });
            });
            for (boolean isClosedWithIt : new boolean[] {true, false}) {
                use(rows, "close", protocol, isClosedWithIt, "is closed", SSLSocket::close);
                use(rows, "shut-output", protocol, isClosedWithIt, "is shut for output",
                    SSLSocket::shutdownOutput);
                use(rows, "shut-input", protocol, isClosedWithIt, "is shut for input",
                    SSLSocket::shutdownInput);
                use(rows, "close-input", protocol, isClosedWithIt, "has its input closed",
                    socket -> socket.getInputStream().close());
            }
            rows.row("layered.half-closed." + protocol, protocol + ": an SSLSocket is shut for"
                + " output; what does it still read?", () -> {
                    Layered layered = new Layered(protocol, true);
                    layered.socket.shutdownOutput();
                    layered.peer.thenText(TEXT).thenClose();
                    return layered.reads();
                }).within(WITHIN_MS);
            rows.row("layered.consumed." + protocol, "a server's SSLSocket of " + protocol + " is given"
                + " what was already read of its socket", () -> consumed(protocol))
                .within(WITHIN_MS);
        }
        rows.row("layered.unused-close", "an SSLSocket is closed before its handshake, and is not"
            + " to close the socket below", () -> {
                MemorySocket below = MemorySocket.saying();
                RowsIdentity.clientContext().getSocketFactory()
                    .createSocket(below, "localhost", 443, false).close();
                return below.sent().length + " bytes sent; the socket below is "
                    + (below.isEnded() ? "closed" : "open");
            }).within(WITHIN_MS);
    }

    private static void read(TopicRows rows, String id, String protocol, String does,
            java.util.function.Consumer<EnginePeer> steps) {
        rows.row("layered." + id + "." + protocol, "an SSLSocket of " + protocol + ": " + does,
            () -> {
                Layered layered = new Layered(protocol, true);
                steps.accept(layered.peer);
                return layered.reads();
            }).within(WITHIN_MS);
    }

    private static void use(TopicRows rows, String id, String protocol, boolean isClosedWithIt,
            String does, Use use) {
        rows.row("layered." + id + "-" + (isClosedWithIt ? "both" : "alone") + "." + protocol,
            "an SSLSocket of " + protocol + " that is " + (isClosedWithIt ? "" : "not ")
            + "to close the socket below " + does, () -> {
                Layered layered = new Layered(protocol, isClosedWithIt);
                layered.peer.thenClose();
                String seen;
                try {
                    use.of(layered.socket);
                    seen = "done";
                } catch (IOException e) {
                    seen = Failure.text(e);
                }
                return seen + "; " + layered.ends();
            }).within(WITHIN_MS);
    }

    private static String consumed(String protocol) throws Exception {
        EnginePeer peer = new EnginePeer(RowsIdentity.clientContext(), true);
        try {
            peer.engine.setEnabledProtocols(new String[] {protocol});
        } catch (IllegalArgumentException e) {
            throw new Absent(protocol);
        }
        peer.engine.beginHandshake();
        byte[] hello = peer.answer(new byte[0]);
        SSLContext context = RowsIdentity.serverContext();
        SSLSocketFactory factory = context.getSocketFactory();
        Socket below = new MemorySocket(peer);
        SSLSocket socket = (SSLSocket) factory.createSocket(below,
            new ByteArrayInputStream(hello), true);
        peer.thenText(TEXT).thenClose();
        int count = socket.getInputStream().read(new byte[100]);
        return count + " bytes by " + socket.getSession().getProtocol();
    }
}
