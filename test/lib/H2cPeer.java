// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What if an HTTP/2 server answers with exactly these frames? A server without TLS, which a client
 * asks to upgrade (RFC 7540 3.2). A script answers each request, correctly or not; the first one is
 * the upgrade request, on stream 1.
 */
final class H2cPeer implements Closeable {
    /** What is sent in answer to one request? */
    interface Script {
        void answer(H2cExchange exchange) throws IOException;
    }

    static final byte[] STATUS_200 = {(byte) 0x88};  // indexed, RFC 7541 appendix A
    static final byte[] STATUS_204 = {(byte) 0x89};
    static final byte[] STATUS_103 = {0x48, 3, '1', '0', '3'};  // a literal, its name indexed

    private static final byte[] PREFACE =
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int FRAME_HEADERS = 1;
    private static final int FRAME_RST_STREAM = 3;
    private static final int FRAME_SETTINGS = 4;
    private static final int FRAME_GOAWAY = 7;
    private static final int ACK = 1;
    private static final int SETTINGS_MAX_CONCURRENT_STREAMS = 3;
    private static final byte[] NOTHING = { };

    /** For the kit's own tests: if the peer answers like any other, no test may pass. */
    private static final boolean DISARMED = "off".equals(System.getProperty("peer.script"));

    private final Script script;
    private final byte[] settings;
    private final Listener listener;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger resets = new AtomicInteger();
    private final AtomicInteger goAways = new AtomicInteger();
    private final AtomicInteger endedByClient = new AtomicInteger();

    /** Starts to listen at once. */
    H2cPeer(Script script) throws IOException {
        this(script, NOTHING);
    }

    private H2cPeer(Script script, byte[] settings) throws IOException {
        this.script = DISARMED ? H2cExchange::reply : script;
        this.settings = settings;
        listener = new Listener("h2c-peer",
            new ServerSocket(0, Listener.BACKLOG, TlsPeer.loopback()), this::serve);
        listener.start();
    }

    /** A peer that allows {@code count} concurrent streams on a connection, 255 at most. */
    static H2cPeer withStreams(int count, Script script) throws IOException {
        byte[] most = {0, SETTINGS_MAX_CONCURRENT_STREAMS, 0, 0, 0, (byte) count};
        return new H2cPeer(script, most);
    }

    URL url() throws IOException {
        return new URL("http", "127.0.0.1", listener.address().getPort(), "/");
    }

    int connections() {
        return listener.connections();
    }

    /** Requests on all connections. */
    int requests() {
        return requests.get();
    }

    /** Streams that the client has reset. */
    int resets() {
        return resets.get();
    }

    /** Connections on which the client has sent GOAWAY; the peer then ends its side. */
    int goAways() {
        return goAways.get();
    }

    /** Connections that the client has ended. */
    int endedByClient() {
        return endedByClient.get();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void serve(Socket socket, int connection) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        String head = RequestHead.read(in);
        if (head == null) {
            return;
        }
        if (!head.contains("Upgrade: h2c")) {
            throw new IOException("no upgrade is asked for: " + head);
        }
        socket.getOutputStream().write(("HTTP/1.1 101 Switching Protocols\r\n"
            + "Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        H2cExchange.frame(socket, FRAME_SETTINGS, 0, 0, settings);
        in.readFully(new byte[PREFACE.length]);
        answer(new H2cExchange(socket, connection, 1, 1));
        try {
            answerFrames(socket, connection, in);
        } catch (IOException e) {
            endedByClient.incrementAndGet();
            throw e;
        }
    }

    /** Answers until the client ends the connection, which throws an exception. */
    private void answerFrames(Socket socket, int connection, DataInputStream in)
            throws IOException {
        int ordinal = 1;
        while (true) {
            int bytes = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            final int type = in.readUnsignedByte();
            final int flags = in.readUnsignedByte();
            final int stream = in.readInt();
            in.readFully(new byte[bytes]);
            if (type == FRAME_SETTINGS && (flags & ACK) == 0) {
                H2cExchange.frame(socket, FRAME_SETTINGS, ACK, 0, NOTHING);
            } else if (type == FRAME_RST_STREAM) {
                resets.incrementAndGet();
            } else if (type == FRAME_GOAWAY) {
                goAways.incrementAndGet();
                socket.shutdownOutput();
            } else if (type == FRAME_HEADERS) {
                ordinal++;
                answer(new H2cExchange(socket, connection, stream, ordinal));
            }
        }
    }

    private void answer(H2cExchange exchange) throws IOException {
        requests.incrementAndGet();
        script.answer(exchange);
    }
}
