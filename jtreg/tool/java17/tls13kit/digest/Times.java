// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.time.Instant;

/** How are moments counted? Always in nanoseconds since 1970. */
final class Times {
    static final double NS_PER_MS = 1e6;
    private static final long NS_PER_S = 1_000_000_000L;

    private Times() {}

    static long ns(Instant time) {
        return time.getEpochSecond() * NS_PER_S + time.getNano();
    }
}
