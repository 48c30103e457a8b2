// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** The build under test lacks what a row is about: a module, an API, an algorithm. */
final class Absent extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param name what it lacks */
    Absent(String name) {
        super(name);
    }
}
