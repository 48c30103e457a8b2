// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * How do bytes get from one socket to the other, in one direction? A reader stamps each chunk with
 * the time at which it may leave; a writer waits for that time and for the valve. These are two
 * threads, because the FIN must be seen while bytes before it are still held.
 */
final class RelayPipe {
    private static final int CHUNK_BYTES = 16 * 1024;

    // Bounds the memory of a held connection; TCP slows down a sender of more.
    private static final int QUEUED_CHUNKS = 256;

    private final String name;
    private final Socket source;
    private final Socket sink;
    private final RelayValve valve;
    private final long delayNanos;
    private final RelayRate rate;
    private final RelayTap.Direction tap;
    private final RelayLink link;
    private final BlockingQueue<Chunk> queue = new LinkedBlockingQueue<>(QUEUED_CHUNKS);

    RelayPipe(String name, Socket source, Socket sink, RelayValve valve, long delayNanos,
            RelayRate rate, RelayTap.Direction tap, RelayLink link) {
        this.name = name;
        this.source = source;
        this.sink = sink;
        this.valve = valve;
        this.delayNanos = delayNanos;
        this.rate = rate;
        this.tap = tap;
        this.link = link;
    }

    void start() {
        TlsPeer.daemon(name + "-in", this::readLoop).start();
        TlsPeer.daemon(name + "-out", this::writeLoop).start();
    }

    private void readLoop() {
        try {
            InputStream in = source.getInputStream();
            byte[] buffer = new byte[CHUNK_BYTES];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                tap.saw(buffer, n);
                queue.put(new Chunk(Arrays.copyOf(buffer, n), rate.sentAtNanos(n) + delayNanos));
            }
            link.finished(this);
            queue.put(end());
        } catch (IOException | InterruptedException e) {
            link.failed(name + " reading: " + e);
            queue.clear();
            queue.offer(end());
        }
    }

    private void writeLoop() {
        boolean broken = false;
        boolean ended = false;
        while (!ended) {
            try {
                Chunk chunk = queue.take();
                ended = chunk.bytes == null;
                // After a failure, go on taking chunks: the reader must not wait for room.
                if (!broken) {
                    pass(chunk);
                }
            } catch (IOException | InterruptedException e) {
                link.failed(name + " writing: " + e);
                broken = true;
            }
        }
        link.ended();
    }

    private void pass(Chunk chunk) throws IOException, InterruptedException {
        long leftNanos = chunk.leavesAtNanos - System.nanoTime();
        if (leftNanos > 0) {
            TimeUnit.NANOSECONDS.sleep(leftNanos);
        }
        valve.whenOpen(() -> {
            if (chunk.bytes == null) {
                sink.shutdownOutput();
            } else {
                sink.getOutputStream().write(chunk.bytes);
            }
        });
    }

    private Chunk end() {
        return new Chunk(null, rate.sentAtNanos(0) + delayNanos);
    }

    /** Some bytes, or null for the end, and when they may leave. */
    private static final class Chunk {
        final byte[] bytes;
        final long leavesAtNanos;

        Chunk(byte[] bytes, long leavesAtNanos) {
            this.bytes = bytes;
            this.leavesAtNanos = leavesAtNanos;
        }
    }
}
