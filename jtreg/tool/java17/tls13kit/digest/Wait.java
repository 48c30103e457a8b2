// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

/**
 * One completed wait of one thread to enter a monitor or acquire a lock. It may be what the holder
 * of another lock was doing.
 */
final class Wait extends Activity {
    /** No thread has this id. */
    static final long NOBODY = 0;

    /** The group to which it is added. */
    final BlockedGroup group;
    /** Id of the thread that had the monitor before, or {@link #NOBODY}. */
    final long previousOwner;
    /** Whether its end shows a release of the lock: not if it had a time limit, or was in vain. */
    boolean releases;
    /** Whether its holder has been looked for; it still shows when its lock was free. */
    private boolean explained;

    Wait(Kind kind, Threads.Known thread, long startNs, long endNs, CallStack stack, Lock lock,
            BlockedGroup group, long previousOwner, boolean releases) {
        super(kind, thread.id(), thread.name(), startNs, endNs, stack, lock, null);
        this.group = group;
        this.previousOwner = previousOwner;
        this.releases = releases;
    }

    boolean isExplained() {
        return explained;
    }

    void setExplained() {
        explained = true;
    }

    /** A lock by class and address; the address of an object may change when it is moved. */
    record Lock(String lockClass, long address) {
        /** Written out for speed: it is called millions of times, before any compiler has run. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Lock lock && address == lock.address
                    && lockClass.equals(lock.lockClass);
        }

        @Override
        public int hashCode() {
            return 31 * lockClass.hashCode() + Long.hashCode(address);
        }
    }
}
