// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.Arrays;

/**
 * Which thread ids were seen, and what is the largest number seen with each? Takes some 50 bytes
 * for each id at most, as some programs have a thread for each request.
 */
final class LongMap {
    private static final long FREE = Long.MIN_VALUE;
    private static final int FIRST_SLOTS = 16;

    private long[] keys = free(FIRST_SLOTS);
    private long[] values = new long[FIRST_SLOTS];
    private int size;

    /** Adds a key; its number becomes {@code value} if that is larger. */
    void raise(long key, long value) {
        int at = slot(key);
        if (keys[at] == key) {
            values[at] = Math.max(values[at], value);
            return;
        }
        keys[at] = key;
        values[at] = value;
        if (++size * 2 > keys.length) {
            grow();
        }
    }

    void add(long key) {
        raise(key, 0);
    }

    /** The largest number seen with the key, or {@code otherwise}. */
    long get(long key, long otherwise) {
        int at = slot(key);
        return keys[at] == key ? values[at] : otherwise;
    }

    int size() {
        return size;
    }

    /** The smallest keys, in order. */
    long[] smallest(int most) {
        return Arrays.stream(keys).filter(key -> key != FREE).sorted().limit(most).toArray();
    }

    private void grow() {
        long[] oldKeys = keys;
        long[] oldValues = values;
        keys = free(oldKeys.length * 2);
        values = new long[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != FREE) {
                int at = slot(oldKeys[i]);
                keys[at] = oldKeys[i];
                values[at] = oldValues[i];
            }
        }
    }

    private int slot(long key) {
        int mask = keys.length - 1;
        int at = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
        while (keys[at] != FREE && keys[at] != key) {
            at = at + 1 & mask;
        }
        return at;
    }

    private static long[] free(int length) {
        long[] slots = new long[length];
        Arrays.fill(slots, FREE);
        return slots;
    }
}
