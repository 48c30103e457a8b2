// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

/**
 * One ended wait of one thread to enter a monitor or acquire a lock.
 *
 * @param group what it is summed with
 * @param lock which lock, as far as a recording tells
 * @param thread id of the waiting thread
 * @param startNs nanoseconds since 1970
 * @param endNs nanoseconds since 1970
 * @param previousOwner id of the thread that had the monitor before, or {@link #NOBODY}
 * @param releases whether its end shows that the lock was let go (a wait that timed out does not)
 */
record Wait(BlockedGroup group, Lock lock, long thread, long startNs, long endNs,
        long previousOwner, boolean releases) {
    /** No thread has this id. */
    static final long NOBODY = 0;

    /** A lock by class and address; the address of an object may change when it is moved. */
    record Lock(String lockClass, long address) {}
}
