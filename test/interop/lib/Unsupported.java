// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** The JDK under test, or the peer, lacks what the row is about: an API, an algorithm. */
final class Unsupported extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unsupported(String what, Throwable cause) {
        super(what, cause);
    }
}
