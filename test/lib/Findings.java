// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What has a case found so far? Facts (preconditions as measured), figures with their bounds, and
 * finally the judgement. Safe to read from the deadline's thread while the case is still running.
 */
final class Findings {
    private final Map<String, Object> facts = new LinkedHashMap<>();
    private final List<Map<String, Object>> figures = new ArrayList<>();
    private Outcome outcome;
    private String reason;

    /** @param value a string, a number, a boolean or a list of these */
    synchronized void fact(String name, Object value) {
        facts.put(name,
            value instanceof Collection ? new ArrayList<>((Collection<?>) value) : value);
    }

    /** A figure that is shown beside the one that decides. */
    synchronized void figure(String name, long value, long bound, String unit) {
        figures.add(entry(name, value, bound, unit));
    }

    /**
     * Ends the case as inconclusive unless {@code met}.
     *
     * @param otherwise one full sentence: what was found instead
     */
    void require(boolean met, String otherwise) {
        if (!met) {
            throw new CaseEnd(Outcome.INCONCLUSIVE, otherwise);
        }
    }

    /**
     * Judges by a mechanism, once in each case: reproduced if the sign was seen for the bound, not
     * reproduced if it was not and the watched operation ended. If neither happened, the case is
     * inconclusive.
     *
     * @param name of the figure: the time for which the sign was seen, in ms
     * @param seen one full sentence, without figures: the sign was seen for the bound
     * @param notSeen one full sentence, without figures: the operation ended before that
     */
    synchronized void judge(String name, Watch watch, long bound, String seen, String notSeen) {
        long value = watch.seenMs();
        String reading = " (" + name + " " + value + ", bound " + bound + ").";
        watch.tell(this);
        if (value >= bound) {
            judged(Outcome.REPRODUCED, seen + reading);
        } else if (watch.over()) {
            judged(Outcome.NOT_REPRODUCED, notSeen + reading);
        } else {
            judged(Outcome.INCONCLUSIVE, "What was watched was not over after "
                + watch.patience().elapsedMs() + " ms, and what would hinder it was not seen for"
                + " long enough" + reading.replace(").", "); ") + watch.patience().withheld()
                + ".");
        }
        figures.add(0, entry(name, value, bound, "ms"));
    }

    /**
     * Judges by a count, once in each case: reproduced if it is at or above the bound.
     *
     * @param unit what is counted, in the plural
     * @param seen one full sentence, without figures, for a value at or above the bound
     * @param notSeen one full sentence, without figures, for a value below it
     */
    synchronized void judgeCount(String name, long value, long bound, String unit, String seen,
            String notSeen) {
        judged(value < bound ? Outcome.NOT_REPRODUCED : Outcome.REPRODUCED,
            (value < bound ? notSeen : seen) + " (" + name + " " + value + ", bound " + bound
            + ").");
        figures.add(0, entry(name, value, bound, unit));
    }

    private void judged(Outcome how, String why) {
        if (outcome != null) {
            throw new IllegalStateException("judged twice");
        }
        end(how, why);
    }

    /** Overrides whatever was judged. */
    synchronized void end(Outcome how, String why) {
        outcome = how;
        reason = why;
    }

    /** @return null before the judgement */
    synchronized Outcome outcome() {
        return outcome;
    }

    synchronized String reason() {
        return reason;
    }

    synchronized Map<String, Object> facts() {
        return new LinkedHashMap<>(facts);
    }

    synchronized List<Map<String, Object>> figures() {
        return new ArrayList<>(figures);
    }

    private static Map<String, Object> entry(String name, long value, long bound, String unit) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", name);
        entry.put("value", value);
        entry.put("bound", bound);
        entry.put("unit", unit);
        return entry;
    }
}
