// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/** What arguments was a process given? Each is {@code key=value}; the program reads it by key. */
final class Arguments {
    private final Map<String, String> given = new LinkedHashMap<>();
    private final TreeSet<String> accepted = new TreeSet<>();

    /** @throws IllegalArgumentException for an argument without {@code =}, or a key given twice */
    Arguments(String... args) {
        for (String arg : args) {
            String[] pair = arg.split("=", 2);
            if (pair.length < 2) {
                throw new IllegalArgumentException(arg + ": give key=value");
            }
            if (given.put(pair[0], pair[1]) != null) {
                throw new IllegalArgumentException(pair[0] + " is given twice");
            }
        }
    }

    String text(String key, String otherwise) {
        accepted.add(key);
        return given.getOrDefault(key, otherwise);
    }

    /** @throws IllegalArgumentException unless it is a whole number from 0 to {@code most} */
    long number(String key, long otherwise, long most) {
        String value = text(key, Long.toString(otherwise));
        long number = value.matches("\\d{1,18}") ? Long.parseLong(value) : -1;
        if (number < 0 || number > most) {
            throw new IllegalArgumentException(
                key + "=" + value + ": give a whole number from 0 to " + most);
        }
        return number;
    }

    /** @throws IllegalArgumentException unless it is {@code true} or {@code false} */
    boolean flag(String key, boolean otherwise) {
        String value = text(key, Boolean.toString(otherwise));
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(key + "=" + value + ": give true or false");
        }
        return value.equals("true");
    }

    /** @throws IllegalArgumentException for a key that the program has not read */
    void end() {
        for (String key : given.keySet()) {
            if (!accepted.contains(key)) {
                throw new IllegalArgumentException(
                    "unknown argument " + key + ": accepted are " + accepted);
            }
        }
    }
}
