// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.ThreadInfo;
import java.util.Arrays;

/**
 * What shows, in one look at all threads, that a bug is at work? A duration alone says nothing on a
 * machine that is short of CPU; a sign is what the threads do meanwhile.
 */
interface Sign {
    /** @return the threads that show it; null if none do */
    Seen in(Stacks look);

    /** A waiter for a lock whose owner, or an owner further up the chain, is at {@code owner}. */
    static Sign heldBy(Place waiter, Place owner) {
        return look -> look.first(
            thread -> waiter.has(thread) ? look.owner(thread, owner) : null);
    }

    /** A thread that is at this place. */
    static Sign at(Place place) {
        return look -> look.first(thread -> place.has(thread) ? thread : null);
    }

    /** Where is a thread? */
    interface Place {
        boolean has(ThreadInfo thread);

        default Place and(Place other) {
            return thread -> has(thread) && other.has(thread);
        }

        default Place or(Place other) {
            return thread -> has(thread) || other.has(thread);
        }

        /** The thread of this name. */
        static Place thread(String name) {
            return thread -> name.equals(thread.getThreadName());
        }

        /** A thread with a frame of this method. */
        static Place in(String type, String method) {
            return thread -> Arrays.stream(thread.getStackTrace()).anyMatch(frame ->
                type.equals(frame.getClassName()) && method.equals(frame.getMethodName()));
        }
    }

    /** The thread that waits and the one that holds; the same thread for a sign by place alone. */
    final class Seen {
        final ThreadInfo waiter;
        final ThreadInfo holder;

        Seen(ThreadInfo waiter, ThreadInfo holder) {
            this.waiter = waiter;
            this.holder = holder;
        }

        /** The waiter may change: as long as the holder is the same thread, so is the wait. */
        boolean sameAs(Seen before) {
            return before != null && holder.getThreadId() == before.holder.getThreadId();
        }
    }
}
