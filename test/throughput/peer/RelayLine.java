// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.function.Supplier;

/** What line does a {@link LineRelay} simulate? All its connections share it. */
final class RelayLine {
    /** Delay of each chunk in each direction, in ns: half the round trip. */
    final long delayNanos;

    /**
     * How long the peer's bytes and FIN are held back after the client's FIN, in ms. This needs a
     * delay: only then is the FIN seen before the peer gets the close_notify that precedes it.
     */
    final int lateFinMs;

    /** The bandwidth in each direction, shared by all connections. */
    final RelayRate up;
    final RelayRate down;

    /** Gives each connection a tap that watches its bytes. */
    final Supplier<RelayTap> taps;

    /**
     * @param bytesPerSecond in each direction; 0 for no limit
     * @throws IllegalArgumentException for a late FIN on a line with less than 1 ms of delay
     */
    RelayLine(long delayNanos, int lateFinMs, long bytesPerSecond, Supplier<RelayTap> taps) {
        if (lateFinMs > 0 && delayNanos < 1_000_000) {
            throw new IllegalArgumentException("a late FIN needs a round trip of 2 ms or more, for"
                + " the peer answers a close before the client's FIN is seen");
        }
        this.delayNanos = delayNanos;
        this.lateFinMs = lateFinMs;
        this.up = new RelayRate(bytesPerSecond);
        this.down = new RelayRate(bytesPerSecond);
        this.taps = taps;
    }
}
