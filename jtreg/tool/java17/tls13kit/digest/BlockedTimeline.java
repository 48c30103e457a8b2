// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How many threads were blocked at once, second by second? Waits may come in any order: only how
 * many begin and end in each slot is kept, so memory grows with the duration alone.
 */
final class BlockedTimeline {
    private static final long SLOT_NS = 1_000_000;
    private static final int SLOTS_PER_BIN = 1000;
    /** A day of seconds; a longer recording has longer bins. */
    private static final int MAX_BINS = 86_400;
    /** Some four hours of 1 ms; a longer recording has longer slots. */
    private static final int MAX_SLOTS = 1 << 24;

    private final long startNs;
    private final long slotNs;
    private final int binSlots;
    private final int[] changes;

    BlockedTimeline(long startNs, long endNs) {
        // A partial slot at the end is left out: alone in its second, it would show no thread.
        long wanted = Math.max(1, (endNs - startNs) / SLOT_NS);
        // A divisor of a second, or whole seconds, so that bins hold whole slots.
        long slotsIn1 = (wanted + MAX_SLOTS - 1) / MAX_SLOTS;
        while (SLOTS_PER_BIN % slotsIn1 != 0 && slotsIn1 % SLOTS_PER_BIN != 0) {
            slotsIn1++;
        }
        this.startNs = startNs;
        this.slotNs = slotsIn1 * SLOT_NS;
        int slots = (int) ((wanted + slotsIn1 - 1) / slotsIn1);
        int secondSlots = (int) Math.max(1, SLOTS_PER_BIN / slotsIn1);
        int bins = (slots + secondSlots - 1) / secondSlots;
        this.binSlots = secondSlots * ((bins + MAX_BINS - 1) / MAX_BINS);
        this.changes = new int[slots + 1];
    }

    void add(long fromNs, long toNs) {
        int from = Math.min(slot(fromNs), changes.length - 2);
        changes[from]++;
        changes[Math.max(from + 1, slot(toNs))]--;
    }

    Map<String, Object> toJson() {
        List<Object> bins = new ArrayList<>();
        int blocked = 0;
        int most = 0;
        for (int i = 0; i < changes.length - 1; i++) {
            blocked += changes[i];
            most = Math.max(most, blocked);
            if ((i + 1) % binSlots == 0 || i == changes.length - 2) {
                bins.add(most);
                most = 0;
            }
        }
        return Json.object("bin_ms", binSlots * (slotNs / SLOT_NS), "blocked_threads", bins);
    }

    private int slot(long atNs) {
        return (int) Math.max(0, Math.min((atNs - startNs) / slotNs, changes.length - 1));
    }
}
