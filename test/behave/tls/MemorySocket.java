// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;

/**
 * What does one side of TLS send if the other says just this? A socket without a network, to put
 * TLS upon. Its peer is asked for bytes when all that it sent are read, and sees what came so far:
 * one thread does it all, and nothing is a race.
 */
final class MemorySocket extends Socket {
    /** The other side: its next bytes, given all that were sent to it; null at the end. */
    interface Peer {
        byte[] next(byte[] received) throws IOException;
    }

    private final Peer peer;
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private byte[] unread = new byte[0];
    private int position;
    private boolean closed;
    private boolean outputShut;

    MemorySocket(Peer peer) {
        this.peer = peer;
    }

    /** A peer that sends these, one after the other, each when the one before is read. */
    static MemorySocket saying(byte[]... flights) {
        int[] next = {0};
        return new MemorySocket(received ->
            next[0] < flights.length ? flights[next[0]++] : null);
    }

    /** All that TLS has sent. */
    byte[] sent() {
        return sent.toByteArray();
    }

    /** Whether TLS has closed this socket, or its output. */
    boolean isEnded() {
        return closed || outputShut;
    }

    @Override
    public InputStream getInputStream() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                if (closed) {
                    throw new SocketException("Socket is closed");
                }
                while (position == unread.length) {
                    byte[] next = peer.next(sent.toByteArray());
                    if (next == null) {
                        return -1;
                    }
                    unread = next;
                    position = 0;
                }
                int count = Math.min(length, unread.length - position);
                System.arraycopy(unread, position, into, offset, count);
                position += count;
                return count;
            }

            @Override
            public int available() {
                return unread.length - position;
            }
        };
    }

    @Override
    public OutputStream getOutputStream() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                if (closed || outputShut) {
                    throw new SocketException("Socket is closed");
                }
                sent.write(from, offset, length);
            }
        };
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public void shutdownOutput() {
        outputShut = true;
    }

    @Override
    public void shutdownInput() { }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public boolean isBound() {
        return true;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public boolean isOutputShutdown() {
        return outputShut;
    }

    @Override
    public InetAddress getInetAddress() {
        return InetAddress.getLoopbackAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        return InetAddress.getLoopbackAddress();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return new java.net.InetSocketAddress(getInetAddress(), getPort());
    }

    @Override
    public int getPort() {
        return 443;
    }

    @Override
    public int getLocalPort() {
        return 444;
    }

    @Override
    public void setSoTimeout(int ms) { }

    @Override
    public int getSoTimeout() {
        return 0;
    }

    @Override
    public void setSoLinger(boolean on, int seconds) { }

    @Override
    public int getSoLinger() {
        return -1;
    }

    @Override
    public void setTcpNoDelay(boolean on) { }

    @Override
    public boolean getTcpNoDelay() {
        return true;
    }
}
