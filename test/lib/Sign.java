// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.ThreadInfo;
import java.util.Arrays;

/**
 * What tells, in one look at all threads, that a bug is at work? A duration alone tells nothing on
 * a machine that is short of CPU; a sign is what the threads do meanwhile.
 */
interface Sign {
    /** @return who shows it; null if nobody does */
    Seen in(Stacks look);

    /** A thread that waits for a lock whose owner, or whose owner's owner, is somewhere. */
    static Sign heldBy(Place waiter, Place owner) {
        return look -> look.first(
            thread -> waiter.has(thread) ? look.owner(thread, owner) : null);
    }

    /** A thread that is somewhere. */
    static Sign at(Place place) {
        return look -> look.first(thread -> place.has(thread) ? thread : null);
    }

    /** Where may a thread be? */
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

        /** Whoever has such a frame. */
        static Place in(String type, String method) {
            return thread -> Arrays.stream(thread.getStackTrace()).anyMatch(frame ->
                type.equals(frame.getClassName()) && method.equals(frame.getMethodName()));
        }
    }

    /** Who waits and who holds; one that is only to be somewhere is both. */
    final class Seen {
        final ThreadInfo waiter;
        final ThreadInfo holder;

        Seen(ThreadInfo waiter, ThreadInfo holder) {
            this.waiter = waiter;
            this.holder = holder;
        }

        /** Whoever waits may change: as long as one holds it is the same. */
        boolean sameAs(Seen before) {
            return before != null && holder.getThreadId() == before.holder.getThreadId();
        }
    }
}
