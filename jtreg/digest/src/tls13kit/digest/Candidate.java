// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

/** An activity that may explain waits for one lock, and how much of them it does. */
final class Candidate implements Comparable<Candidate> {
    final Activity activity;
    /** Whether no waiter names its thread as the owner. */
    final boolean inferred;
    private long explainedNs;

    Candidate(Activity activity, boolean inferred) {
        this.activity = activity;
        this.inferred = inferred;
    }

    /** Whoever goes on doing something after the wait ended did not do it with the lock. */
    boolean mayExplain(Wait wait) {
        return activity.startNs < wait.endNs && activity.endNs > wait.startNs
                && activity.thread != wait.thread
                && (!wait.releases || activity.endNs <= wait.endNs);
    }

    void explains(long ns) {
        explainedNs += ns;
    }

    /** Adds all that it explains to what is known of the group's holders. */
    void addTo(BlockedGroup group) {
        if (explainedNs > 0) {
            group.explain(activity, inferred, explainedNs);
        }
    }

    /** The one to be believed first, where several could explain the same wait. */
    @Override
    public int compareTo(Candidate other) {
        if (inferred != other.inferred) {
            return inferred ? 1 : -1;
        }
        int byKind = activity.kind.compareTo(other.activity.kind);
        return byKind != 0 ? byKind
                : Long.compare(other.activity.durationNs(), activity.durationNs());
    }
}
