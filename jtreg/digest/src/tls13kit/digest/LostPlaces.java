// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where did a thread wait for a monitor, if its event has no stack? To 17 that is so for each wait
 * that lasted into another chunk. Where a thread dump shows the thread, that tells; else the place
 * of all waits for that class so far, if it was one and the class tells one lock from others.
 */
final class LostPlaces {
    private final OpenWaits dumps;
    /** By class of the monitor; empty where threads wait in several places. */
    private final Map<String, Optional<BlockedGroup.Key>> only = new HashMap<>();

    LostPlaces(OpenWaits dumps) {
        this.dumps = dumps;
    }

    /** Takes the place of a wait for a monitor that has a stack. */
    void add(BlockedGroup.Key key) {
        if (Frames.isGeneral(key.lockClass())) {
            return;
        }
        Optional<BlockedGroup.Key> known = only.get(key.lockClass());
        if (known == null) {
            only.put(key.lockClass(), Optional.of(key));
        } else if (known.isPresent() && !known.get().frame().equals(key.frame())) {
            only.put(key.lockClass(), Optional.empty());
        }
    }

    /** Times in nanoseconds since 1970; empty if nothing tells. */
    Optional<BlockedGroup.Key> placeOf(long thread, String lockClass, long startNs, long endNs) {
        return dumps.placeOf(thread, lockClass, startNs, endNs)
                .or(() -> only.getOrDefault(lockClass, Optional.empty()));
    }
}
