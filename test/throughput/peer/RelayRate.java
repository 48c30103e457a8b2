// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/**
 * When has a chunk been sent, over a line of limited bandwidth? One direction of a line, shared by
 * its connections: each chunk starts when all that came before are through.
 */
final class RelayRate {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final long bytesPerSecond;
    private long freeAtNanos = System.nanoTime();

    /** @param bytesPerSecond 0 for no limit */
    RelayRate(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /** @return when {@code bytes} that arrive now will be through, by System.nanoTime() */
    long sentAtNanos(int bytes) {
        long now = System.nanoTime();
        return bytesPerSecond == 0 ? now : queued(now, bytes);
    }

    private synchronized long queued(long now, int bytes) {
        long begin = freeAtNanos - now > 0 ? freeAtNanos : now;
        freeAtNanos = begin + bytes * NANOS_PER_SECOND / bytesPerSecond;
        return freeAtNanos;
    }
}
