// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.Arrays;
import java.util.Properties;

/** What do the properties under one prefix say? Each value is checked as it is read. */
final class Values {
    private final Properties given;
    private final String prefix;

    Values(Properties given, String prefix) {
        this.given = given;
        this.prefix = prefix;
    }

    /** The properties under a longer prefix. */
    Values under(String name) {
        return new Values(given, prefix + name);
    }

    /** @throws IllegalArgumentException if it is missing */
    String text(String key) {
        String value = text(key, null);
        if (value == null) {
            throw new IllegalArgumentException("no " + prefix + key);
        }
        return value;
    }

    String text(String key, String otherwise) {
        return given.getProperty(prefix + key, otherwise);
    }

    String oneOf(String key, String... accepted) {
        String value = text(key, accepted[0]);
        if (!Arrays.asList(accepted).contains(value)) {
            throw new IllegalArgumentException(prefix + key + "=" + value + ": give one of "
                + String.join(", ", accepted));
        }
        return value;
    }

    boolean flag(String key, boolean otherwise) {
        return Boolean.parseBoolean(oneOf(key, String.valueOf(otherwise), "true", "false"));
    }

    long number(String key, long least, long most) {
        String value = text(key);
        long number = value.matches("\\d{1,18}") ? Long.parseLong(value) : -1;
        if (number < least || number > most) {
            throw new IllegalArgumentException(prefix + key + "=" + value
                + ": give a whole number from " + least + " to " + most);
        }
        return number;
    }

    /** @return {@code otherwise} if it is not given */
    long number(String key, long least, long most, long otherwise) {
        return text(key, null) == null ? otherwise : number(key, least, most);
    }
}
