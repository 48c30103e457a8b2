// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.List;

/**
 * Does a thread parked on this class wait to acquire a lock, and what kind of lock is it?
 *
 * <p>Conditions, queues, latches, futures and timers park on other classes: a thread there has
 * nothing to do, and its time is not blocked time.
 */
final class LockClasses {
    private static final String MONITOR = "monitor";
    private static final String LOCK = "lock";
    /** The second lock that all hosts share: a monitor in 8 and 11, a ReentrantLock in 17+. */
    private static final String CLEANER_QUEUE = "cleaner-queue";
    private static final String CLEANER = "sun.net.www.http.KeepAliveStreamCleaner";
    private static final List<String> LOCKS = List.of(
            "java.util.concurrent.locks.ReentrantLock$",
            "java.util.concurrent.locks.ReentrantReadWriteLock$",
            "java.util.concurrent.locks.StampedLock");
    private static final List<String> CLEANER_FRAMES = List.of(
            CLEANER + ".", "sun.net.www.http.KeepAliveStream.queueForCleanup");

    private LockClasses() {}

    static boolean isLock(String parkedClass) {
        for (String lock : LOCKS) {
            if (parkedClass.startsWith(lock)) {
                return true;
            }
        }
        return false;
    }

    /** May it be a lock, of whose class the end was cut off? */
    static boolean isBeginOfLock(String parkedClass) {
        return LOCKS.stream().anyMatch(lock -> lock.startsWith(parkedClass));
    }

    /** Does a method acquire such a lock for any caller? */
    static boolean locks(String frame) {
        return frame.endsWith(".lock") && isLock(frame.replaceFirst("\\.lock$", "\\$"));
    }

    /** The kind of a lock that the frame wants. */
    static String kind(boolean monitor, String lockClass, String frame) {
        boolean cleaner = monitor ? lockClass.equals(CLEANER)
                : CLEANER_FRAMES.stream().anyMatch(frame::startsWith);
        return cleaner ? CLEANER_QUEUE : monitor ? MONITOR : LOCK;
    }
}
