// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.Locale;

/** Which TLS implementation does a service use, if any? */
enum ServiceTls {
    NONE, JSSE, CONSCRYPT, BORINGSSL, HAPROXY;

    /**
     * Reads the argument {@code tls}.
     *
     * @param accepted those that the service supports, besides {@link #NONE}
     */
    static ServiceTls of(Arguments arguments, ServiceTls... accepted) {
        String name = arguments.text("tls", "none");
        StringBuilder names = new StringBuilder(NONE.argument());
        if (name.equals(NONE.argument())) {
            return NONE;
        }
        for (ServiceTls one : accepted) {
            if (name.equals(one.argument())) {
                return one;
            }
            names.append(", ").append(one.argument());
        }
        throw new IllegalArgumentException("tls=" + name + ": give one of " + names);
    }

    private String argument() {
        return name().toLowerCase(Locale.ROOT);
    }
}
