// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.List;

/**
 * Does a thread parked on this class wait to acquire a lock?
 *
 * <p>Conditions, queues, latches, futures and timers park on other classes: a thread there has
 * nothing to do, and its time is not blocked time.
 */
final class LockClasses {
    private static final List<String> LOCKS = List.of(
            "java.util.concurrent.locks.ReentrantLock$",
            "java.util.concurrent.locks.ReentrantReadWriteLock$",
            "java.util.concurrent.locks.StampedLock");

    private LockClasses() {}

    static boolean isLock(String parkedClass) {
        return LOCKS.stream().anyMatch(parkedClass::startsWith);
    }
}
