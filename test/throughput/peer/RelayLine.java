// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.function.Supplier;

/** What is the line like that a {@link LineRelay} plays? Shared by all its connections. */
final class RelayLine {
    /** Delay of each chunk in each direction, in ns: half the round trip. */
    final long delayNanos;

    /**
     * For how long the peer's bytes and FIN are kept back after the client's FIN, in ms. It needs
     * a delay: only then is the FIN seen before the peer has the close_notify that precedes it.
     */
    final int lateFinMs;

    /** What passes per second, all connections together, in each direction. */
    final RelayRate up;
    final RelayRate down;

    /** Gives each connection somebody who watches its bytes. */
    final Supplier<RelayTap> taps;

    /**
     * @param bytesPerSecond in each direction; 0 for as fast as it goes
     * @throws IllegalArgumentException for a late FIN on a line without delay
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
