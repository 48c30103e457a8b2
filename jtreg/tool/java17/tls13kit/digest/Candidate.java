// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

/** An activity that may explain waits for one lock, and how much of their time it explains. */
final class Candidate implements Comparable<Candidate> {
    final Activity activity;
    /** Whether no waiter names its thread as the owner. */
    final boolean inferred;
    private long explainedNs;

    Candidate(Activity activity, boolean inferred) {
        this.activity = activity;
        this.inferred = inferred;
    }

    /** May it explain part of the wait? Not if it goes on after the lock was released. */
    boolean mayExplain(Wait wait) {
        return activity.startNs < wait.endNs && activity.endNs > wait.startNs
                && activity.thread != wait.thread
                && (!wait.releases || activity.endNs <= wait.endNs);
    }

    void explains(long ns) {
        explainedNs += ns;
    }

    /** Adds the time that it explains to the holders of the group. */
    void addTo(BlockedGroup group) {
        if (explainedNs > 0) {
            group.explain(activity, inferred, explainedNs);
        }
    }

    /** By preference, for when several could explain the same wait: the best comes first. */
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
