// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which few rows have every pair of values that may occur together? A covering array of strength
 * two, built greedily (Cohen, Dalal, Fredman, Patton: The AETG System, 1997): each row begins with
 * a pair that no row has yet, then takes the values that add most. The rows are always the same.
 */
final class Pairwise {
    /** May these two values occur in one row? */
    interface Constraint {
        boolean allows(String name, String value, String otherName, String otherValue);
    }

    private final String[] names;
    private final String[][] values;
    private final boolean[][][][] allowed;
    private final boolean[][][][] missing;
    private final int[][] left;     // how many missing pairs each value is in

    private Pairwise(Map<String, List<String>> parameters, Constraint constraint) {
        names = parameters.keySet().toArray(new String[0]);
        values = parameters.values().stream().map(list -> list.toArray(new String[0]))
            .toArray(String[][]::new);
        allowed = new boolean[names.length][][][];
        missing = new boolean[names.length][][][];
        left = Arrays.stream(values).map(list -> new int[list.length]).toArray(int[][]::new);
        for (int i = 0; i < names.length; i++) {
            allowed[i] = new boolean[values[i].length][names.length][];
            missing[i] = new boolean[values[i].length][names.length][];
            for (int a = 0; a < values[i].length; a++) {
                for (int j = 0; j < names.length; j++) {
                    allowed[i][a][j] = new boolean[values[j].length];
                    for (int b = 0; b < values[j].length; b++) {
                        allowed[i][a][j][b] = i == j ? a == b
                            : constraint.allows(names[i], values[i][a], names[j], values[j][b])
                            && constraint.allows(names[j], values[j][b], names[i], values[i][a]);
                    }
                    missing[i][a][j] = i < j ? allowed[i][a][j].clone()
                        : new boolean[values[j].length];
                    for (int b = 0; b < values[j].length; b++) {
                        left[i][a] += i != j && allowed[i][a][j][b] ? 1 : 0;
                    }
                }
            }
        }
    }

    /** The rows; a pair that fits into no complete row is left out. */
    static List<Row> rows(Map<String, List<String>> parameters, Constraint constraint) {
        return new Pairwise(parameters, constraint).cover();
    }

    private List<Row> cover() {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            for (int a = 0; a < values[i].length; a++) {
                for (int j = i + 1; j < names.length; j++) {
                    for (int b = 0; b < values[j].length; b++) {
                        if (missing[i][a][j][b]) {
                            begin(rows, i, a, j, b);
                        }
                    }
                }
            }
        }
        return rows;
    }

    private void begin(List<Row> rows, int i, int a, int j, int b) {
        int[] chosen = new int[names.length];
        Arrays.fill(chosen, -1);
        chosen[i] = a;
        chosen[j] = b;
        if (!complete(chosen)) {
            return;
        }
        Map<String, String> row = new LinkedHashMap<>();
        for (int k = 0; k < names.length; k++) {
            row.put(names[k], values[k][chosen[k]]);
            for (int l = k + 1; l < names.length; l++) {
                if (missing[k][chosen[k]][l][chosen[l]]) {
                    missing[k][chosen[k]][l][chosen[l]] = false;
                    left[k][chosen[k]]--;
                    left[l][chosen[l]]--;
                }
            }
        }
        rows.add(Row.of(row));
    }

    /** Fills what is open; tries first the value that adds most missing pairs, or has most left. */
    private boolean complete(int[] chosen) {
        int open = 0;
        while (open < chosen.length && chosen[open] >= 0) {
            open++;
        }
        if (open == chosen.length) {
            return true;
        }
        int at = open;
        Integer[] order = new Integer[values[at].length];
        Arrays.setAll(order, value -> value);
        int[] gains = new int[order.length];
        Arrays.setAll(gains, value -> gain(chosen, at, value));
        Arrays.sort(order, (x, y) -> gains[x] != gains[y] ? gains[y] - gains[x]
            : left[at][y] - left[at][x]);
        for (int value : order) {
            if (gains[value] >= 0) {
                chosen[at] = value;
                if (complete(chosen)) {
                    return true;
                }
            }
        }
        chosen[at] = -1;
        return false;
    }

    /** How many missing pairs that value adds; -1 if it is not allowed there. */
    private int gain(int[] chosen, int at, int value) {
        int gain = 0;
        for (int k = 0; k < chosen.length; k++) {
            if (k != at && chosen[k] >= 0) {
                if (!allowed[at][value][k][chosen[k]]) {
                    return -1;
                }
                gain += missing[Math.min(at, k)][at < k ? value : chosen[k]][Math.max(at, k)]
                    [at < k ? chosen[k] : value] ? 1 : 0;
            }
        }
        return gain;
    }
}
