// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** What does the build under test do? */
interface Observation {
    /**
     * Tries it once.
     *
     * @return what was seen, in a text without ports, dates and versions
     * @throws Absent if the build lacks what the row is about
     * @throws Exception which is what was seen: {@link Failure#text}
     */
    String observe() throws Exception;
}
