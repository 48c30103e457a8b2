// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** One row: what is done, in one line, and how it is seen. */
final class TopicRow {
    /** The deadline of a row that sets none. */
    static final long DEADLINE_MS = 5_000;

    final Topic topic;
    final String id;
    final String does;
    final Observation observation;
    private long deadlineMs = DEADLINE_MS;

    TopicRow(Topic topic, String id, String does, Observation observation) {
        this.topic = topic;
        this.id = id;
        this.does = does;
        this.observation = observation;
    }

    /** Lets it take this long; CPU time that the machine withholds does not count. */
    TopicRow within(long limitMs) {
        deadlineMs = limitMs;
        return this;
    }

    long deadlineMs() {
        return deadlineMs;
    }
}
