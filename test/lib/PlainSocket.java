// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;

/**
 * What if two threads meet at the worst moment? A plain socket, to put TLS upon, that brings that
 * moment about each time. It does only what any socket may do, but waits for the other thread
 * first.
 */
class PlainSocket extends Socket {
    /** For the kit's own tests: if the threads never meet, no test may pass. */
    static final boolean MEET = !"off".equals(System.getProperty("threads.meet"));

    /** Connects. */
    PlainSocket(InetSocketAddress address) throws IOException {
        super(TlsPeer.loopback(), address.getPort());
        setTcpNoDelay(true);
    }

    /** Called before bytes are read, in the thread that reads. */
    void beforeRead() throws IOException { }

    /** Called before bytes are skipped, in the thread that skips. */
    void beforeSkip() throws IOException { }

    @Override
    public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
            @Override
            public int read() throws IOException {
                beforeRead();
                return super.read();
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                beforeRead();
                return super.read(bytes, offset, length);
            }

            @Override
            public long skip(long count) throws IOException {
                beforeSkip();
                return super.skip(count);
            }
        };
    }

    /** The exception of a socket that another thread has closed. */
    static SocketException closed() {
        return new SocketException("Socket is closed");
    }
}
