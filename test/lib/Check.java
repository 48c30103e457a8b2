// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** Is a claim of a self-test true? Ends the test with one clear line where it is not. */
final class Check {
    private Check() { }

    static void that(boolean claim, String otherwise) {
        if (!claim) {
            throw new AssertionError(otherwise);
        }
    }
}
