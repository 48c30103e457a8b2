// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What does an HTTP/2 client send, and what does it make of exactly these frames? A plain socket
 * that takes the upgrade (RFC 7540 3.2), answers stream 1 by 200, stream 3 of the first connection
 * by the bytes of a row, and every later stream by 200 again.
 */
final class FramePeer implements Closeable {
    private static final int PREFACE_BYTES = 24;
    private static final int PING_BYTES = 8;

    /** Most clients take less; only of a longer wait is it asked what CPU time was withheld. */
    private static final long USUAL_MS = 100;

    private static final byte[] OK = Frames.bytes(0x88);

    private final byte[] settings;
    private final byte[] answer;
    private final boolean closes;
    private final Listener listener;
    private final List<String> heads = new ArrayList<>();
    private final List<String> frames = new ArrayList<>();
    private final List<byte[]> blocks = new ArrayList<>();
    private Socket first;
    private int requests;
    private boolean answered;
    private boolean quiet;

    /**
     * Starts to listen.
     *
     * @param settings the payload of the first frame
     * @param answer frames
     * @param closes whether the connection is closed after them
     */
    FramePeer(byte[] settings, byte[] answer, boolean closes) throws IOException {
        this.settings = settings;
        this.answer = answer;
        this.closes = closes;
        listener = new Listener("frame-peer",
            new ServerSocket(0, Listener.BACKLOG, TlsPeer.loopback()), this::serve);
        listener.start();
    }

    URL url(String path) throws IOException {
        return new URL("http", "127.0.0.1", listener.address().getPort(), path);
    }

    int connections() {
        return listener.connections();
    }

    /** Requests other than upgrades. */
    synchronized int requests() {
        return requests;
    }

    /** The heads of the upgrade requests. */
    synchronized List<String> heads() {
        return new ArrayList<>(heads);
    }

    /** All frames of the first connection but acknowledgements, in their order. */
    synchronized List<String> frames() {
        return new ArrayList<>(frames);
    }

    /** The field blocks of the requests on streams above 1. */
    synchronized List<byte[]> blocks() {
        return new ArrayList<>(blocks);
    }

    /**
     * Waits until the client has handled what it was sent, or has ended the first connection.
     *
     * @return whether it has: it answers PING, or has ended
     */
    boolean settle(long timeoutMs) throws InterruptedException {
        synchronized (this) {
            try {
                if (!quiet) {
                    write(first, Frames.frame(Frames.PING, 0, 0, new byte[PING_BYTES]));
                }
            } catch (IOException e) {
                quiet = true;
            }
            if (!quiet) {
                wait(USUAL_MS);
            }
            if (!quiet) {
                Patience patience = new Patience(timeoutMs);
                while (!quiet && patience.waitOn(this)) { }
            }
            return quiet;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void serve(Socket socket, int connection) throws IOException {
        try {
            serveFrames(socket, connection);
        } catch (EOFException e) {
            // The client has ended the connection.
        } finally {
            if (connection == 1) {
                settled();
            }
        }
    }

    private void serveFrames(Socket socket, int connection) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        String head = RequestHead.read(in);
        if (head == null) {
            return;
        }
        WireRequest upgrade = WireRequest.read(in, head, connection, socket);
        synchronized (this) {
            heads.add(upgrade.text());
            first = first == null ? socket : first;
        }
        socket.getOutputStream().write(("HTTP/1.1 101 Switching Protocols\r\n"
            + "Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        write(socket, Frames.frame(Frames.SETTINGS, 0, 0, settings));
        in.readFully(new byte[PREFACE_BYTES]);
        write(socket, Frames.frame(Frames.HEADERS, Frames.END_HEADERS | Frames.END_STREAM, 1, OK));
        boolean goesOn = true;
        while (goesOn) {
            goesOn = takeFrame(socket, connection, in);
        }
    }

    /** @return whether the connection goes on */
    private boolean takeFrame(Socket socket, int connection, DataInputStream in)
            throws IOException {
        byte[] payload = new byte[in.readUnsignedByte() << 16 | in.readUnsignedShort()];
        final int type = in.readUnsignedByte();
        final int flags = in.readUnsignedByte();
        final int stream = in.readInt();
        in.readFully(payload);
        boolean isAck = (flags & Frames.ACK) != 0;
        if (connection == 1 && !(isAck && (type == Frames.SETTINGS || type == Frames.PING))) {
            keep(FrameText.of(type, flags, stream, payload));
        }
        if (type == Frames.PING && isAck && connection == 1 && answered) {
            settled();
        } else if (type == Frames.SETTINGS && !isAck) {
            write(socket, Frames.frame(Frames.SETTINGS, Frames.ACK, 0, new byte[0]));
        } else if (type == Frames.PING && !isAck) {
            write(socket, Frames.frame(Frames.PING, Frames.ACK, 0, payload));
        } else if (type == Frames.GOAWAY) {
            return false;
        } else if ((type == Frames.HEADERS || type == Frames.DATA)
                && (flags & Frames.END_STREAM) != 0) {
            return answer(socket, connection, stream, type == Frames.HEADERS ? payload : null);
        } else if (type == Frames.HEADERS) {
            synchronized (this) {
                blocks.add(payload);
            }
        }
        return true;
    }

    private boolean answer(Socket socket, int connection, int stream, byte[] block)
            throws IOException {
        boolean isOdd = connection == 1 && stream == Frames.STREAM;
        synchronized (this) {
            requests++;
            answered |= isOdd;
            if (block != null) {
                blocks.add(block);
            }
        }
        if (isOdd) {
            write(socket, answer);
            return !closes;
        }
        write(socket,
            Frames.frame(Frames.HEADERS, Frames.END_HEADERS | Frames.END_STREAM, stream, OK));
        return true;
    }

    private synchronized void keep(String frame) {
        frames.add(frame);
    }

    private synchronized void settled() {
        quiet = true;
        notifyAll();
    }

    private synchronized void write(Socket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }
}
