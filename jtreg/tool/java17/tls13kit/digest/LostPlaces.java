// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where did a thread wait for a monitor, if its event has no stack? Up to 17 that is so for each
 * wait that lasted into another chunk. It was where a thread dump shows the thread; otherwise where
 * all waits for the class were so far, if that is one place and the class is not too general.
 */
final class LostPlaces {
    private final OpenWaits dumps;
    /** By class of the monitor; empty where threads wait in several places. */
    private final Map<String, Optional<BlockedGroup.Key>> only = new HashMap<>();

    LostPlaces(OpenWaits dumps) {
        this.dumps = dumps;
    }

    /** Takes the place of a wait for a monitor whose event has a stack. */
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

    /** The place, or empty if it is unknown; times in nanoseconds since 1970. */
    Optional<BlockedGroup.Key> placeOf(long thread, String lockClass, long startNs, long endNs) {
        return dumps.placeOf(thread, lockClass, startNs, endNs)
                .or(() -> only.getOrDefault(lockClass, Optional.empty()));
    }
}
