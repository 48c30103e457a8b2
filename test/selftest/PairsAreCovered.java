// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary Do the rows of the interoperability suite have every pair of values that fit?
 * @key selftest
 * @library /lib /interop/lib
 * @run main/othervm PairsAreCovered
 */

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Compares {@link Pairwise} with all combinations, where these are few enough to be listed. */
public class PairsAreCovered {
    private static final int ROUNDS = 200;

    /** Runs all claims. */
    public static void main(String[] args) {
        for (int seed = 0; seed < ROUNDS; seed++) {
            compare(new Random(seed), seed);
        }
        Map<String, List<String>> ten = new LinkedHashMap<>();
        for (int i = 0; i < 10; i++) {
            ten.put("p" + i, Arrays.asList("a", "b", "c", "d"));
        }
        List<Row> rows = Pairwise.rows(ten, (name, value, other, otherValue) -> true);
        Check.that(pairs(rows).size() == 45 * 16, "not all pairs of ten parameters");
        Check.that(pairs(rows.subList(0, 2 * rows.size() / 3)).size() < 45 * 16, "a third is of no use");
        Check.that(rows.size() < 45, rows.size() + " rows for what AETG needs about 30 for");
        unique("client", Rows.asClient());
        unique("server", Rows.asServer());
    }

    private static void compare(Random random, int seed) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (int i = 0; i < 4; i++) {
            List<String> values = new ArrayList<>();
            for (int v = 1 + random.nextInt(4); v > 0; v--) {
                values.add("p" + i + "v" + v);
            }
            parameters.put("p" + i, values);
        }
        Set<String> forbidden = new HashSet<>();
        for (int n = random.nextInt(8); n > 0; n--) {
            forbidden.add(any(parameters, random) + " " + any(parameters, random));
        }
        Pairwise.Constraint fits = (name, value, other, otherValue) ->
            !forbidden.contains(value + " " + otherValue);
        List<Row> all = new ArrayList<>();
        list(new ArrayList<>(parameters.keySet()), parameters, new LinkedHashMap<>(), fits, all);
        List<Row> few = Pairwise.rows(parameters, fits);
        Check.that(pairs(few).equals(pairs(all)), "not the pairs of all combinations: " + seed);
        Check.that(few.size() <= all.size(), "more rows than combinations: " + seed);
    }

    private static String any(Map<String, List<String>> parameters, Random random) {
        List<String> values = parameters.get("p" + random.nextInt(4));
        return values.get(random.nextInt(values.size()));
    }

    private static void list(List<String> names, Map<String, List<String>> parameters,
            Map<String, String> begun, Pairwise.Constraint fits, List<Row> into) {
        if (begun.size() == names.size()) {
            into.add(Row.of(begun));
            return;
        }
        String name = names.get(begun.size());
        for (String value : parameters.get(name)) {
            boolean fit = begun.entrySet().stream().allMatch(one ->
                fits.allows(name, value, one.getKey(), one.getValue())
                && fits.allows(one.getKey(), one.getValue(), name, value));
            if (fit) {
                begun.put(name, value);
                list(names, parameters, begun, fits, into);
                begun.remove(name);
            }
        }
    }

    private static Set<String> pairs(List<Row> rows) {
        Set<String> pairs = new HashSet<>();
        for (Row row : rows) {
            List<Map.Entry<String, String>> values = new ArrayList<>(row.values().entrySet());
            for (int i = 0; i < values.size(); i++) {
                for (int j = i + 1; j < values.size(); j++) {
                    pairs.add(values.get(i) + " " + values.get(j));
                }
            }
        }
        return pairs;
    }

    private static void unique(String side, List<Row> rows) {
        Set<String> ids = new HashSet<>();
        for (Row row : rows) {
            Check.that(ids.add(row.id()), "twice: " + row);
            Check.that(row.has(Row.SIDE, side), "of the other side: " + row);
        }
    }
}
